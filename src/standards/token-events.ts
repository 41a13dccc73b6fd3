// Reads which token of a collection an event is about: of an asset with numbers, or of a print of SIP-013.
import { type ClarityValue, decodeValue } from '#clarity/decode-value.ts';
import { isFailure } from '#model/failure.ts';

const SFT_MINT = 'sft_mint';
/** A print whose bytes lack it mints no semi-fungible tokens, and need not be decoded. */
export const SFT_MINT_HEX = Buffer.from(SFT_MINT).toString('hex');
/** A serialized uint: type 1 of SIP-005, and 16 bytes. */
const UINT = /^0x01([0-9a-f]{32})$/i;
const NUMBER_FIELD = 'token-id';

export interface AssetNumber {
  /** Decimal text. */
  readonly tokenNumber: string;
  /** Whether each owner has an asset of the number, as semi-fungible tokens do: to burn one does not end the token. */
  readonly isOfOwner: boolean;
}

/** Of an asset's value (hex): a uint, or a tuple with a `token-id` or only one uint; undefined for anything else. */
export function readAssetNumber(rawValue: string): AssetNumber | undefined {
  const uint = UINT.exec(rawValue)?.[1];
  if (uint !== undefined) return { tokenNumber: BigInt(`0x${uint}`).toString(), isOfOwner: false };
  const value = decodeValue(rawValue);
  if (isFailure(value) || value.type !== 'tuple') return undefined;
  const uints = [...value.value].filter(([, field]) => field.type === 'uint');
  const number = uints.length === 1 ? uints[0]?.[1] : value.value.get(NUMBER_FIELD);
  return number?.type === 'uint' ? { tokenNumber: number.value.toString(), isOfOwner: true } : undefined;
}

/** The number that a print (hex) says was minted: SIP-013, "Events", `{type: "sft_mint", token-id: uint, …}`. */
export function readSftMint(rawValue: string): string | undefined {
  if (!rawValue.includes(SFT_MINT_HEX)) return undefined;
  const value = decodeValue(rawValue);
  if (isFailure(value) || value.type !== 'tuple' || textOf(value.value.get('type')) !== SFT_MINT) return undefined;
  const number = value.value.get(NUMBER_FIELD);
  return number?.type === 'uint' ? number.value.toString() : undefined;
}

function textOf(value: ClarityValue | undefined): string | undefined {
  return value?.type === 'string-ascii' || value?.type === 'string-utf8' ? value.value : undefined;
}
