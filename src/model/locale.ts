// Validates SIP-016 locale codes.

/** A locale code that can be used as part of a path: `en`, `pt-BR`, `zh_Hans_CN`. */
export const LOCALE_PATTERN = /^[A-Za-z0-9]{1,8}([-_][A-Za-z0-9]{1,8}){0,4}$/;

export function isLocale(text: string): boolean {
  return LOCALE_PATTERN.test(text);
}

/** The locale that stands for the document at a token's URI, whose language is not declared. */
export const DEFAULT_LOCALE = '';
