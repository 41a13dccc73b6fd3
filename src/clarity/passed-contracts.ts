// Finds the contracts among the arguments of a call.
import { isContractId } from '#model/principal.ts';
import { ByteReader, DecodeError } from './byte-reader.ts';
import { type ClarityValue, readValue } from './decode-value.ts';

/** The type byte of a contract in SIP-005. After it come version, hash160, length of the name, and name. */
const CONTRACT = 0x06;
/** Versions of contract addresses: single-sig and multi-sig, on mainnet and on testnet. */
const VERSIONS: ReadonlySet<number> = new Set([20, 21, 22, 26]);
const PRINCIPAL_BYTES = 21;
/** The maximum number of contracts in a key. Calls on mainnet pass a few dozen at most. */
const MAX_CONTRACTS = 1_000;

/**
 * Returns a key for the contracts in arguments: hex, from the version of each on. Some bytes may only look like a
 * contract. Returns undefined for more than {@link MAX_CONTRACTS}, and an empty string for none.
 */
export function passedKey(args: Buffer): string | undefined {
  const keys: string[] = [];
  for (let at = args.indexOf(CONTRACT); at !== -1; at = args.indexOf(CONTRACT, at + 1)) {
    const name = at + 1 + PRINCIPAL_BYTES;
    const end = name + 1 + (args[name] ?? 0);
    if (VERSIONS.has(args[at + 1] ?? 0) && end <= args.length) keys.push(args.toString('hex', at + 1, end));
    if (keys.length > MAX_CONTRACTS) return undefined;
  }
  return keys.join(' ');
}

/** Returns the ids of the contracts in arguments, at any depth. `args` is encoded as in the transaction. */
export function passedContracts(args: Uint8Array): string[] {
  const found = new Set<string>();
  try {
    const reader = new ByteReader(args);
    const open: ClarityValue[] = [];
    for (let left = reader.u32(); left > 0; left--) open.push(readValue(reader));
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next.type === 'principal') {
        if (isContractId(next.value)) found.add(next.value);
      } else if (next.type === 'list') for (const item of next.value) open.push(item);
      else if (next.type === 'tuple') for (const member of next.value.values()) open.push(member);
      else if (next.type === 'ok' || next.type === 'err' || next.type === 'some') open.push(next.value);
    }
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
  }
  return [...found];
}
