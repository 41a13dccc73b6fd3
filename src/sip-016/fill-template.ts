// Fills the placeholders of a SIP-016 URI: token number and locale.
import { FUNGIBLE_TOKEN_NUMBER, NO_NUMBER } from '#model/token.ts';

/** Replaces `{id}` and `$TOKEN_ID` in any case by the token's number, or by what stands for that of a fungible token. */
export function fillTokenNumber(uri: string, tokenNumber: string): string {
  return uri.replace(/\{id\}|\$TOKEN_ID/gi, () => (tokenNumber === NO_NUMBER ? FUNGIBLE_TOKEN_NUMBER : tokenNumber));
}

/** Replaces `{locale}` in any case. */
export function fillLocale(uri: string, locale: string): string {
  return uri.replace(/\{locale\}/gi, () => locale);
}

export function hasLocalePlaceholder(uri: string): boolean {
  return /\{locale\}/i.test(uri);
}
