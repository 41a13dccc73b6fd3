// Reduces an observer's payload to the ChainEvent that an index needs. Reads only the relevant members of list items.

import { encodeAddress, type StandardPrincipal } from '#clarity/address.ts';
import {
  type DecodedDeploy,
  type DecodedTransaction,
  decodeTransaction,
  transactionId,
} from '#clarity/decode-transaction.ts';
import { findNames } from '#clarity/find-names.ts';
import { delayCall, packCall, setOutcome } from '#clarity/packed-calls.ts';
import { NO_CALLS } from '#model/block-content.ts';
import type { ChainEvent, ContractDeploy } from '#model/chain-event.ts';
import { type ContractInterface, parseInterface } from '#model/contract-interface.ts';
import { type ChainFailure, type Failure, fail, isFailure } from '#model/failure.ts';
import { packCode } from '#model/packed-code.ts';
import { isContractId } from '#model/principal.ts';
import { readInterfaceFacts } from '#standards/classify-contract.ts';
import { classifySource } from '#standards/classify-source.ts';
import { parseJson } from '#text/parse-json.ts';
import { EVENT, EventReducer, eventIndexOf } from './event-reducer.ts';
import { JsonFields } from './json-fields.ts';
import { CUT_OFF, OPEN_OBJECT, scanner } from './json-scanner.ts';
import { MalformedError } from './malformed-error.ts';
import { readBurnBlockTime, readChainId, readHash, readHeight, readTenureHeight } from './payload-members.ts';

export type Kind = ChainEvent['kind'];
type Json = Record<string, unknown>;

/** Relevant top-level members, except the lists. */
export const MEMBERS: ReadonlySet<string> = new Set([
  'block_height',
  'burn_block_height',
  'burn_block_time',
  'index_block_hash',
  'parent_index_block_hash',
  'tenure_height',
]);
const TRANSACTIONS = 'transactions';
const EVENTS = 'events';
export const LISTS: ReadonlySet<string> = new Set([TRANSACTIONS, EVENTS]);
const TRANSACTION_FIELDS = [
  'txid',
  'raw_tx',
  'status',
  'tx_index',
  'raw_result',
  'contract_interface',
  'contract_abi',
  'microblock_sequence',
] as const;
/** The raw transaction of a burnchain operation, which is a transfer or stacking made on Bitcoin. */
const BURNCHAIN_OPERATION = '"0x00"';
const STATUS_SUCCESS = '"success"';
/** The current transaction. Each item is reduced before the next is read. */
const TRANSACTION = new JsonFields(TRANSACTION_FIELDS);
/** The maximum number of failures recorded for a block. If so many items are invalid, the other items are as well. */
const MAX_FAILURES = 1_000;
const HASH_BYTES = 32;

interface PackedCall {
  readonly txId: string;
  readonly packed: Buffer;
  /** The serialized result. */
  readonly result: Buffer;
}

/** Returns the kind of payload sent to this path; undefined if payloads of this kind are not needed. */
export function kindOfPayload(path: string): Kind | undefined {
  return path === '/new_block' ? 'block' : path === '/new_microblocks' ? 'microblocks' : undefined;
}

/** Reduces the items of a payload's lists one at a time, so that no complete list is held in memory. */
export class PayloadReducer {
  readonly #kind: Kind;
  readonly #deploys: Omit<ContractDeploy, 'events'>[] = [];
  readonly #calls: PackedCall[] = [];
  /** Calls of the transactions in {@link #early}. */
  readonly #earlyCalls: PackedCall[] = [];
  /**
   * Ids of transactions in microblocks that a block confirms. The payload lists them after the transactions of the
   * block itself, but they ran earlier.
   */
  readonly #early = new Set<string>();
  readonly #failures: ChainFailure[] = [];
  readonly #events = new EventReducer((subject, failure) => this.#fail(subject, failure));
  readonly #origins = new Map<string, StandardPrincipal | undefined>();
  #chainId: number | undefined;
  #seesOwnBurnBlock: boolean | undefined;
  #transactions = 0;

  constructor(kind: Kind) {
    this.#kind = kind;
  }

  /** Reads the item that begins at `start`. Returns the offset after it, or CUT_OFF. Throws MalformedError. */
  readItem(list: string, start: number): number {
    const fields = list === TRANSACTIONS ? TRANSACTION : list === EVENTS ? EVENT : undefined;
    const isObject = scanner.bytes[start] === OPEN_OBJECT;
    if (fields === undefined || !isObject) {
      const end = scanner.endOfValue(start);
      if (end !== CUT_OFF && list === TRANSACTIONS) throw new MalformedError('a transaction is not an object');
      if (end !== CUT_OFF && list === EVENTS) this.#events.addInvalid();
      return end;
    }
    const end = fields.read(start, scanner.end);
    if (end !== CUT_OFF) {
      if (fields === TRANSACTION) this.#addTransaction();
      else this.#events.add();
    }
    fields.done();
    return end;
  }

