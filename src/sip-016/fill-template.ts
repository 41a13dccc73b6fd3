// Fills the placeholders of SIP-016. The token id goes into URIs and the values of a document, and the locale into
// URIs.
import { FUNGIBLE_TOKEN_NUMBER, NO_NUMBER } from '#model/token.ts';

/**
 * Replaces `{id}` and `$TOKEN_ID` in a URI, in upper or lower case. Leaves the host name unchanged: one collection
 * could otherwise cause requests to a million hosts.
 */
export function fillTokenNumber(uri: string, tokenNumber: string): string {
  const host = /^\s*(?:https?:[\s/\\]*|[a-z][a-z0-9+.-]*:\/\/)[^/?#\\]*/i.exec(uri)?.[0] ?? '';
  const number = tokenNumber === NO_NUMBER ? FUNGIBLE_TOKEN_NUMBER : tokenNumber;
  return host + uri.slice(host.length).replace(/\{id\}|\$TOKEN_ID/gi, () => number);
}

/**
 * Replaces `{id}` in each string of a JSON value, but not in keys. The depth of the value must be limited, since this
 * function is recursive.
 */
export function fillValues<Value>(value: Value, tokenNumber: string): Value {
  const fill = (part: unknown): unknown => {
    if (typeof part === 'string') return part.replaceAll('{id}', tokenNumber);
    if (Array.isArray(part)) return part.map(fill);
    if (typeof part !== 'object' || part === null) return part;
    // With `fromEntries`, the key `__proto__` is an ordinary key.
    return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, fill(item)]));
  };
  return fill(value) as Value;
}

export function fillLocale(uri: string, locale: string): string {
  return uri.replace(/\{locale\}/gi, () => locale);
}

export function hasLocalePlaceholder(uri: string): boolean {
  return /\{locale\}/i.test(uri);
}
