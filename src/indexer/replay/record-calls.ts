// Records the calls in new blocks that may write variables. Skips functions whose stored source shows that they cannot
// write a variable.

import QuickLRU from 'quick-lru';
import { DEPLOY } from '#clarity/builtins.ts';
import { type PackedCall, readCalls } from '#clarity/packed-calls.ts';
import { findWritingFunctionsOf, type Writing } from '#clarity/writing-functions.ts';
import { readSources } from '#store/chain/deploys.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { insertCalls, type NewCall } from '#store/replay/calls.ts';
import { queueCalled } from '#store/replay/evaluation-inputs.ts';
import { findSenderIds, findShapeIds, type Shape, withLarge } from '#store/replay/shapes.ts';
import { markOlderUnproven } from '#store/tokens/unproven-readings.ts';
import type { AddedBlock } from '../new-block.ts';
import { contractIdsIn, contractsKey } from './contracts-in.ts';
import { placeIfEvaluated } from './place-shapes.ts';

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
  /** Shapes of calls of the function, by the contracts among the arguments. */
  readonly shapes: Map<string, Numbered<Shape>>;
}

type FoundCall = Omit<NewCall, 'shapeId' | 'senderId' | 'sponsorId'> & {
  readonly shape: Numbered<Shape>;
  readonly sender: Numbered<Buffer>;
  readonly sponsor: Numbered<Buffer> | undefined;
};

/** The maximum number of shapes that stay in memory after a batch, and the minimum number of senders. */
const MAX_KNOWN = 50_000;
/** The minimum number of contracts whose functions stay in memory, because calls of a contract come in groups. */
const MAX_CONTRACTS = 1_000;

/** Records calls. A run has one recorder, which caches lookups. */
export class CallRecorder {
  readonly #contracts = new QuickLRU<string, ReadonlyMap<string, Writing>>({ maxSize: MAX_CONTRACTS });
  readonly #callees = new Map<string, Callee>();
  /** The ids of the contracts of {@link #callees}. */
  readonly #called = new Set<string>();
  /** The number of shapes of {@link #callees}. */
  #shapes = 0;
  readonly #senders = new QuickLRU<string, Numbered<Buffer>>({ maxSize: MAX_KNOWN });

  /** Records the calls of blocks whose deploys are stored. With `hasGap`, some called contracts may be missing. */
  async record(store: StoreWriter, blocks: readonly AddedBlock[], hasGap: boolean): Promise<void> {
    this.#forget(blocks);
    const found: FoundCall[] = [];
    /** The height of the last call or deploy with each shape. */
    const heights = new Map<Numbered<Shape>, number>();
    const note = (shape: Numbered<Shape>, height: number) =>
      heights.set(shape, Math.max(heights.get(shape) ?? 0, height));
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
        const shape = this.#shapeOf(callee, writing, args);
        note(shape, height);
        const sender = this.#senderOf(call.origin);
        const sponsor = call.sponsor && this.#senderOf(call.sponsor);
        found.push({ blockId, txIndex, txId, args, outcome, shape, sender, sponsor });
      }
    }
    await addNumbers(store, [...heights.keys()], findShapeIds);
    const senders = new Set(
      found.flatMap(({ sender, sponsor }) => (sponsor === undefined ? [sender] : [sender, sponsor])),
    );
    await addNumbers(store, [...senders], findSenderIds);
    const calls = found.map(({ shape, sender, sponsor, ...call }) => ({
      ...call,
      shapeId: idOf(shape),
      senderId: idOf(sender),
      sponsorId: sponsor && idOf(sponsor),
    }));
    await insertCalls(store, calls);
    const called = [...heights].map(([shape, height]) => [idOf(shape), height] as const);
    // Only placed shapes have the variables that they may write.
    await placeIfEvaluated(store);
    await markOlderUnproven(store, await withLarge(store, called));
    await queueCalled(
      store,
      called.map(([shapeId]) => shapeId),
    );
    if (Math.max(this.#shapes, this.#callees.size) > MAX_KNOWN) this.#forgetCallees();
  }

  #shapeOf(callee: Callee, writing: Writing, args: Buffer): Numbered<Shape> {
    const { contractId, functionName, shapes } = callee;
    const read = () => contractIdsIn(args).sort().join(' ');
    const key = writing === 'any' ? (contractsKey(args) ?? read()) : '';
    let shape = shapes.get(key);
    if (shape === undefined) {
      shape = { row: { contractId, functionName, passed: key === '' ? '' : read() }, id: undefined };
      shapes.set(key, shape);
      this.#shapes++;
    }
    return shape;
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
    this.#shapes = 0;
  }

  async #readCallee(store: StoreWriter, call: PackedCall): Promise<Callee> {
    const { contractId, functionName } = call;
    const functions =
      this.#contracts.get(contractId) ?? findWritingFunctionsOf(await readSources(store, contractId, 'all'));
    if (functions !== undefined) this.#contracts.set(contractId, functions);
    const writing = functions === undefined ? 'any' : functions.get(functionName);
    const callee = { contractId, functionName, writing, shapes: new Map<string, Numbered<Shape>>() };
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
