// Records the calls in new blocks that may write variables. Skips functions whose stored source shows that they cannot
// write a variable.

import QuickLRU from 'quick-lru';
import { DEPLOY } from '#clarity/builtins.ts';
import { type PackedCall, readCalls } from '#clarity/packed-calls.ts';
import { passedContracts, passedKey } from '#clarity/passed-contracts.ts';
import { findWritingFunctionsOf, type Writing } from '#clarity/writing-functions.ts';
import { readSources } from '#store/chain/deploys.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { type CallKind, findKindIds, findSenderIds, withLarge } from '#store/replay/call-kinds.ts';
import { insertCalls, type NewCall } from '#store/replay/calls.ts';
import { queueCalled } from '#store/replay/evaluation-inputs.ts';
import { markOlderUnproven } from '#store/tokens/unproven-readings.ts';
import type { AddedBlock } from '../new-block.ts';
import { findWritesIfEvaluated } from './find-writes.ts';

/** A row whose id is set when the batch is stored. */
interface Numbered<Row> {
  readonly row: Row;
  id: number | undefined;
}

interface Callee {
  readonly contractId: string;
  readonly functionName: string;
  /** The contracts that the function may write; undefined if it cannot write a variable. */
  readonly writing: Writing | undefined;
  /** Kinds of calls of the function, by the contracts among the arguments. */
  readonly kinds: Map<string, Numbered<CallKind>>;
}

type FoundCall = Omit<NewCall, 'kindId' | 'senderId'> & {
  readonly kind: Numbered<CallKind>;
  readonly sender: Numbered<Buffer>;
};

/** The maximum number of kinds that stay in memory after a batch, and the minimum number of senders. */
const MAX_KNOWN = 50_000;
/** The minimum number of contracts whose functions stay in memory, because calls of a contract come in groups. */
const MAX_CONTRACTS = 1_000;

/** Records calls. A run has one recorder, which caches lookups. */
export class CallRecorder {
  readonly #contracts = new QuickLRU<string, ReadonlyMap<string, Writing>>({ maxSize: MAX_CONTRACTS });
  readonly #callees = new Map<string, Callee>();
  /** The ids of the contracts of {@link #callees}. */
  readonly #called = new Set<string>();
  /** The number of kinds of {@link #callees}. */
  #kinds = 0;
  readonly #senders = new QuickLRU<string, Numbered<Buffer>>({ maxSize: MAX_KNOWN });

  /** Records the calls of blocks whose deploys are stored. With `hasGap`, some called contracts may be missing. */
  async record(store: StoreWriter, blocks: readonly AddedBlock[], hasGap: boolean): Promise<void> {
    this.#forget(blocks);
    const found: FoundCall[] = [];
    /** The height of the last call or deploy with each kind. */
    const heights = new Map<Numbered<CallKind>, number>();
    const note = (kind: Numbered<CallKind>, height: number) =>
      heights.set(kind, Math.max(heights.get(kind) ?? 0, height));
    for (const { event, block } of blocks) {
      const { blockId, height } = block;
      for (const { contractId, references } of event.deploys)
        if (references.callsAtDeploy)
          note({ row: { contractId, functionName: DEPLOY, passed: '' }, id: undefined }, height);
      for (const call of readCalls(event.calls)) {
        const callee = this.#callees.get(call.callee) ?? (await this.#readCallee(store, call));
        const writing = callee.writing ?? (hasGap ? 'own' : undefined);
        if (writing === undefined) continue;
        const { txIndex, txId, args, outcome } = call;
        const kind = this.#kindOf(callee, writing, args);
        note(kind, height);
        const sender = this.#senderOf(call.origin);
        found.push({ blockId, txIndex, txId, args, outcome, kind, sender });
      }
    }
    await addNumbers(store, [...heights.keys()], findKindIds);
    const senders = new Set(found.map(({ sender }) => sender));
    await addNumbers(store, [...senders], findSenderIds);
    const calls = found.map(({ kind, sender, ...call }) => ({
      ...call,
      kindId: idOf(kind),
      senderId: idOf(sender),
    }));
    await insertCalls(store, calls);
    const called = [...heights].map(([kind, height]) => [idOf(kind), height] as const);
    // Otherwise the variables that new kinds may write are not known.
    await findWritesIfEvaluated(store);
    await markOlderUnproven(store, await withLarge(store, called));
    await queueCalled(
      store,
      called.map(([kindId]) => kindId),
    );
    if (Math.max(this.#kinds, this.#callees.size) > MAX_KNOWN) this.#forgetCallees();
  }

  #kindOf(callee: Callee, writing: Writing, args: Buffer): Numbered<CallKind> {
    const { contractId, functionName, kinds } = callee;
    const read = () => passedContracts(args).sort().join(' ');
    const key = writing === 'any' ? (passedKey(args) ?? read()) : '';
    let kind = kinds.get(key);
    if (kind === undefined) {
      kind = { row: { contractId, functionName, passed: key === '' ? '' : read() }, id: undefined };
      kinds.set(key, kind);
      this.#kinds++;
    }
    return kind;
  }

  #senderOf(principal: Buffer): Numbered<Buffer> {
    const key = principal.toString('latin1');
    let sender = this.#senders.get(key);
    if (sender === undefined) {
      sender = { row: Buffer.from(principal), id: undefined };
      this.#senders.set(key, sender);
    }
    return sender;
  }

  /** Clears the caches if a block deploys a contract that was called before, because its functions may differ now. */
  #forget(blocks: readonly AddedBlock[]): void {
    if (!blocks.some(({ event }) => event.deploys.some(({ contractId }) => this.#called.has(contractId)))) return;
    this.#contracts.clear();
    this.#forgetCallees();
  }

  #forgetCallees(): void {
    this.#called.clear();
    this.#callees.clear();
    this.#kinds = 0;
  }

  async #readCallee(store: StoreWriter, call: PackedCall): Promise<Callee> {
    const { contractId, functionName } = call;
    const functions =
      this.#contracts.get(contractId) ?? findWritingFunctionsOf(await readSources(store, contractId, 'all'));
    if (functions !== undefined) this.#contracts.set(contractId, functions);
    const writing = functions === undefined ? 'any' : functions.get(functionName);
    const callee = { contractId, functionName, writing, kinds: new Map<string, Numbered<CallKind>>() };
    this.#called.add(contractId);
    this.#callees.set(call.callee, callee);
    return callee;
  }
}

/** Sets missing ids of rows: finds the rows in the index, or stores them. */
async function addNumbers<Row>(
  store: StoreWriter,
  rows: readonly Numbered<Row>[],
  findIds: (store: StoreWriter, rows: readonly Row[]) => Promise<number[]>,
): Promise<void> {
  const unnumbered = rows.filter(({ id }) => id === undefined);
  const ids = await findIds(
    store,
    unnumbered.map(({ row }) => row),
  );
  for (const [index, row] of unnumbered.entries()) row.id = ids[index];
}

function idOf({ id }: Numbered<unknown>): number {
  return id as number;
}
