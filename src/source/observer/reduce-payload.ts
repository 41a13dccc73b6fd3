// Reduces an observer's payload to the ChainEvent that an index needs. Reads only the relevant members of list items.

import type { StandardPrincipal } from '#clarity/address.ts';
import type { DecodedTransaction } from '#clarity/decode-transaction.ts';
import { OUTCOME_BYTES, outcomeOf } from '#clarity/event-digest.ts';
import { delayCall, packCall, setOutcome } from '#clarity/packed-calls.ts';
import { type ChainEvent, NO_CALLS } from '#model/chain-event.ts';
import { type ChainFailure, type Failure, isFailure } from '#model/failure.ts';
import { quote } from '#text/quote.ts';
import { EventReducer, eventIndexOf } from './event-reducer.ts';
import { MalformedError } from './malformed-error.ts';
import { bytesOfHex, type Json, type ObservedTransaction, type Payload } from './parse-payload.ts';
import {
  joinChain,
  readBurnBlockTime,
  readHash,
  readHeight,
  readSees,
  readTenureHeight,
  readTransactionCount,
} from './payload-members.ts';
import { type ReadDeploy, readDeploy } from './read-deploy.ts';

export type Kind = ChainEvent['kind'];

/** The maximum number of failures recorded for a block. If so many items are invalid, the other items are as well. */
const MAX_FAILURES = 1_000;
const HASH_BYTES = 32;

interface PackedCall {
  readonly txId: string;
  readonly packed: Buffer;
  /** The serialized result, or the outcome that a seed has. */
  readonly result: Buffer | undefined;
  readonly outcome: Buffer | undefined;
}

/** Returns the kind of payload sent to this path; undefined if payloads of this kind are not needed. */
export function kindOfPayload(path: string): Kind | undefined {
  return path === '/new_block' ? 'block' : path === '/new_microblocks' ? 'microblocks' : undefined;
}

/** Throws MalformedError. `isSeed`: a transaction that is not the content of its id makes the payload malformed. */
export function reducePayload({ members, observed, events }: Payload, kind: Kind, isSeed = false): ChainEvent {
  const reducer = new PayloadReducer(kind, isSeed);
  for (const transaction of observed()) reducer.addTransaction(transaction);
  for (const event of events) reducer.events.add(event);
  return reducer.finish(members);
}

