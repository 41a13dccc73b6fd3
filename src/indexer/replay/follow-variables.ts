// Traces variables back to the calls that may decide them. Takes the variables that getters read, and returns the
// shapes of calls that may write these variables or the inputs of such calls.

import { DEPLOY } from '#clarity/state-names.ts';
import type { ChainReader, WritingShape } from './chain-reader.ts';
import { canBeFollowed, contractOf, isOwn, type Variable } from './transitive-effects.ts';

export interface Followed {
  readonly shapes: readonly WritingShape[];
  /** Variables that decide values. A new call that writes one of them may change a value. */
  readonly variables: ReadonlySet<Variable>;
  /** Variables that too many functions may write. */
  readonly untracked: ReadonlySet<Variable>;
}

/** Maximum number of shapes for a token. A plan needs the code of all their contracts. */
const MAX_SHAPES = 5_000;
/** Limits for variables that guards read. They can be low, because a wrong guard makes a call diverge. */
const [MAX_GUARD_SHAPES, MAX_GUARD_CALLS] = [200, 2_000];

export async function followVariables(
  chain: ChainReader,
  reads: Iterable<Variable>,
  maxCalls: number,
): Promise<Followed> {
  const shapes = new Map<number, WritingShape>();
  const untracked = new Set<Variable>();
  const needed = new Set(reads);
  const guarding = new Set<Variable>();

  /** Traces a variable, and adds the inputs of its writers. Returns false if there are too many shapes or calls. */
  const follow = async (variable: Variable, inputs: Set<Variable>, limits: { shapes: number; calls: number }) => {
    const found = await chain.shapesWriting(variable, limits.shapes);
    if (found === undefined) return false;
    const added = found.filter(({ shapeId }) => !shapes.has(shapeId));
    const calls = added.reduce((sum, shape) => sum + shape.calls, 0);
    if (shapes.size + added.length > MAX_SHAPES || calls > limits.calls) return false;
    limits.calls -= calls;
    for (const shape of added) {
      shapes.set(shape.shapeId, shape);
      for (const input of shape.effects.inputs) inputs.add(input);
      for (const read of shape.effects.reads) guarding.add(read);
    }
    const contractId = contractOf(variable);
    const deploy = await chain.summaries.effectsOf(chain.store, { contractId, functionName: DEPLOY });
    if (deploy.writes.has(variable))
      for (const input of deploy.inputs) if (!isOwn(input, contractId)) inputs.add(input);
    return true;
  };

  // The sets grow during the loops.
  const valueLimits = { shapes: MAX_SHAPES, calls: Number.POSITIVE_INFINITY };
  for (const variable of needed)
    if (canBeFollowed(variable) && !(await follow(variable, needed, valueLimits))) untracked.add(variable);
  const known = [...shapes.values()].reduce((sum, { calls }) => sum + calls, 0);
  const guardLimits = { shapes: MAX_GUARD_SHAPES, calls: Math.min(MAX_GUARD_CALLS, maxCalls - known) };
  for (const variable of guarding)
    if (canBeFollowed(variable) && !needed.has(variable)) await follow(variable, guarding, guardLimits);
  return { shapes: [...shapes.values()], variables: needed, untracked };
}
