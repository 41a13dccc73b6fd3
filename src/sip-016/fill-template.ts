// Fills the placeholders of a SIP-016 URI: token id and locale.
import { FUNGIBLE_TOKEN_NUMBER, NO_NUMBER } from '#model/token.ts';

/** `{id}` and `$TOKEN_ID` in any case, but not in host names: a collection could send requests to a million hosts. */
export function fillTokenNumber(uri: string, tokenNumber: string): string {
  const host = /^\s*(?:https?:[\s/\\]*|[a-z][a-z0-9+.-]*:\/\/)[^/?#\\]*/i.exec(uri)?.[0] ?? '';
  const number = tokenNumber === NO_NUMBER ? FUNGIBLE_TOKEN_NUMBER : tokenNumber;
  return host + uri.slice(host.length).replace(/\{id\}|\$TOKEN_ID/gi, () => number);
}

export function fillLocale(uri: string, locale: string): string {
  return uri.replace(/\{locale\}/gi, () => locale);
}

export function hasLocalePlaceholder(uri: string): boolean {
  return /\{locale\}/i.test(uri);
}
