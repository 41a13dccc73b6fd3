// Compares names with a typed text: how well each name matches.
import { foldName, wordsOf } from '#layout/fold-names.ts';

/** How well a name matches: the entire name, its beginning, the beginning of a word, a part, or only its words. */
export const [WHOLE, BEGIN, WORD, PART, WORDS] = [0, 1, 2, 3, 4] as const;

/** Shorter texts are parts of too many names if their hyphens are ignored. */
const MIN_JOINED = 4;
/** Shorter words are parts of too many others, so they must begin a word. */
const MIN_PART = 3;

/**
 * Returns a function that ranks a folded name, {@link WHOLE} best; undefined if it does not match the text, or if the
 * text is empty. A name also matches if it has all words of the text in any order, or the text between its hyphens.
 */
export function matcherOf(typed: string): (folded: string) => number | undefined {
  const text = foldName(typed);
  if (text === '') return () => undefined;
  const words = wordsOf(text);
  const parts = words.map((word) => (word.length < MIN_PART ? `-${word}` : word));
  const isJoined = words.length === 1 && words[0] === text && text.length >= MIN_JOINED;
  return (name) => {
    const at = name.indexOf(text);
    if (at === 0) return name.length === text.length ? WHOLE : BEGIN;
    if (at > 0) return name[at - 1] === '-' || name.includes(`-${text}`) ? WORD : PART;
    if (parts.length > 1) return parts.every((part) => `-${name}`.includes(part)) ? WORDS : undefined;
    return isJoined && name.replaceAll('-', '').includes(text) ? WORDS : undefined;
  };
}
