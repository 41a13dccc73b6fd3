// Reduces the members of a /new_block or /new_microblocks payload to a ChainEvent; lists come item by item, so that none has to be held whole.
import { decodeTransaction, transactionId } from '#clarity/decode-transaction.ts';
import type { ChainEvent, ContractDeploy, PrintEvent, SupplyChange, TransactionFailure } from '#model/chain-event.ts';
import { type ContractInterface, parseInterface } from '#model/contract-interface.ts';
import { fail, isFailure } from '#model/failure.ts';
import { isContractId } from '#model/principal.ts';

/** The payload is JSON, but not what an observer sends; the message completes "line 7: …". */
export class PayloadError extends Error {}

type Json = Record<string, unknown>;

/** What a burnchain operation (a transfer or a stacking made on Bitcoin) has for a raw transaction. */
const BURNCHAIN_OPERATION = '0x00';
const STATUS_SUCCESS = 'success';
const HASH_PATTERN = /^0x[0-9a-f]{64}$/;

export class BlockReducer {
  readonly #kind: ChainEvent['kind'];
  readonly #members: Json = {};
  readonly #deploys: ContractDeploy[] = [];
  readonly #failures: TransactionFailure[] = [];
  readonly #supply: { txId: string; assetIdentifier: string; amount: bigint }[] = [];
  readonly #prints: Omit<PrintEvent, 'rawTx'>[] = [];
  /** Raw bytes of the successful transactions: an event counts only if it is of one. */
  readonly #succeeded = new Map<string, string>();
  #chainId: number | undefined;

  constructor(kind: ChainEvent['kind']) {
    this.#kind = kind;
  }

  /** A whole payload at once. */
  static reduce(kind: ChainEvent['kind'], payload: unknown): ChainEvent {
    if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
      throw new PayloadError('the JSON is not an object');
    const reducer = new BlockReducer(kind);
    for (const [key, value] of Object.entries(payload)) {
      if (Array.isArray(value)) for (const item of value) reducer.item(key, item);
      reducer.member(key, value);
    }
    return reducer.finish();
  }

  /** A member of the payload; what a list holds comes by {@link item}. */
  member(key: string, value: unknown): void {
    this.#members[key] = Array.isArray(value) ? [] : value;
  }

  item(key: string, item: unknown): void {
    if (key === 'transactions') this.#addTransaction(asObject(item, 'a transaction'));
    else if (key === 'events') this.#addEvent(asObject(item, 'an event'));
  }

  finish(): ChainEvent {
    const base = {
      ...(this.#chainId === undefined ? {} : { chainId: this.#chainId }),
      burnBlockHeight: this.#height('burn_block_height'),
      parentIndexBlockHash: this.#hash('parent_index_block_hash'),
      deploys: this.#deploys,
      failures: this.#failures,
    };
    if (this.#kind === 'microblocks') return { kind: 'microblocks', ...base };
    return {
      kind: 'block',
      ...base,
      indexBlockHash: this.#hash('index_block_hash'),
      height: this.#height('block_height'),
      supplyChanges: this.#supplyChanges(),
      prints: this.#prints.flatMap((print) => {
        const rawTx = this.#succeeded.get(print.txId);
        return rawTx === undefined ? [] : [{ ...print, rawTx }];
      }),
    };
  }

