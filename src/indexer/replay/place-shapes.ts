// Finds the variables that shapes of calls may write, after all code is stored. Queues the tokens whose values depend
// on these variables.

import { DEPLOY, UNKNOWN_STATE } from '#clarity/builtins.ts';
import { keyOf } from '#clarity/name-key.ts';
import type { Store, StoreReader, StoreWriter } from '#store/index-database.ts';
import { hasEvaluated, queueCalled } from '#store/replay/evaluation-inputs.ts';
import { forgetShapes, placeShapes, readNewShapes, type StoredShape } from '#store/replay/shapes.ts';
import { Summaries } from './summaries.ts';
import { canBeFollowed, contractOf, nameOf, variableOf } from './transitive-effects.ts';

/** The maximum number of shapes to handle in a transaction. */
const MAX_SHAPES = 1_000;

export async function placeNewShapes(store: Store): Promise<void> {
  for await (const placed of findPlaces(store)) await store.transaction().execute((writer) => place(writer, placed));
}

/**
 * Places the new shapes of a batch, if tokens were evaluated before. Their values then wait for an evaluation, also in a
 * run without the VM, and in a build after an interrupted run.
 */
export async function placeIfEvaluated(store: StoreWriter): Promise<void> {
  if (await hasEvaluated(store)) for await (const placed of findPlaces(store)) await place(store, placed);
}

type PlacedShape = { readonly shapeId: number; readonly variableKeys: readonly number[] };

/** Yields the new shapes, which must be placed before the next page is read. */
async function* findPlaces(store: StoreReader): AsyncGenerator<readonly PlacedShape[]> {
  const summaries = new Summaries(store, 'all');
  for (;;) {
    const shapes = await readNewShapes(store, MAX_SHAPES);
    if (shapes.length === 0) return;
    const placed: PlacedShape[] = [];
    for (const shape of shapes)
      placed.push({ shapeId: shape.shapeId, variableKeys: await findWritten(summaries, shape) });
    yield placed;
  }
}

async function place(store: StoreWriter, placed: readonly PlacedShape[]): Promise<void> {
  await placeShapes(store, placed);
  await queueCalled(
    store,
    placed.map(({ shapeId }) => shapeId),
  );
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
