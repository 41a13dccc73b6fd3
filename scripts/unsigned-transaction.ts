// Makes unsigned transactions for chains of any size. An index reads the bytes of a transaction, but does not check
// signatures.
import { hash } from 'node:crypto';
import { c32addressDecode } from 'c32check';

const SINGLE_SIG_VERSION = 22;
const SINGLE_SIG = 0x00;
const MULTI_SIG = 0x01;
const ALLOW_MORE = 1;
const DENY_MORE = 2;

/** Returns a successful transaction on mainnet, the first of its block, in the form that an event observer stores. */
export function unsignedTransaction(originAddress: string, payload: Buffer, postConditions: readonly Buffer[] = []) {
  const [version, hash160] = decodedAddress(originAddress);
  const isSingle = version === SINGLE_SIG_VERSION;
  const raw = Buffer.concat([
    // The version, chain id 1, standard authorization, and the hash mode.
    Buffer.from([0, 0, 0, 0, 1, 4, isSingle ? SINGLE_SIG : MULTI_SIG]),
    hash160,
    // The nonce and the fee.
    Buffer.alloc(16),
    // The key encoding and the signature; for multiple signers, zero fields and zero required signatures.
    isSingle ? Buffer.alloc(66) : Buffer.alloc(6),
    // The anchor mode and the post-condition mode.
    Buffer.from([3, postConditions.length === 0 ? ALLOW_MORE : DENY_MORE]),
    u32(postConditions.length),
    ...postConditions,
    payload,
  ]);
  return {
    txid: `0x${hash('sha512-256', raw)}`,
    raw_tx: `0x${raw.toString('hex')}`,
    status: 'success',
    tx_index: 0,
    raw_result: '0x0703',
    contract_interface: null as unknown,
  };
}

export function u32(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
}

/** Encodes a text of at most 255 bytes with its length before it. */
export function shortText(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

/** Encodes the payload of a call with serialized arguments. */
export function callPayload(contractId: string, functionName: string, ...args: readonly Buffer[]): Buffer {
  const [address = '', name = ''] = contractId.split('.');
  const called = [addressBytes(address), shortText(name), shortText(functionName)];
  return Buffer.concat([Buffer.from([2]), ...called, u32(args.length), ...args]);
}

/** Encodes an address as its version and hash160. */
export function addressBytes(address: string): Buffer {
  const [version, hash160] = decodedAddress(address);
  return Buffer.concat([Buffer.from([version]), hash160]);
}

const decoded = new Map<string, [number, Buffer]>();

/** Caches decoded addresses, because decoding is the slowest step and addresses repeat. */
function decodedAddress(address: string): [version: number, hash160: Buffer] {
  let parts = decoded.get(address);
  if (parts === undefined) {
    const [version, hash160] = c32addressDecode(address);
    parts = [version, Buffer.from(hash160, 'hex')];
    decoded.set(address, parts);
  }
  return parts;
}
