// Validates SIP-016 locale codes.

/** A locale code that may become a path segment: `en`, `pt-BR`, `zh_Hans_CN`. */
export const LOCALE_PATTERN = /^[A-Za-z0-9]{1,8}([-_][A-Za-z0-9]{1,8}){0,4}$/;

export function isLocale(text: string): boolean {
  return LOCALE_PATTERN.test(text);
}

/** The locale of the document at a token's URI, which does not declare a language. */
export const DEFAULT_LOCALE = '';