  #addTransaction(transaction: Json): void {
    const rawTx = transaction.raw_tx;
    const txId = transaction.txid;
    if (typeof rawTx !== 'string' || typeof txId !== 'string')
      throw new PayloadError('a transaction lacks txid or raw_tx');
    if (rawTx === BURNCHAIN_OPERATION) return;
    // Version u8 and chain id u32 open every transaction, so this needs no decoding and no success.
    const chainId = Number.parseInt(rawTx.slice(4, 12), 16);
    if (this.#chainId === undefined && chainId > 0) this.#chainId = chainId;
    if (transaction.status !== STATUS_SUCCESS) return;
    this.#succeeded.set(txId, rawTx);

    const decoded = decodeTransaction(rawTx);
    if (isFailure(decoded)) {
      this.#failures.push({ txId, failure: decoded });
      return;
    }
    if (decoded.deploy === undefined) return;
    if (transactionId(rawTx) !== txId) {
      this.#failures.push({ txId, failure: fail('txid-mismatch') });
      return;
    }
    const contractId = `${decoded.originAddress}.${decoded.deploy.contractName}`;
    if (!isContractId(contractId)) {
      this.#failures.push({ txId, failure: fail('contract-id-invalid') });
      return;
    }
    const contractInterface = this.#readInterface(txId, transaction.contract_interface ?? transaction.contract_abi);
    this.#deploys.push({
      contractId,
      txId,
      txIndex: typeof transaction.tx_index === 'number' ? transaction.tx_index : this.#deploys.length,
      senderAddress: decoded.originAddress,
      ...(decoded.deploy.clarityVersion === undefined ? {} : { wireClarityVersion: decoded.deploy.clarityVersion }),
      sourceCode: decoded.deploy.sourceCode,
      ...(contractInterface === undefined ? {} : { interface: contractInterface }),
    });
  }

  /** Observers send the interface under one of two names, as an object or as text, or leave it out. */
  #readInterface(txId: string, value: unknown): ContractInterface | undefined {
    if (value === undefined || value === null) return undefined;
    const parsed = parseInterface(typeof value === 'string' ? parseOrUndefined(value) : value);
    if (isFailure(parsed)) {
      this.#failures.push({ txId, failure: parsed });
      return undefined;
    }
    if (parsed.unlistedTypes.length > 0) {
      const message = `The contract interface names types that this version does not list: ${parsed.unlistedTypes.join(', ')}.`;
      this.#failures.push({ txId, failure: fail('interface-unlisted-type', message) });
    }
    return parsed.interface;
  }

  #addEvent(event: Json): void {
    if (event.committed !== true || typeof event.txid !== 'string') return;
    const txId = event.txid;
    switch (event.type) {
      case 'ft_mint_event':
      case 'ft_burn_event': {
        const change = asObject(event[event.type], event.type);
        const { asset_identifier: assetIdentifier, amount } = change;
        if (typeof assetIdentifier !== 'string' || typeof amount !== 'string' || !/^\d{1,39}$/.test(amount)) {
          throw new PayloadError(`${event.type} lacks asset_identifier or amount`);
        }
        this.#supply.push({
          txId,
          assetIdentifier,
          amount: event.type === 'ft_mint_event' ? BigInt(amount) : -BigInt(amount),
        });
        return;
      }
      case 'contract_event': {
        const print = asObject(event.contract_event, event.type);
        const { contract_identifier: emitter, topic, raw_value: rawValue } = print;
        if (topic !== 'print' || typeof emitter !== 'string' || typeof rawValue !== 'string') return;
        const eventIndex = typeof event.event_index === 'number' ? event.event_index : 0;
        this.#prints.push({ emitter, txId, eventIndex, rawValue });
        return;
      }
    }
  }

  #supplyChanges(): SupplyChange[] {
    const amounts = new Map<string, bigint>();
    for (const { txId, assetIdentifier, amount } of this.#supply) {
      if (this.#succeeded.has(txId)) amounts.set(assetIdentifier, (amounts.get(assetIdentifier) ?? 0n) + amount);
    }
    return [...amounts].map(([assetIdentifier, amount]) => ({ assetIdentifier, amount }));
  }

  #hash(key: string): string {
    const value = this.#members[key];
    if (typeof value !== 'string' || !HASH_PATTERN.test(value)) throw new PayloadError(`${key} is not a 32 byte hash`);
    return value;
  }

  #height(key: string): number {
    const value = this.#members[key];
    if (!Number.isSafeInteger(value) || (value as number) < 0) throw new PayloadError(`${key} is not a height`);
    return value as number;
  }
}

function asObject(value: unknown, what: string): Json {
  if (typeof value !== 'object' || value === null) throw new PayloadError(`${what} is not an object`);
  return value as Json;
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
