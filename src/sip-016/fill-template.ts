// Fills the placeholders of a SIP-016 URI: token number and locale.
import { FUNGIBLE_TOKEN_NUMBER, NO_NUMBER } from '#model/token.ts';

/**
 * Replaces `{id}` and `$TOKEN_ID` in any case by the token's number, or by what stands for that of a fungible token; not
 * in the name of a host, for then a collection could ask a million hosts.
 */
export function fillTokenNumber(uri: string, tokenNumber: string): string {
  const host = /^\s*[a-z][a-z0-9+.-]*:\/\/[^/?#\\]*/i.exec(uri)?.[0] ?? '';
  const number = tokenNumber === NO_NUMBER ? FUNGIBLE_TOKEN_NUMBER : tokenNumber;
  return host + uri.slice(host.length).replace(/\{id\}|\$TOKEN_ID/gi, () => number);
}

/** Replaces `{locale}` in any case. */
export function fillLocale(uri: string, locale: string): string {
  return uri.replace(/\{locale\}/gi, () => locale);
}

export function hasLocalePlaceholder(uri: string): boolean {
  return /\{locale\}/i.test(uri);
}
