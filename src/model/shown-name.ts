// Replaces token names that users could not see: empty names, and names of blanks or invisible characters.

/** The label of a token with a blank name. The contract's name would be wrong, since it is another name. */
export const UNNAMED = 'Unnamed token';

/**
 * Matches a visible character, which is not white space, a combining mark, or a control, format or ignorable character.
 */
const VISIBLE = /[^\s\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** True if the text has no visible character. */
export function isBlank(text: string | null | undefined): boolean {
  return !VISIBLE.test(text ?? '');
}

/** Returns the name. If it is blank, returns {@link UNNAMED}. */
export function shownName(name: string | null | undefined): string {
  return isBlank(name) ? UNNAMED : (name ?? '');
}

/** Maximum length of a name or a symbol in files that list all tokens, in characters: twice that of SIP-010. */
export const MAX_SHOWN_NAME = 64;

/** Returns the first {@link MAX_SHOWN_NAME} characters of a name. */
export function beginOfName(name: string): string {
  if (name.length <= MAX_SHOWN_NAME) return name;
  return [...name.slice(0, 2 * MAX_SHOWN_NAME)].slice(0, MAX_SHOWN_NAME).join('');
}
