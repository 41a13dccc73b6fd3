// Finds the variables that new kinds of calls may write, after all code is stored. Queues the tokens whose values
// depend on these variables.

import { DEPLOY, UNKNOWN_STATE } from '#clarity/builtins.ts';
import { keyOf } from '#clarity/name-key.ts';
import type { Store, StoreReader, StoreWriter } from '#store/index-database.ts';
import {
  forgetWrites,
  LARGE_KEY,
  readNewKinds,
  type StoredKind,
  storeWrites,
  storeWritesOfLarge,
} from '#store/replay/call-kinds.ts';
import { hasEvaluated, queueCalled, queueVariables } from '#store/replay/evaluation-inputs.ts';
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

/** The maximum number of kinds to handle in a transaction. */
const MAX_KINDS = 1_000;
/** The maximum number of keys of a kind for each contract. With more, one key stands for all its variables. */
const MAX_KEYS = 64;

export async function findNewWrites(store: Store): Promise<void> {
  for await (const found of findWrites(store)) await store.transaction().execute((writer) => storeFound(writer, found));
}

/**
 * Finds the writes of a batch's new kinds, if tokens were evaluated before. Their values then wait for an evaluation,
 * also in a run without the VM, and in a build after an interrupted run.
 */
export async function findWritesIfEvaluated(store: StoreWriter): Promise<void> {
  if (await hasEvaluated(store)) for await (const found of findWrites(store)) await storeFound(store, found);
}

type KindWrites = { readonly kindId: number; readonly variableKeys: readonly number[] };
interface FoundWrites {
  readonly kinds: readonly KindWrites[];
  /** The keys of the variables that kinds with too much code may write. */
  readonly writtenByLarge: readonly number[];
}

/** Yields the writes of new kinds, which must be stored before the next page is read. */
async function* findWrites(store: StoreReader): AsyncGenerator<FoundWrites> {
  const summaries = new Summaries(store, 'all');
  for (;;) {
    const unread = await readNewKinds(store, MAX_KINDS);
    if (unread.length === 0) return;
    const kinds: KindWrites[] = [];
    const large: StoredKind[] = [];
    for (const kind of unread) {
      const effects = await summaries.effectsOf(kind, new Set(contractIdsOf(kind)));
      const isLarge = isTooLarge(effects);
      if (isLarge) large.push(kind);
      kinds.push({ kindId: kind.kindId, variableKeys: isLarge ? [LARGE_KEY] : keysOf(kind, effects) });
    }
    yield { kinds, writtenByLarge: large.length === 0 ? [] : await findWrittenByLarge(summaries, large) };
  }
}

async function storeFound(store: StoreWriter, { kinds, writtenByLarge }: FoundWrites): Promise<void> {
  await storeWrites(store, kinds);
  await queueCalled(
    store,
    kinds.map(({ kindId }) => kindId),
  );
  if (writtenByLarge.length > 0) await queueVariables(store, await storeWritesOfLarge(store, writtenByLarge));
}

const isUnknown = (variable: Variable) => nameOf(variable) === UNKNOWN_STATE;

function keysOf({ contractId, functionName }: StoredKind, { reads, writes }: TransitiveEffects): number[] {
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
 * Returns the keys of the variables that kinds with too much code may write, and of the unknown code that they call.
 * Reads all this code once for all these kinds.
 */
async function findWrittenByLarge(summaries: Summaries, kinds: readonly StoredKind[]): Promise<number[]> {
  const closure = await summaries.closure(new Set(kinds.flatMap(contractIdsOf)));
  for (const kind of kinds) closure.add(kind);
  await closure.followAll();
  const written = [...closure.writes].filter(canBeFollowed);
  return [...written, ...[...closure.reads].filter(isUnknown)].map(keyOf);
}

export function contractIdsOf({ passed }: Pick<StoredKind, 'passed'>): string[] {
  return passed === '' ? [] : passed.split(' ');
}

/**
 * Marks the kinds that call these contracts as new. Must be called when deploys are stored, because such calls may
 * then write other variables.
 */
export async function forgetWritesOf(store: StoreWriter, contractIds: readonly string[]): Promise<void> {
  const keys = contractIds.map((contractId) => keyOf(variableOf(contractId, UNKNOWN_STATE)));
  await forgetWrites(store, contractIds, keys);
}
