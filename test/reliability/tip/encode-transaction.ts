// Encodes the transactions of a program as a node does, but without signatures, since no code checks them.
import { createHash } from 'node:crypto';
import {
  AddressHashMode,
  type ClarityValue,
  type ClarityVersion,
  createContractCallPayload,
  createMessageSignature,
  createSmartContractPayload,
  createSponsoredAuth,
  createStandardAuth,
  createTenureChangePayload,
  type PayloadInput,
  PostConditionMode,
  PubKeyEncoding,
  StacksTransactionWire,
  TenureChangeCause,
} from '@stacks/transactions';
import { c32address, c32addressDecode } from 'c32check';

export type Network = 'mainnet' | 'testnet' | 'other';
export const OTHER_CHAIN_ID = 0x8000_0005;
const CHAINS = {
  mainnet: { chainId: 1, transactionVersion: 0x00, addressVersion: 22 },
  testnet: { chainId: 0x8000_0000, transactionVersion: 0x80, addressVersion: 26 },
  other: { chainId: OTHER_CHAIN_ID, transactionVersion: 0x80, addressVersion: 26 },
};
const NO_SIGNATURE = createMessageSignature('00'.repeat(65));

export interface Encoded {
  readonly txid: string;
  readonly raw_tx: string;
}

/** The name of the account that deployed the boot contracts. Every chain contains them from its first block. */
export const BOOT = 'boot';
const addresses = new Map<string, string>();

export function accountAddress(name: string, network: Network): string {
  if (name.endsWith(` ${BOOT}`)) return c32address(CHAINS[network].addressVersion, '00'.repeat(20));
  const key = `${network} ${name}`;
  const hash160 = () => createHash('ripemd160').update(name).digest('hex');
  const address = addresses.get(key) ?? c32address(CHAINS[network].addressVersion, hash160());
  addresses.set(key, address);
  return address;
}

interface Origin {
  readonly network: Network;
  readonly address: string;
  readonly sponsor?: string | undefined;
  readonly nonce: number;
}

export function encodeDeploy(origin: Origin, name: string, source: string, clarityVersion?: number): Encoded {
  return encode(origin, createSmartContractPayload(name, source, clarityVersion as ClarityVersion));
}

export function encodeCall(origin: Origin, contractId: string, name: string, args: readonly ClarityValue[]): Encoded {
  const [address = '', contractName = ''] = contractId.split('.');
  return encode(origin, createContractCallPayload(address, contractName, name, [...args]));
}

/**
 * Encodes a transaction that begins or extends a tenure. Its consensus hashes are made of the burn heights `tenure` and
 * `view`.
 */
export function encodeTenureChange(network: Network, tenure: number, view: number): Encoded {
  const consensusHash = (height: number) => height.toString(16).padStart(40, '0');
  const cause = tenure === view ? TenureChangeCause.BlockFound : TenureChangeCause.Extended;
  const payload = createTenureChangePayload(
    consensusHash(tenure),
    consensusHash(0),
    consensusHash(view),
    '00'.repeat(32),
    1,
    cause,
    '00'.repeat(20),
  );
  return encode({ network, address: accountAddress('miner', network), nonce: view }, payload);
}

function encode({ network, address, sponsor, nonce }: Origin, payload: PayloadInput): Encoded {
  const condition = conditionOf(address, nonce);
  const auth =
    sponsor === undefined ? createStandardAuth(condition) : createSponsoredAuth(condition, conditionOf(sponsor, nonce));
  const { chainId, transactionVersion } = CHAINS[network];
  const postConditionMode = PostConditionMode.Allow;
  const wire = new StacksTransactionWire({ auth, payload, chainId, transactionVersion, postConditionMode });
  return { txid: `0x${wire.txid()}`, raw_tx: `0x${wire.serialize()}` };
}

function conditionOf(address: string, nonce: number) {
  return {
    hashMode: AddressHashMode.P2PKH,
    signer: c32addressDecode(address)[1],
    nonce: BigInt(nonce),
    fee: 0n,
    keyEncoding: PubKeyEncoding.Compressed,
    signature: NO_SIGNATURE,
  } as const;
}
