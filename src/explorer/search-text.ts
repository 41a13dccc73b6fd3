// Reads the text of the search box: a name, an address, or an id in any form that people copy.

export interface SearchText {
  /** A name or a contract id, or the beginning of one. */
  readonly text: string;
  /** The number of an item after a contract id. */
  readonly number?: string;
}

/** Matches an address in upper case. */
const ADDRESS = /^S[MNPT][0-9A-HJKMNP-TV-Z]{26,39}$/;

/** Matches `'SP….name`, `SP….name.trait`, `SP….name::asset` and `SP….name/7`, with an address in any case. */
const ID =
  /^(S[MNPT][0-9A-HJKMNP-TV-Z]{26,39})\.([a-z][\w-]{0,39})(?:\.[\w-]*)?(?:::?[^/]*)?(?:\/(0|[1-9]\d{0,38})?)?$/i;

export function readSearchText(typed: string): SearchText {
  const text = typed.trim().replace(/^'(?=S)/, '');
  const [, address = '', name, number] = ID.exec(text) ?? [];
  if (name === undefined) return { text };
  return { text: `${address.toUpperCase()}.${name}`, ...(number === undefined ? {} : { number }) };
}

/** Returns undefined for a text that is not a complete address. */
export function readAddress(text: string): string | undefined {
  return ADDRESS.test(text.toUpperCase()) ? text.toUpperCase() : undefined;
}

/** True for a transaction id, or the beginning of one. */
export function isTransactionId(text: string): boolean {
  return /^(?:0x[0-9a-f]{4,64}|[0-9a-f]{64})$/i.test(text);
}
