// Writes transactions, blocks and event archives in the form that an event observer stores. Transactions are unsigned,
// since an index does not check signatures.
import { hash } from 'node:crypto';
import { Cl, type ClarityValue } from '@stacks/transactions';
import { c32address, c32addressDecode } from 'c32check';

export type Json = Record<string, unknown>;
/** A transaction in the form that an event observer stores. */
export type Transaction = Json & { readonly txid: string };

/** Two accounts on mainnet. Transactions are from the first by default. */
export const ADDRESS = 'SP3Y74M5227FDVHREWPH773F5Y1W1ED8WXY3RAVG4';
export const OTHER_ADDRESS = 'SP19H4R5A58CSW8MCADYZMGP85FN2RZ0Z9Q7AQ9Y1';

const MAINNET = 1;
const SINGLE_SIG_VERSIONS: ReadonlySet<number> = new Set([22, 26]);

/** Returns the address of the account {@link ADDRESS} on the network of this chain. */
export function addressOn(chainId: number): string {
  return chainId === MAINNET ? ADDRESS : c32address(26, c32addressDecode(ADDRESS)[1]);
}

/** Returns the id of a contract that {@link ADDRESS} deploys. */
export const idOf = (name: string) => `${ADDRESS}.${name}`;

/** Returns the SHA-256 digest of a label, in hex with the prefix 0x. */
export function hashOf(label: string | number): string {
  return `0x${hash('sha256', String(label))}`;
}

export interface TransactionOptions {
  /** The address of the sender. */
  readonly by?: string;
  readonly sponsor?: string | undefined;
  /** The chain id, which selects the network of addresses: mainnet for 1, otherwise a test network. */
  readonly chainId?: number;
  readonly nonce?: number | bigint;
  readonly fee?: number;
  readonly postConditions?: readonly Buffer[];
}

/** Encodes a transaction. */
export function encode(
  payload: Uint8Array,
  { by, sponsor, chainId = MAINNET, nonce = 0, fee = 0, postConditions = [] }: TransactionOptions = {},
) {
  const paid = [u64(nonce), u64(fee)];
  const raw = Buffer.concat([
    Buffer.from([chainId === MAINNET ? 0x00 : 0x80]),
    u32(chainId),
    Buffer.from([sponsor === undefined ? 4 : 5]),
    ...spendingCondition(by ?? addressOn(chainId), paid),
    ...(sponsor === undefined ? [] : spendingCondition(sponsor, paid)),
    // Any anchor mode, and the mode that denies transfers without post-conditions.
    Buffer.from([3, 2]),
    u32(postConditions.length),
    ...postConditions,
    payload,
  ]);
  return encoded(raw);
}

export type Encoded = ReturnType<typeof encode>;

export function encoded(raw: Uint8Array) {
  return { txid: `0x${hash('sha512-256', raw)}`, raw_tx: `0x${Buffer.from(raw).toString('hex')}` };
}

function spendingCondition(address: string, paid: readonly Buffer[]): Buffer[] {
  const [version = 0, ...hash160] = addressBytes(address);
  const isSingle = SINGLE_SIG_VERSIONS.has(version);
  // The key encoding and the signature; for multiple signers, zero fields and zero required signatures.
  return [Buffer.from([isSingle ? 0 : 1, ...hash160]), ...paid, Buffer.alloc(isSingle ? 66 : 6)];
}

export function u32(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
}

function u64(number: number | bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(number));
  return bytes;
}

