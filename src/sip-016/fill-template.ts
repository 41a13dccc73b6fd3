// Fills the placeholders of SIP-016: the token id in URIs and in the values of a document, and the locale in URIs.
import { FUNGIBLE_TOKEN_NUMBER, NO_NUMBER } from '#model/token.ts';

/**
 * Fills `{id}` and `$TOKEN_ID` in any case, but not in the host name: otherwise one collection could cause requests to
 * a million hosts.
 */
export function fillTokenNumber(uri: string, tokenNumber: string): string {
  const host = /^\s*(?:https?:[\s/\\]*|[a-z][a-z0-9+.-]*:\/\/)[^/?#\\]*/i.exec(uri)?.[0] ?? '';
  const number = tokenNumber === NO_NUMBER ? FUNGIBLE_TOKEN_NUMBER : tokenNumber;
  return host + uri.slice(host.length).replace(/\{id\}|\$TOKEN_ID/gi, () => number);
}

/**
 * Fills `{id}` in each string of a JSON value, but not in keys. Recurses, so the depth of the value must be limited.
 */
export function fillValues<Value>(value: Value, tokenNumber: string): Value {
  const fill = (part: unknown): unknown => {
    if (typeof part === 'string') return part.replaceAll('{id}', tokenNumber);
    if (Array.isArray(part)) return part.map(fill);
    if (typeof part !== 'object' || part === null) return part;
    // fromEntries defines own properties, so a key `__proto__` stays an ordinary key.
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
