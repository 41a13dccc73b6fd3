// Folds names for the search files: the same rules for the writer of these files and for readers who type a text.

/**
 * Returns the key of a contract's name in the search files: in lower case. Also folds the beginning of a name as people
 * type it, with a space for a hyphen.
 */
export function nameKey(name: string): string {
  return name.toLowerCase().replaceAll(/\s+/g, '-');
}

/** Matches most names of contracts in lower case, which saves half the time of a search. */
const FOLDED = /^[a-z\d]+(?:-[a-z\d]+)*$/;

/**
 * Returns the same text for names that people type alike: ignores case, the form of characters in Unicode, apostrophes,
 * and the difference between spaces, hyphens and underscores, which all become one hyphen.
 */
export function foldName(text: string): string {
  if (FOLDED.test(text)) return text;
  const plain = text.normalize('NFKC').trim().replaceAll(/['’]/g, '');
  return nameKey(plain).replaceAll(/[_-]+/g, '-');
}

/** Returns the words of a folded name. */
export function wordsOf(folded: string): string[] {
  return folded.split('-').filter((word) => word !== '');
}