  /** Returns the event. `members` has the values of {@link MEMBERS}. Throws MalformedError. */
  finish(members: Json): ChainEvent {
    const eventFacts = this.#events.finish(this.#origins, this.#early);
    const delay = this.#early.size > 0 ? this.#transactions : 0;
    if (delay > 0) for (const { packed } of this.#calls) delayCall(packed, delay);
    const calls = [...this.#earlyCalls, ...this.#calls];
    for (const { txId, packed, result } of calls) setOutcome(packed, result, this.#events.digestsOf(txId));
    const facts = {
      ...(this.#chainId === undefined ? {} : { chainId: this.#chainId }),
      burnBlockHeight: readHeight(members, 'burn_block_height'),
      ...readBurnBlockTime(members),
      parentIndexBlockHash: readHash(members, 'parent_index_block_hash'),
      deploys: this.#deploys.map(({ txIndex, ...deploy }) => ({
        ...deploy,
        txIndex: txIndex + (this.#early.has(deploy.txId) ? 0 : delay),
        events: this.#events.digestsOf(deploy.txId),
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
      ...(this.#seesOwnBurnBlock === undefined ? {} : { seesOwnBurnBlock: this.#seesOwnBurnBlock }),
      // Copies the calls to a separate buffer, which threads can transfer.
      calls: calls.length === 0 ? NO_CALLS : new Uint8Array(Buffer.concat(calls.map(({ packed }) => packed))),
      ...eventFacts,
    };
  }

  #fail(subject: string, { code, message }: Failure): void {
    if (this.#failures.length < MAX_FAILURES) this.#failures.push({ code, subject, message });
  }

  #addTransaction(): void {
    const txId = TRANSACTION.text('txid');
    const isBurnchainOperation = TRANSACTION.is('raw_tx', BURNCHAIN_OPERATION);
    const rawTx = TRANSACTION.hexBytes('raw_tx') ?? TRANSACTION.value('raw_tx');
    if ((typeof rawTx !== 'string' && !(rawTx instanceof Uint8Array)) || txId === undefined)
      throw new MalformedError('a transaction lacks txid or raw_tx');
    this.#transactions++;
    if (isBurnchainOperation) return;
    this.#chainId ??= readChainId(rawTx);
    if (!TRANSACTION.is('status', STATUS_SUCCESS)) return;
    const decoded = decodeTransaction(rawTx);
    this.#origins.set(txId, isFailure(decoded) ? undefined : decoded.origin);
    if (isFailure(decoded)) {
      this.#fail(txId, decoded);
      return;
    }
    if (!TRANSACTION.is('microblock_sequence', 'null') && TRANSACTION.value('microblock_sequence') !== undefined)
      this.#early.add(txId);
    const { deploy, call, seesOwnBurnBlock } = decoded;
    this.#seesOwnBurnBlock ??= seesOwnBurnBlock;
    if (call !== undefined && this.#kind === 'block') this.#addCall(txId, decoded, call);
    if (deploy === undefined) return;
    const read = this.#readDeploy(txId, rawTx, decoded, deploy);
    if (isFailure(read)) this.#fail(txId, read);
    else this.#deploys.push(read);
  }

  #addCall(id: string, { origin, sponsor }: DecodedTransaction, payload: Buffer): void {
    const txId = TRANSACTION.hexBytes('txid');
    const result = TRANSACTION.hexBytes('raw_result');
    if (txId?.length !== HASH_BYTES || result === undefined) return;
    const calls = this.#early.has(id) ? this.#earlyCalls : this.#calls;
    const packed = packCall({ txIndex: this.#txIndex(), txId, origin, sponsor, payload });
    calls.push({ txId: id, packed, result: Buffer.from(result) });
  }

  /** Returns the transaction's index, or its position in the list if the index is invalid. */
  #txIndex(): number {
    return eventIndexOf(TRANSACTION.value('tx_index'), this.#transactions);
  }

  #readDeploy(
    txId: string,
    rawTx: string | Uint8Array,
    { origin, sponsor }: DecodedTransaction,
    deploy: DecodedDeploy,
  ): Omit<ContractDeploy, 'events'> | Failure {
    if (transactionId(rawTx) !== txId) return fail('txid-mismatch');
    const senderAddress = encodeAddress(origin);
    const contractId = `${senderAddress}.${deploy.contractName}`;
    if (!isContractId(contractId)) return fail('contract-id-invalid');
    const contractInterface = this.#readInterface(
      txId,
      TRANSACTION.value('contract_interface') ?? TRANSACTION.value('contract_abi'),
    );
    return {
      contractId,
      txId,
      txIndex: this.#txIndex(),
      senderAddress,
      ...(sponsor === undefined ? {} : { sponsorAddress: encodeAddress(sponsor) }),
      ...(deploy.clarityVersion === undefined ? {} : { wireClarityVersion: deploy.clarityVersion }),
      references: findNames(deploy.source, senderAddress),
      code: packCode(deploy.source, contractInterface && JSON.stringify(contractInterface)),
      interfaceFacts: contractInterface && readInterfaceFacts(contractInterface),
      ...(contractInterface === undefined ? { likelyStandard: classifySource(deploy.source.toString()) } : {}),
    };
  }

  /** Reads an interface. Observers send it under one of two names, as an object or as text, or omit it. */
  #readInterface(txId: string, value: unknown): ContractInterface | undefined {
    if (value === undefined || value === null) return undefined;
    const parsed = parseInterface(typeof value === 'string' ? parseJson(value) : value);
    if (isFailure(parsed)) {
      this.#fail(txId, parsed);
      return undefined;
    }
    const { unlistedTypes } = parsed;
    if (unlistedTypes.length > 0) {
      const some = unlistedTypes.slice(0, 3).map((name) => JSON.stringify(name.slice(0, 40)));
      const problem = `${unlistedTypes.length} types that this version does not know: ${some.join(', ')}`;
      this.#fail(txId, fail('interface-unlisted-type', `The contract interface contains ${problem}.`));
    }
    return parsed.interface;
  }
}
