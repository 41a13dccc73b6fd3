// Finds the variables that shapes of calls may write, after all code is stored. Queues the tokens whose values depend
// on these variables.

import { DEPLOY, UNKNOWN_STATE } from '#clarity/builtins.ts';
import { keyOf } from '#clarity/name-key.ts';
import type { Store, StoreWriter } from '#store/index-database.ts';
import { queueCalled } from '#store/replay/evaluation-inputs.ts';
import { forgetShapes, placeShapes, readNewShapes, type StoredShape } from '#store/replay/shapes.ts';
import { Summaries } from './summaries.ts';
import { canBeFollowed, contractOf, nameOf, variableOf } from './transitive-effects.ts';

/** The maximum number of shapes to handle in a transaction. */
const MAX_SHAPES = 1_000;

export async function placeNewShapes(store: Store): Promise<void> {
  const summaries = new Summaries(store, 'all');
  for (let shapes = await readNewShapes(store, MAX_SHAPES); shapes.length > 0; ) {
    const placed: { shapeId: number; variableKeys: number[] }[] = [];
    for (const shape of shapes)
      placed.push({ shapeId: shape.shapeId, variableKeys: await findWritten(summaries, shape) });
    await store.transaction().execute(async (writer) => {
      await placeShapes(writer, placed);
      await queueCalled(
        writer,
        placed.map(({ shapeId }) => shapeId),
      );
    });
    shapes = await readNewShapes(store, MAX_SHAPES);
  }
}

async function findWritten(summaries: Summaries, shape: StoredShape): Promise<number[]> {
  const { contractId, functionName } = shape;
  const { reads, writes } = await summaries.effectsOf({ contractId, functionName }, contractIdsOf(shape));
  const unknown = [...reads].filter((variable) => nameOf(variable) === UNKNOWN_STATE);
  // Leaves out the contract's own variables: every plan with the contract includes its deploy as a step anyway.
  const deployed = functionName === DEPLOY ? contractId : undefined;
  const written = [...writes].filter((variable) => canBeFollowed(variable) && contractOf(variable) !== deployed);
  return [...written, ...unknown].map(keyOf);
}

export function contractIdsOf({ passed }: Pick<StoredShape, 'passed'>): string[] {
  return passed === '' ? [] : passed.split(' ');
}

/**
 * Marks the shapes that call these contracts as new. Must be called when deploys are stored, because such calls may
 * then write other variables.
 */
export async function forgetShapesOf(store: StoreWriter, contractIds: readonly string[]): Promise<void> {
  const keys = contractIds.map((contractId) => keyOf(variableOf(contractId, UNKNOWN_STATE)));
  await forgetShapes(store, contractIds, keys);
}