class PayloadReducer {
  readonly #kind: Kind;
  readonly #isSeed: boolean;
  readonly #deploys: ReadDeploy[] = [];
  readonly #calls: PackedCall[] = [];
  /** Calls of the transactions in {@link #early}. */
  readonly #earlyCalls: PackedCall[] = [];
  /**
   * Ids of transactions in microblocks that a block confirms. The payload lists them after the transactions of the
   * block itself, but they ran earlier.
   */
  readonly #early = new Set<string>();
  readonly #failures: ChainFailure[] = [];
  readonly events = new EventReducer((subject, failure) => this.#fail(subject, failure));
  readonly #origins = new Map<string, StandardPrincipal | undefined>();
  #chainId: number | undefined;
  #seesOwnBurnBlock: boolean | undefined;
  #transactions = 0;

  constructor(kind: Kind, isSeed: boolean) {
    this.#kind = kind;
    this.#isSeed = isSeed;
  }

  finish(members: Json): ChainEvent {
    const eventFacts = this.events.finish(this.#origins, this.#early);
    const delay = this.#early.size > 0 ? readTransactionCount(members, this.#transactions) : 0;
    if (delay > 0) for (const { packed } of this.#calls) delayCall(packed, delay);
    const calls = [...this.#earlyCalls, ...this.#calls];
    for (const { txId, packed, result, outcome } of calls)
      setOutcome(packed, outcome ?? outcomeOf(result ?? Buffer.alloc(0), this.events.digestsOf(txId)));
    const facts = {
      ...(this.#chainId === undefined ? {} : { chainId: this.#chainId }),
      burnBlockHeight: readHeight(members, 'burn_block_height'),
      ...readBurnBlockTime(members),
      parentIndexBlockHash: readHash(members, 'parent_index_block_hash'),
      deploys: this.#deploys.map(({ txIndex, seedDigests, ...deploy }) => ({
        ...deploy,
        txIndex: txIndex + (this.#early.has(deploy.txId) ? 0 : delay),
        events: seedDigests === undefined ? this.events.digestsOf(deploy.txId) : readDigests(seedDigests),
      })),
      failures: this.#failures,
    };
    if (this.#kind === 'microblocks') return { kind: 'microblocks', ...facts };
    return {
      kind: 'block',
      ...facts,
      indexBlockHash: readHash(members, 'index_block_hash'),
      height: readHeight(members, 'block_height'),
      ...readTenureHeight(members),
      ...readSees(this.#seesOwnBurnBlock ?? members.sees_own_burn_block),
      // Copies the calls to a separate buffer, which threads can transfer.
      calls: calls.length === 0 ? NO_CALLS : new Uint8Array(Buffer.concat(calls.map(({ packed }) => packed))),
      ...eventFacts,
    };
  }

  #fail(subject: string, { code, message }: Failure): void {
    if (this.#failures.length < MAX_FAILURES) this.#failures.push({ code, subject, message });
  }

  addTransaction(transaction: ObservedTransaction): void {
    const { json, txId, rawTx } = transaction;
    this.#transactions++;
    if (rawTx === undefined) return;
    if (this.#isSeed && !transaction.hasOwnId)
      throw new MalformedError(`the bytes of the transaction ${quote(txId)} have another id`);
    this.#chainId = joinChain(this.#chainId, rawTx);
    if (json.status !== 'success') return;
    const { decoded } = transaction;
    this.#origins.set(txId, isFailure(decoded) ? undefined : decoded.origin);
    if (isFailure(decoded)) {
      this.#fail(txId, decoded);
      return;
    }
    if (json.microblock_sequence != null) this.#early.add(txId);
    const { deploy, call, seesOwnBurnBlock } = decoded;
    this.#seesOwnBurnBlock ??= seesOwnBurnBlock;
    if (call !== undefined && this.#kind === 'block') this.#addCall(json, txId, decoded, call);
    if (deploy === undefined) return;
    const at = {
      txId,
      txIndex: this.#txIndex(json),
      isSeed: this.#isSeed,
      fail: (failure: Failure) => this.#fail(txId, failure),
    };
    const read = readDeploy(transaction, decoded, deploy, at);
    if (isFailure(read)) this.#fail(txId, read);
    else this.#deploys.push(read);
  }

  #addCall(transaction: Json, id: string, { origin }: DecodedTransaction, payload: Buffer): void {
    const txId = bytesOfHex(id);
    const result = bytesOfHex(transaction.raw_result);
    const outcome = bytesOfHex(transaction.outcome);
    const hasOutcome = outcome?.length === OUTCOME_BYTES;
    if (this.#isSeed && !hasOutcome) throw new MalformedError(`the call ${quote(id)} lacks its outcome`);
    if (txId?.length !== HASH_BYTES || (result === undefined && !hasOutcome)) return;
    const calls = this.#early.has(id) ? this.#earlyCalls : this.#calls;
    const packed = packCall({ txIndex: this.#txIndex(transaction), txId, origin, payload });
    calls.push({ txId: id, packed, result, outcome: hasOutcome ? outcome : undefined });
  }

  /** Returns the transaction's index, or its position in the list if the index is invalid. */
  #txIndex({ tx_index: index }: Json): number {
    return eventIndexOf(index, this.#transactions);
  }
}

/** Returns the digests of events that a seed has; undefined if they are unknown. */
function readDigests(value: unknown): Uint8Array | undefined {
  return bytesOfHex(value);
}
