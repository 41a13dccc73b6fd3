// Answers of the sample chain, one a route, for the description of the API: scripts/make-examples.ts writes them.
import { readFileSync } from 'node:fs';
import type { RouteError } from '#routes/route.ts';

export interface Example {
  readonly parameters: Readonly<Record<string, string>>;
  readonly answer: unknown;
  /** Answers of other statuses that single paths of the route have. */
  readonly errors?: readonly RouteError[];
}

/** By the route's id. */
export const EXAMPLES: Readonly<Record<string, Example>> = JSON.parse(
  readFileSync(new URL('../../data/sample/examples.json', import.meta.url), 'utf8'),
);
