// Reads the id of the token that an event affects, from the value of an asset or from a SIP-013 print.
import { decodeValue, textOf } from '#clarity/decode-value.ts';
import type { TokenEvent } from '#model/chain-event.ts';
import { isFailure } from '#model/failure.ts';

const SFT_MINT = 'sft_mint';
/** The name of the print in hex. A print whose value does not contain it is not decoded. */
export const SFT_MINT_HEX = Buffer.from(SFT_MINT).toString('hex');
/** Matches a serialized uint: its type byte 1 (SIP-005), then 16 bytes. */
const UINT = /^0x01([0-9a-f]{32})$/i;
const NUMBER_FIELD = 'token-id';

/**
 * Returns the token id in an asset's value (hex). The id is a uint; in a tuple, it is the only uint, or the field
 * `token-id`. Returns undefined for any other value.
 */
export function readAssetNumber(rawValue: string): Pick<TokenEvent, 'tokenNumber' | 'isOfOwner'> | undefined {
  const uint = UINT.exec(rawValue)?.[1];
  if (uint !== undefined) return { tokenNumber: BigInt(`0x${uint}`).toString(), isOfOwner: false };
  const value = decodeValue(rawValue);
  if (isFailure(value) || value.type !== 'tuple') return undefined;
  const uints = [...value.value].filter(([, field]) => field.type === 'uint');
  const number = uints.length === 1 ? uints[0]?.[1] : value.value.get(NUMBER_FIELD);
  return number?.type === 'uint' ? { tokenNumber: number.value.toString(), isOfOwner: true } : undefined;
}

/**
 * Returns the token id that a print (hex) reports as minted. The print is a tuple `{type: "sft_mint", token-id: uint,
 * …}` (SIP-013, "Events").
 */
export function readSftMint(rawValue: string): string | undefined {
  if (!rawValue.includes(SFT_MINT_HEX)) return undefined;
  const value = decodeValue(rawValue);
  if (isFailure(value) || value.type !== 'tuple' || textOf(value.value.get('type')) !== SFT_MINT) return undefined;
  const number = value.value.get(NUMBER_FIELD);
  return number?.type === 'uint' ? number.value.toString() : undefined;
}