/** Encodes a text of at most 255 bytes with its length before it. */
export function shortText(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

/** Caches encoded addresses, because decoding is the slowest step and addresses repeat. */
const addresses = new Map<string, Buffer>();

/** Encodes an address as its version and hash160. */
export function addressBytes(address: string): Buffer {
  const known = addresses.get(address);
  if (known !== undefined) return known;
  const [version, hash160] = c32addressDecode(address);
  const bytes = Buffer.from([version, ...Buffer.from(hash160, 'hex')]);
  addresses.set(address, bytes);
  return bytes;
}

/** Encodes the payload of a deploy. `clarityVersion` is undefined for a deploy without a version. */
export function deployPayload(name: string, source: string, clarityVersion?: number): Buffer {
  const type = clarityVersion === undefined ? [1] : [6, clarityVersion];
  const code = Buffer.from(source);
  return Buffer.concat([Buffer.from(type), shortText(name), u32(code.length), code]);
}

/** Encodes the payload of a call with serialized arguments. */
export function callPayload(contractId: string, functionName: string, ...args: readonly Buffer[]): Buffer {
  const [address = '', name = ''] = contractId.split('.');
  const called = [addressBytes(address), shortText(name), shortText(functionName)];
  return Buffer.concat([Buffer.from([2]), ...called, u32(args.length), ...args]);
}

export const valueBytes = (value: ClarityValue): Buffer => Buffer.from(Cl.serialize(value), 'hex');

/** Returns a successful transaction. `fields` replaces some of its members. */
export function transactionJson(payload: Uint8Array, options: TransactionOptions = {}, fields: Json = {}): Transaction {
  return {
    ...encode(payload, options),
    status: 'success',
    tx_index: 0,
    raw_result: '0x0703',
    burnchain_op: null,
    contract_interface: null,
    ...fields,
  };
}

export interface DeployOptions extends TransactionOptions {
  readonly interface?: unknown;
  readonly clarityVersion?: number;
  readonly status?: string;
}

/** Returns a deploy. `contract` is a name, or the id of a contract whose address is the sender. */
export function deployJson(contract: string, source: string, options: DeployOptions = {}): Transaction {
  const [, by, name = contract] = /^(S[0-9A-Z]{27,})\.(.*)$/.exec(contract) ?? [];
  const payload = deployPayload(name, source, options.clarityVersion);
  const origin = by === undefined ? options : { ...options, by };
  const { status = 'success', interface: contract_interface = null } = options;
  return transactionJson(payload, origin, { status, contract_interface });
}

/** Returns the deploy of a boot contract in the genesis block of a chain. Its chain id is 0. */
export function bootJson(name: string, source: string, chainId: number): Transaction {
  const deploy = deployJson(name, source, { chainId });
  const raw = Buffer.from(String(deploy.raw_tx).slice(2), 'hex');
  return { ...deploy, ...encoded(raw.fill(0, 1, 5)) };
}

/** Returns a call of a contract that does not exist. */
export function callJson(options: TransactionOptions = {}): Transaction {
  const contractId = `${options.by ?? addressOn(options.chainId ?? MAINNET)}.any`;
  return transactionJson(callPayload(contractId, 'call', valueBytes(Cl.uint(1))), options);
}

export interface CallOptions {
  /** The name of the contract, which {@link ADDRESS} deployed. */
  readonly on?: string;
  readonly by?: string;
  readonly result?: ClarityValue;
  readonly status?: string;
}

let nonce = 100;

/** Returns a call of a function, with a new nonce. */
export function call(
  functionName: string,
  args: readonly ClarityValue[],
  { on = 'token', by = ADDRESS, result = Cl.ok(Cl.bool(true)), status = 'success' }: CallOptions = {},
): Transaction {
  const payload = callPayload(idOf(on), functionName, ...args.map(valueBytes));
  return transactionJson(payload, { by, nonce: nonce++ }, { status, raw_result: `0x${Cl.serialize(result)}` });
}

export interface BlockOptions {
  /** The label of the block, by default its height. The hash of the block is {@link hashOf} of the label. */
  readonly id?: string | number;
  /** The label of the parent, by default the height below. */
  readonly parent?: string | number;
  readonly height: number;
  readonly burnHeight?: number;
  /** The time of the burn block, in seconds since the epoch. */
  readonly burnTime?: number;
  readonly transactions?: readonly Json[];
  readonly events?: readonly Json[];
  /** More members of the block, or replacements of its hashes. */
  readonly fields?: Json;
}

export function blockJson({
  height,
  id = height,
  parent = height - 1,
  burnHeight = 800_000,
  burnTime,
  transactions = [],
  events = [],
  fields,
}: BlockOptions): Json {
  return {
    block_hash: hashOf(`block ${id}`),
    block_height: height,
    index_block_hash: hashOf(id),
    parent_index_block_hash: hashOf(parent),
    ...fields,
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
  const holder = { [kind === 'mint' ? 'recipient' : 'sender']: ADDRESS };
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

/**
 * Returns an archive line with a block, whose parent is the block at the height below. Blocks from height `forkedAt` on
 * belong to a fork.
 */
export function lineAt(
  height: number,
  transactions: readonly Json[],
  { forkedAt = Number.POSITIVE_INFINITY, events = [] as readonly Json[] } = {},
): string {
  const labelAt = (at: number) => (at >= forkedAt ? `${at} of the fork` : at);
  const labels = { id: labelAt(height), parent: labelAt(height - 1), height };
  const burn = { burnHeight: 800_000 + height, burnTime: 1_700_000_000 + 600 * height };
  return blockLine({ ...labels, ...burn, transactions, events }, 'raw');
}
