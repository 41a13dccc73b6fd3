// Encodes the transactions of a program as a node sends them; nobody signed them, since nobody checks signatures.
import { createHash } from 'node:crypto';
import { Cl, type ClarityValue } from '@stacks/transactions';
import { c32address, c32addressDecode } from 'c32check';

export type Network = 'mainnet' | 'testnet';
export const CHAIN_IDS: Readonly<Record<Network, number>> = { mainnet: 1, testnet: 0x8000_0000 };
const TRANSACTION_VERSIONS: Readonly<Record<Network, number>> = { mainnet: 0x00, testnet: 0x80 };
const ADDRESS_VERSIONS: Readonly<Record<Network, number>> = { mainnet: 22, testnet: 26 };
const STANDARD = 0x04;
const SPONSORED = 0x05;
const CALL = 0x02;
const VERSIONED_DEPLOY = 0x06;

export interface Encoded {
  readonly txid: string;
  readonly raw_tx: string;
}

const addresses = new Map<string, string>();

export function accountAddress(name: string, network: Network): string {
  const key = `${network} ${name}`;
  const hash160 = () => createHash('ripemd160').update(name).digest('hex');
  const address = addresses.get(key) ?? c32address(ADDRESS_VERSIONS[network], hash160());
  addresses.set(key, address);
  return address;
}

export interface Origin {
  readonly network: Network;
  readonly address: string;
  readonly sponsor?: string | undefined;
  readonly nonce: number;
}

export function encodeDeploy(origin: Origin, name: string, source: string, clarityVersion: number): Encoded {
  const code = Buffer.from(source);
  return encode(
    origin,
    Buffer.concat([Buffer.from([VERSIONED_DEPLOY, clarityVersion]), shortText(name), u32(code.length), code]),
  );
}

export function encodeCall(origin: Origin, contractId: string, name: string, args: readonly ClarityValue[]): Encoded {
  const [address = '', contractName = ''] = contractId.split('.');
  const [version, hash160] = c32addressDecode(address);
  const parts = [
    Buffer.from([CALL, version]),
    Buffer.from(hash160, 'hex'),
    shortText(contractName),
    shortText(name),
    u32(args.length),
    ...args.map((arg) => Buffer.from(Cl.serialize(arg), 'hex')),
  ];
  return encode(origin, Buffer.concat(parts));
}

function encode({ network, address, sponsor, nonce }: Origin, payload: Buffer): Encoded {
  const raw = Buffer.concat([
    Buffer.from([TRANSACTION_VERSIONS[network]]),
    u32(CHAIN_IDS[network]),
    Buffer.from([sponsor === undefined ? STANDARD : SPONSORED]),
    spendingCondition(address, nonce),
    sponsor === undefined ? Buffer.alloc(0) : spendingCondition(sponsor, nonce),
    // Any anchor mode, post-conditions that allow all, none of them.
    Buffer.from([3, 1]),
    u32(0),
    payload,
  ]);
  return { txid: `0x${createHash('sha512-256').update(raw).digest('hex')}`, raw_tx: `0x${raw.toString('hex')}` };
}

/** Of one key: hash mode, hash, nonce and fee, key encoding and signature. */
function spendingCondition(address: string, nonce: number): Buffer {
  const nonceAndFee = Buffer.alloc(16);
  nonceAndFee.writeBigUInt64BE(BigInt(nonce));
  return Buffer.concat([
    Buffer.from([0]),
    Buffer.from(c32addressDecode(address)[1], 'hex'),
    nonceAndFee,
    Buffer.alloc(66),
  ]);
}

function u32(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
}

function shortText(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}
