// Reads what was typed into the search box: names as they are, ids in each form in which people have them.

export interface Asked {
  /** A name, or a contract id, or how one begins. */
  readonly text: string;
  readonly number?: string;
}

/** An address, in upper case. */
const ADDRESS = /^S[MNPT][0-9A-HJKMNP-TV-Z]{26,39}$/;

/** `'SP….name`, `SP….name.trait`, `SP….name::asset` and `SP….name/7`; an address in any case. */
const ID =
  /^(S[MNPT][0-9A-HJKMNP-TV-Z]{26,39})\.([a-z][\w-]{0,39})(?:\.[\w-]*)?(?:::?[^/]*)?(?:\/(0|[1-9]\d{0,38})?)?$/i;

export function readSearchText(typed: string): Asked {
  const text = typed.trim().replace(/^'(?=S)/, '');
  const [, address = '', name, number] = ID.exec(text) ?? [];
  if (name === undefined) return { text };
  return { text: `${address.toUpperCase()}.${name}`, ...(number === undefined ? {} : { number }) };
}

/** Undefined for what is no whole address. */
export function readAddress(text: string): string | undefined {
  return ADDRESS.test(text.toUpperCase()) ? text.toUpperCase() : undefined;
}

/** True for the id of a transaction, whole or as far as it was typed. */
export function isTransactionId(text: string): boolean {
  return /^(?:0x[0-9a-f]{4,64}|[0-9a-f]{64})$/i.test(text);
}
