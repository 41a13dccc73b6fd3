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
