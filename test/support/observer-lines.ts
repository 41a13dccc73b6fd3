// Writes event archives for tests, in the form that an event observer stores: blocks with signed transactions.
import { hash } from 'node:crypto';
import {
  Cl,
  type ClarityValue,
  type ClarityVersion,
  createContractCallPayload,
  createSmartContractPayload,
  getAddressFromPrivateKey,
  type PayloadInput,
  type StacksTransactionWire,
} from '@stacks/transactions';
import { signedTransaction } from '../../scripts/signed-transaction.ts';

export type Json = Record<string, unknown>;

export const TEST_KEY = `${'11'.repeat(32)}01`;
export const OTHER_KEY = `${'22'.repeat(32)}01`;

export interface TransactionOptions {
  readonly key?: string;
  /** The chain id, which selects the network of addresses: mainnet for 1, otherwise a test network. */
  readonly chainId?: number;
  readonly nonce?: number;
}

export function addressOf(key: string, chainId = 1): string {
  return getAddressFromPrivateKey(key, chainId === 1 ? 'mainnet' : 'testnet');
}

/** Returns the SHA-256 digest of a label, in hex with the prefix 0x. */
export function hashOf(label: string | number): string {
  return `0x${hash('sha256', String(label))}`;
}

export function signed(
  payload: PayloadInput,
  { key = TEST_KEY, chainId = 1, nonce = 0 }: TransactionOptions = {},
): StacksTransactionWire {
  return signedTransaction(payload, { key, chainId, nonce, fee: 100 });
}

/** Returns the JSON of a successful transaction. `fields` replaces some of its members. */
export function transactionJson(wire: StacksTransactionWire, fields: Json = {}): Json {
  return {
    txid: `0x${wire.txid()}`,
    raw_tx: `0x${wire.serialize()}`,
    status: 'success',
    tx_index: 0,
    raw_result: '0x0703',
    contract_interface: null,
    ...fields,
  };
}

export interface DeployOptions extends TransactionOptions {
  readonly interface?: unknown;
  readonly clarityVersion?: number;
  readonly status?: string;
}

export function deployJson(name: string, source: string, options: DeployOptions = {}): Json {
  const payload = createSmartContractPayload(name, source, options.clarityVersion as ClarityVersion | undefined);
  return transactionJson(signed(payload, options), {
    status: options.status ?? 'success',
    contract_interface: options.interface ?? null,
  });
}

/** Returns the JSON of a deploy in the genesis block of a chain. Its chain id is 0. */
export function bootJson(name: string, source: string, chainId: number): Json {
  const deploy = deployJson(name, source, { chainId });
  const raw = String(deploy.raw_tx);
  const raw_tx = `${raw.slice(0, 4)}00000000${raw.slice(12)}`;
  return { ...deploy, raw_tx, txid: `0x${hash('sha512-256', Buffer.from(raw_tx.slice(2), 'hex'))}` };
}

/** Returns the JSON of a contract call. */
export function callJson(options: TransactionOptions = {}): Json {
  const address = addressOf(options.key ?? TEST_KEY, options.chainId);
  return transactionJson(signed(createContractCallPayload(address, 'any', 'call', [Cl.uint(1)]), options));
}

export interface BlockOptions {
  /** The label of the block. The hash of the block is {@link hashOf} of the label. */
  readonly id: string | number;
  readonly parent: string | number;
  readonly height: number;
  readonly burnHeight?: number;
  /** The time of the burn block, in seconds since the epoch. */
  readonly burnTime?: number;
  readonly transactions?: readonly Json[];
  readonly events?: readonly Json[];
}

export function blockJson({
  id,
  parent,
  height,
  burnHeight = 800_000,
  burnTime,
  transactions = [],
  events = [],
}: BlockOptions): Json {
  return {
    block_hash: hashOf(`block ${id}`),
    block_height: height,
    index_block_hash: hashOf(id),
    parent_index_block_hash: hashOf(parent),
    burn_block_height: burnHeight,
    burn_block_time: burnTime,
    events,
    transactions: transactions.map((transaction, index) => ({ ...transaction, tx_index: index })),
  };
}

export function microblocksJson(parent: string | number, transactions: readonly Json[]): Json {
  return { parent_index_block_hash: hashOf(parent), burn_block_height: 800_000, events: [], transactions };
}

export function mintEvent(txid: unknown, assetIdentifier: string, amount: string, fields: Json = {}): Json {
  return {
    txid,
    type: 'ft_mint_event',
    committed: true,
    event_index: 0,
    ft_mint_event: { asset_identifier: assetIdentifier, amount, recipient: 'SP000000000000000000002Q6VF78' },
    ...fields,
  };
}

export function burnEvent(txid: unknown, assetIdentifier: string, amount: string): Json {
  const { ft_mint_event, ...event } = mintEvent(txid, assetIdentifier, amount);
  return { ...event, type: 'ft_burn_event', ft_burn_event: ft_mint_event };
}

/** Returns an event that mints or burns an NFT of the asset `thing`. The NFT's identifier is a number or a tuple. */
export function nftEvent(
  kind: 'mint' | 'burn',
  txid: unknown,
  contractId: string,
  value: bigint | Parameters<typeof Cl.tuple>[0],
): Json {
  const type = `nft_${kind}_event`;
  const raw_value = `0x${Cl.serialize(typeof value === 'bigint' ? Cl.uint(value) : Cl.tuple(value))}`;
  const holder = { [kind === 'mint' ? 'recipient' : 'sender']: addressOf(TEST_KEY) };
  const event = { asset_identifier: `${contractId}::thing`, raw_value, ...holder };
  return { txid, type, committed: true, event_index: 0, [type]: event };
}

export type Form = 'copy' | 'raw';

/** Returns an archive line, including its newline. */
export function line(path: string, payload: unknown, form: Form = 'copy'): string {
  const json = JSON.stringify(payload);
  const timestamp = form === 'copy' ? '2024-01-01 00:00:00.000000+00' : '2024-01-01T00:00:00.000Z';
  return `1\t${timestamp}\t${path}\t${form === 'copy' ? json.replaceAll('\\', '\\\\') : json}\n`;
}

export function blockLine(options: BlockOptions, form: Form = 'copy'): string {
  return line('/new_block', blockJson(options), form);
}

/** Returns the event of a contract that prints `value`. */
export function printEvent(txid: unknown, contractId: string, value: ClarityValue, event_index = 0): Json {
  const contract_event = { contract_identifier: contractId, topic: 'print', raw_value: `0x${Cl.serialize(value)}` };
  return { txid, type: 'contract_event', committed: true, event_index, contract_event };
}

/** Returns a SIP-019 notification: the metadata of this contract's tokens changed. */
export function notificationValue(
  contractId: string,
  fields: Readonly<Record<string, ClarityValue>> = {},
): ClarityValue {
  const payload = { 'token-class': Cl.stringAscii('ft'), 'contract-id': Cl.principal(contractId), ...fields };
  return Cl.tuple({ notification: Cl.stringAscii('token-metadata-update'), payload: Cl.tuple(payload) });
}

/** Returns a transaction, and its event: a contract prints a SIP-019 notification about its own tokens. */
export function notificationOf(contractId: string, nonce: number, mode = 'standard', ttlSeconds?: number) {
  const ttl = ttlSeconds === undefined ? {} : { ttl: Cl.uint(ttlSeconds) };
  const value = notificationValue(contractId, { 'update-mode': Cl.stringAscii(mode), ...ttl });
  const transaction = callJson({ nonce });
  return { transaction, event: printEvent(transaction.txid, contractId, value) };
}
