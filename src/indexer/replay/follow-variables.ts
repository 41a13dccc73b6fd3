// Traces variables back to the calls that may decide them. Takes the variables that getters read, and returns the
// kinds of calls that may write these variables or the inputs of such calls.

import { DEPLOY } from '#clarity/builtins.ts';
import type { ChainReader } from './chain-reader.ts';
import { isTooLarge } from './closure.ts';
import { canBeFollowed, contractOf, isOwn, type Variable } from './transitive-effects.ts';
import type { WritingKind } from './writing-kinds.ts';

interface Followed {
  readonly kinds: readonly WritingKind[];
  /** Followed variables that decide values. A new call that writes such a variable may change a value. */
  readonly variables: ReadonlySet<Variable>;
  /** Variables that may be written by calls which are not among {@link kinds}. */
  readonly untracked: ReadonlySet<Variable>;
}

/** The maximum number of kinds for a token, because a plan needs the code of their contracts. */
const MAX_KINDS = 5_000;
/** The maximum number of variables to follow for a token: those that decide its values. On mainnet it is up to 14. */
const MAX_VARIABLES = 200;
/**
 * The maximum numbers of kinds and calls for variables that guards read. They are low, because a wrong guard is
 * detected: its call diverges.
 */
const [MAX_GUARD_KINDS, MAX_GUARD_CALLS] = [200, 2_000];

export async function followVariables(
  chain: ChainReader,
  reads: Iterable<Variable>,
  maxCalls: number,
): Promise<Followed> {
  const kinds = new Map<number, WritingKind>();
  const untracked = new Set<Variable>();
  const needed = new Set(reads);
  const guarding = new Set<Variable>();

  /** Adds the kinds that may write a variable, and their inputs. Returns false if some are left out. */
  const follow = async (variable: Variable, inputs: Set<Variable>, limits: { kinds: number; calls: number }) => {
    const found = await chain.kindsWriting(variable, limits.kinds);
    if (found === undefined) return false;
    const added = found.kinds.filter(({ kindId }) => !kinds.has(kindId));
    const calls = added.reduce((sum, kind) => sum + kind.calls, 0);
    if (kinds.size + added.length > MAX_KINDS || calls > limits.calls) return false;
    limits.calls -= calls;
    for (const kind of added) {
      kinds.set(kind.kindId, kind);
      for (const input of kind.effects.inputs) inputs.add(input);
      for (const read of kind.effects.reads) guarding.add(read);
    }
    const contractId = contractOf(variable);
    const deploy = await chain.summaries.effectsOf({ contractId, functionName: DEPLOY });
    if (deploy.writes.has(variable))
      for (const input of deploy.inputs) if (!isOwn(input, contractId)) inputs.add(input);
    return found.isWhole && !isTooLarge(deploy);
  };

  // The sets `needed` and `guarding` grow during the loops.
  const valueLimits = { kinds: MAX_KINDS, calls: Number.POSITIVE_INFINITY };
  const variables = new Set<Variable>();
  for (const variable of needed) {
    if (!canBeFollowed(variable)) continue;
    const isWithin = variables.size < MAX_VARIABLES;
    if (isWithin) variables.add(variable);
    if (!isWithin || !(await follow(variable, needed, valueLimits))) untracked.add(variable);
  }
  const known = [...kinds.values()].reduce((sum, { calls }) => sum + calls, 0);
  const guardLimits = { kinds: MAX_GUARD_KINDS, calls: Math.min(MAX_GUARD_CALLS, maxCalls - known) };
  for (const variable of guarding)
    if (canBeFollowed(variable) && !needed.has(variable)) await follow(variable, guarding, guardLimits);
  return { kinds: [...kinds.values()], variables, untracked };
}
