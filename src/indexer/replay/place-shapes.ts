// Finds the variables that the shapes of calls may write once all code is stored, and queues the tokens that depend on
// these variables.

import { keyOf } from '#clarity/name-key.ts';
import { DEPLOY, UNKNOWN_STATE } from '#clarity/state-names.ts';
import type { Store, StoreReader, StoreWriter } from '#store/index-database.ts';
import { queueCalled } from '#store/replay/evaluation-inputs.ts';
import { forgetShapes, placeShapes, readNewShapes, type StoredShape } from '#store/replay/shapes.ts';
import { Summaries } from './summaries.ts';
import { canBeFollowed, contractOf, nameOf, variableOf } from './transitive-effects.ts';

/** Number of shapes in a transaction. */
const MAX_SHAPES = 1_000;

export async function placeNewShapes(store: Store): Promise<void> {
  const summaries = new Summaries('all');
  for (let shapes = await readNewShapes(store, MAX_SHAPES); shapes.length > 0; ) {
    const placed: { shapeId: number; variableKeys: number[] }[] = [];
    for (const shape of shapes)
      placed.push({ shapeId: shape.shapeId, variableKeys: await findWritten(store, summaries, shape) });
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

async function findWritten(store: StoreReader, summaries: Summaries, shape: StoredShape): Promise<number[]> {
  const { contractId, functionName } = shape;
  const { reads, writes } = await summaries.effectsOf(store, { contractId, functionName }, contractIdsOf(shape));
  const unknown = [...reads].filter((variable) => nameOf(variable) === UNKNOWN_STATE);
  // The deploy of a contract is a step of every plan with that contract, so its own variables are left out.
  const deployed = functionName === DEPLOY ? contractId : undefined;
  const written = [...writes].filter((variable) => canBeFollowed(variable) && contractOf(variable) !== deployed);
  return [...written, ...unknown].map(keyOf);
}

export function contractIdsOf({ passed }: Pick<StoredShape, 'passed'>): string[] {
  return passed === '' ? [] : passed.split(' ');
}

/** Must be called when deploys are stored, because shapes that call their contracts may write other variables now. */
export async function forgetShapesOf(store: StoreWriter, contractIds: readonly string[]): Promise<void> {
  const keys = contractIds.map((contractId) => keyOf(variableOf(contractId, UNKNOWN_STATE)));
  await forgetShapes(store, contractIds, keys);
}
