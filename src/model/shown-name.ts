// Replaces the name of a token that readers cannot see: an empty one, or one of blanks and invisible characters.

/** The label of a token whose name is blank. A contract's name is not its token's name. */
export const UNNAMED = 'Unnamed token';

/** White space, control and format characters, ignorable ones such as fillers, and marks without a letter. */
const VISIBLE = /[^\s\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** True if readers see nothing of the text. */
export function isBlank(text: string | null | undefined): boolean {
  return !VISIBLE.test(text ?? '');
}

export function shownName(name: string | null | undefined): string {
  return isBlank(name) ? UNNAMED : (name ?? '');
}
