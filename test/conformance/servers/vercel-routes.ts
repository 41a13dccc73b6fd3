// Reads the `routes` of a vercel.json with Vercel's own checks.
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { loadPackage } from './load-package.ts';

export interface VercelCondition {
  /** Others than `query` are refused when they are met. */
  readonly type: string;
  readonly key?: string;
  /** A regular expression for the whole value; without it, that there is one is enough. */
  readonly value?: string;
}

export interface VercelRoute {
  readonly src: string;
  readonly dest?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly methods?: readonly string[];
  readonly continue?: boolean;
  readonly check?: boolean;
  readonly caseSensitive?: boolean;
  readonly status?: number;
  readonly has?: readonly VercelCondition[];
  readonly missing?: readonly VercelCondition[];
}

/** By the `handle` that they come after; those before the first are `start`. */
export type VercelPhase = 'start' | 'filesystem' | 'hit' | 'miss';
export type VercelPhases = Readonly<Record<VercelPhase, readonly VercelRoute[]>>;

interface RoutingUtils {
  readonly routesSchema: Readonly<Record<string, unknown>>;
  normalizeRoutes(routes: readonly unknown[]): {
    readonly routes: readonly (VercelRoute | { readonly handle: string })[] | null;
    readonly error: { readonly message: string; readonly errors?: readonly string[] } | null;
  };
}

export function readVercelRoutes(file: string): VercelPhases {
  const { routes } = JSON.parse(readFileSync(file, 'utf8')) as { readonly routes?: readonly unknown[] };
  if (routes === undefined) throw new Error(`${file} has no routes`);
  const { routesSchema, normalizeRoutes } = loadPackage<RoutingUtils>('@vercel/routing-utils');
  const ajv = new Ajv({ strict: false, allErrors: true });
  if (!ajv.validate(routesSchema, routes))
    throw new Error(`${file}: ${ajv.errorsText(ajv.errors, { dataVar: 'routes' })}`);
  const normalized = normalizeRoutes(routes);
  if (normalized.error !== null) {
    throw new Error(`${file}: ${(normalized.error.errors ?? [normalized.error.message]).join('\n')}`);
  }
  const phases: Record<VercelPhase, VercelRoute[]> = { start: [], filesystem: [], hit: [], miss: [] };
  let phase: VercelPhase = 'start';
  for (const route of normalized.routes ?? []) {
    if (!('handle' in route)) phases[phase].push(route);
    else if (Object.hasOwn(phases, route.handle)) phase = route.handle as VercelPhase;
    else throw new Error(`${file}: what follows "handle": "${route.handle}" cannot be tried out here`);
  }
  return phases;
}
