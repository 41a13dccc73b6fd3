// Records the calls of new blocks that may write variables: with the code that is stored, each function that provably
// writes none is left out.

import QuickLRU from 'quick-lru';
import { type PackedCall, readCalls } from '#clarity/packed-calls.ts';
import { DEPLOY } from '#clarity/state-names.ts';
import { findWritingFunctions, type Writing } from '#clarity/writing-functions.ts';
import { readSources } from '#store/chain/deploys.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { insertCalls, type NewCall } from '#store/replay/calls.ts';
import { queueCalled } from '#store/replay/evaluation-inputs.ts';
import { findSenderIds, findShapeIds, type Shape } from '#store/replay/shapes.ts';
import { doubtOlder } from '#store/tokens/doubted-readings.ts';
import type { AddedBlock } from '../added-block.ts';
import { contractIdsIn, contractsIn } from './contracts-in.ts';

interface Callee {
  readonly contractId: string;
  readonly functionName: string;
  /** Undefined if it writes no variable. */
  readonly writing: Writing | undefined;
}

type FoundCall = Omit<NewCall, 'shapeId' | 'senderId' | 'sponsorId'> & {
  readonly shape: string;
  readonly sender: string;
  readonly sponsor: string | undefined;
};

/** Minimum number of functions, shapes and senders to remember; quick-lru keeps up to twice as many. */
const MAX_KNOWN = 50_000;
/** Minimum number of contracts whose functions to remember: their other functions are called soon. */
const MAX_CONTRACTS = 1_000;
const NO_CONTRACTS = '';

/** Lasts for a run: it remembers what it looked up. */
export class CallRecorder {
  readonly #contracts = new QuickLRU<string, ReadonlyMap<string, Writing>>({ maxSize: MAX_CONTRACTS });
  /** Contracts of {@link #callees}. */
  readonly #called = new Set<string>();
  readonly #callees = new QuickLRU<string, Callee>({ maxSize: MAX_KNOWN });
  readonly #shapes = new Numbers<Shape>(findShapeIds);
  readonly #senders = new Numbers<Buffer>(findSenderIds);

  /** Takes blocks whose deploys are stored already. `hasGap`: other deploys of the called contracts may be missing. */
  async record(store: StoreWriter, blocks: readonly AddedBlock[], hasGap: boolean): Promise<void> {
    this.#forget(blocks);
    const found: FoundCall[] = [];
    const heights = new Map<string, number>();
    for (const { event, block } of blocks) {
      const { blockId, height } = block;
      const note = (shape: Shape): string => {
        const key = this.#shapes.add(`${shape.contractId} ${shape.functionName} ${shape.passed}`, shape);
        heights.set(key, Math.max(heights.get(key) ?? 0, height));
        return key;
      };
      for (const { contractId, references } of event.deploys)
        if (references.callsAtDeploy) note({ contractId, functionName: DEPLOY, passed: NO_CONTRACTS });
      for (const call of readCalls(event.calls)) {
        const callee = this.#callees.get(call.callee) ?? (await this.#readCallee(store, call));
        const writing = callee.writing ?? (hasGap ? 'own' : undefined);
        if (writing === undefined) continue;
        const { contractId, functionName } = callee;
        const { txIndex, txId, args, outcome } = call;
        const passed = writing === 'any' ? passedIn(args) : NO_CONTRACTS;
        const shape = note({ contractId, functionName, passed });
        const sender = this.#addSender(call.origin);
        const sponsor = call.sponsor && this.#addSender(call.sponsor);
        found.push({ blockId, txIndex, txId, args, outcome, shape, sender, sponsor });
      }
    }
    await this.#shapes.resolve(store);
    await this.#senders.resolve(store);
    const calls = found.map(({ shape, sender, sponsor, ...call }) => ({
      ...call,
      shapeId: this.#shapes.idOf(shape),
      senderId: this.#senders.idOf(sender),
      sponsorId: sponsor === undefined ? undefined : this.#senders.idOf(sponsor),
    }));
    await insertCalls(store, calls);
    const called = [...heights].map(([key, height]) => [this.#shapes.idOf(key), height] as const);
    await doubtOlder(store, called);
    await queueCalled(
      store,
      called.map(([shapeId]) => shapeId),
    );
    this.#shapes.trim();
    this.#senders.trim();
  }

  #addSender(principal: Buffer): string {
    return this.#senders.add(principal.toString('latin1'), principal);
  }

  /** Functions of a contract may be known differently once another deploy of it is stored. */
  #forget(blocks: readonly AddedBlock[]): void {
    if (!blocks.some(({ event }) => event.deploys.some(({ contractId }) => this.#called.has(contractId)))) return;
    this.#called.clear();
    this.#contracts.clear();
    this.#callees.clear();
  }

  async #readCallee(store: StoreWriter, call: PackedCall): Promise<Callee> {
    const { contractId, functionName } = call;
    const functions = this.#contracts.get(contractId) ?? mergeFunctions(await readSources(store, contractId, 'all'));
    if (functions !== undefined) this.#contracts.set(contractId, functions);
    const writing = functions === undefined ? 'any' : functions.get(functionName);
    const callee = { contractId, functionName, writing };
    this.#called.add(contractId);
    this.#callees.set(call.callee, callee);
    return callee;
  }
}

/** Undefined for a contract that is not known. */
function mergeFunctions(sources: readonly string[]): ReadonlyMap<string, Writing> | undefined {
  if (sources.length === 0) return undefined;
  const merged = new Map<string, Writing>();
  for (const source of sources)
    for (const [name, writing] of findWritingFunctions(source))
      if (merged.get(name) !== 'any') merged.set(name, writing);
  return merged;
}

function passedIn(args: Buffer): string {
  return contractsIn(args).length === 0 ? NO_CONTRACTS : contractIdsIn(args).sort().join(' ');
}

/** Ids of rows by key; adds the rows of a batch at once. */
class Numbers<Row> {
  readonly #find: (store: StoreWriter, rows: readonly Row[]) => Promise<number[]>;
  readonly #ids = new Map<string, number>();
  readonly #new = new Map<string, Row>();

  constructor(find: (store: StoreWriter, rows: readonly Row[]) => Promise<number[]>) {
    this.#find = find;
  }

  /** Returns the key. */
  add(key: string, row: Row): string {
    if (!this.#ids.has(key)) this.#new.set(key, row);
    return key;
  }

  async resolve(store: StoreWriter): Promise<void> {
    const keys = [...this.#new.keys()];
    const ids = await this.#find(store, [...this.#new.values()]);
    for (const [index, key] of keys.entries()) this.#ids.set(key, ids[index] as number);
    this.#new.clear();
  }

  /** Must be resolved. */
  idOf(key: string): number {
    return this.#ids.get(key) as number;
  }

  /** Forgets the rows if there are too many. */
  trim(): void {
    if (this.#ids.size > MAX_KNOWN) this.#ids.clear();
  }
}
