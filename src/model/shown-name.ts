// Replaces token names that are not visible: empty ones, and ones of blanks or invisible characters.

/** The label of a token whose name is blank. The contract's name is not used, since it is a different name. */
export const UNNAMED = 'Unnamed token';

/**
 * Matches a visible character: all except white space, control, format and ignorable characters, and combining marks.
 */
const VISIBLE = /[^\s\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** True if the text has no visible character. */
export function isBlank(text: string | null | undefined): boolean {
  return !VISIBLE.test(text ?? '');
}

/** Returns the name, or {@link UNNAMED} for a blank name. */
export function shownName(name: string | null | undefined): string {
  return isBlank(name) ? UNNAMED : (name ?? '');
}
