// Finds the variables that shapes of calls may write, after all code is stored. Queues the tokens whose values depend
// on these variables.

import { DEPLOY, UNKNOWN_STATE } from '#clarity/builtins.ts';
import { keyOf } from '#clarity/name-key.ts';
import type { Store, StoreReader, StoreWriter } from '#store/index-database.ts';
import { hasEvaluated, queueCalled, queueVariables } from '#store/replay/evaluation-inputs.ts';
import {
  forgetShapes,
  LARGE_KEY,
  placeLarge,
  placeShapes,
  readNewShapes,
  type StoredShape,
} from '#store/replay/shapes.ts';
import { isTooLarge } from './closure.ts';
import { Summaries } from './summaries.ts';
import {
  canBeFollowed,
  contractOf,
  keyOfAll,
  nameOf,
  type TransitiveEffects,
  type Variable,
  variableOf,
} from './transitive-effects.ts';

/** The maximum number of shapes to handle in a transaction. */
const MAX_SHAPES = 1_000;
/** The maximum number of keys of a shape for each contract. With more, one key stands for all its variables. */
const MAX_KEYS = 64;

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
interface Placed {
  readonly shapes: readonly PlacedShape[];
  /** The keys of the variables that shapes with too much code may write. */
  readonly writtenByLarge: readonly number[];
}

/** Yields the new shapes, which must be placed before the next page is read. */
async function* findPlaces(store: StoreReader): AsyncGenerator<Placed> {
  const summaries = new Summaries(store, 'all');
  for (;;) {
    const found = await readNewShapes(store, MAX_SHAPES);
    if (found.length === 0) return;
    const shapes: PlacedShape[] = [];
    const large: StoredShape[] = [];
    for (const shape of found) {
      const effects = await summaries.effectsOf(shape, new Set(contractIdsOf(shape)));
      const isLarge = isTooLarge(effects);
      if (isLarge) large.push(shape);
      shapes.push({ shapeId: shape.shapeId, variableKeys: isLarge ? [LARGE_KEY] : keysOf(shape, effects) });
    }
    yield { shapes, writtenByLarge: large.length === 0 ? [] : await findWrittenByLarge(summaries, large) };
  }
}

async function place(store: StoreWriter, { shapes, writtenByLarge }: Placed): Promise<void> {
  await placeShapes(store, shapes);
  await queueCalled(
    store,
    shapes.map(({ shapeId }) => shapeId),
  );
  if (writtenByLarge.length > 0) await queueVariables(store, await placeLarge(store, writtenByLarge));
}

const isUnknown = (variable: Variable) => nameOf(variable) === UNKNOWN_STATE;

function keysOf({ contractId, functionName }: StoredShape, { reads, writes }: TransitiveEffects): number[] {
  const unknown = [...reads].filter(isUnknown);
  // Leaves out the contract's own variables: every plan with the contract includes its deploy as a step anyway.
  const deployed = functionName === DEPLOY ? contractId : undefined;
  const written = [...writes].filter((variable) => canBeFollowed(variable) && contractOf(variable) !== deployed);
  const keys = [...Map.groupBy(written, contractOf)].flatMap(([contractId, variables]) =>
    variables.length > MAX_KEYS ? [keyOfAll(contractId)] : variables.map(keyOf),
  );
  return [...keys, ...unknown.map(keyOf)];
}

/**
 * Returns the keys of the variables that shapes with too much code may write, and of the unknown code that they call.
 * Reads all this code once for all these shapes.
 */
async function findWrittenByLarge(summaries: Summaries, shapes: readonly StoredShape[]): Promise<number[]> {
  const closure = await summaries.closure(new Set(shapes.flatMap(contractIdsOf)));
  for (const shape of shapes) closure.add(shape);
  await closure.followAll();
  const written = [...closure.writes].filter(canBeFollowed);
  return [...written, ...[...closure.reads].filter(isUnknown)].map(keyOf);
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
