// The form of a named case: a small program, and what must hold of the values that are served of it.

import { collection, type TokenParts, token } from '../contracts.ts';
import type { Network } from '../encode-transaction.ts';
import { type Deploy, deploy, type Program, type Step } from '../program.ts';
import type { RunOptions } from '../served-site.ts';

/** `reason`: right, or with a reason. Values that are not named must be `reason`, too. */
export type Must = 'right' | 'reason';

export interface Case {
  readonly name: string;
  /** What goes wrong where it fails. */
  readonly about: string;
  readonly must: Must;
  /** `contract getter`, or `contract getter number`. */
  readonly value: string;
  readonly steps: readonly Step[];
  readonly network?: Network;
  /** The options of each index run; a case of several has a chain of its own. */
  readonly runs?: readonly RunOptions[];
  readonly truth?: Program['truth'];
  /** In which run the last blocks arrive: if not in the first, no gap tells of those between. */
  readonly last?: number;
}

/** Of the name of `tok` unless it is said. */
export function one(
  name: string,
  must: Must,
  about: string,
  steps: readonly Step[],
  more: Partial<Pick<Case, 'value' | 'network' | 'runs' | 'truth' | 'last'>> = {},
): Case {
  return { name, about, must, value: 'tok get-name', steps, ...more };
}

export const NAME = 'tok get-name';
export const lateBurn = { mine: 'burn', count: 25 } as const;
export const lateStacks = { mine: 'stacks', count: 25 } as const;

/** The token of a case, of its parts, or with more definitions alone. */
export function tok(parts: TokenParts | string, more: Partial<Deploy & Step> = {}): Step {
  return deploy('tok', token(typeof parts === 'string' ? { more: parts } : parts), more);
}

export const col = (uri: string, more?: string): Step => deploy('col', collection(uri, more));
