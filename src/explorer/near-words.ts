// Finds other spellings of a word among the words of all names.
import { foldName, wordsOf } from '#layout/fold-names.ts';

const MAX_WORDS = 5;
/** The minimum length of words that may differ in one letter, and in two. */
const [ONE_LETTER, TWO_LETTERS] = [4, 7];

/** Returns at most five words that differ from a typed word in few letters: nearest first, then the most frequent. */
export function nearWords(names: Iterable<string>, typed: string): string[] {
  const word = foldName(typed);
  // Each number is near to many others.
  const limit = !/\p{L}/u.test(word) ? 0 : word.length >= TWO_LETTERS ? 2 : word.length >= ONE_LETTER ? 1 : 0;
  const counts = new Map<string, number>();
  for (const name of limit === 0 ? [] : names)
    for (const other of wordsOf(foldName(name)))
      if (Math.abs(other.length - word.length) <= limit) counts.set(other, (counts.get(other) ?? 0) + 1);
  return [...counts]
    .map(([other, count]) => ({ other, count, distance: distanceOf(word, other) }))
    .filter(({ distance }) => distance > 0 && distance <= limit)
    .sort((left, right) => left.distance - right.distance || right.count - left.count)
    .slice(0, MAX_WORDS)
    .map(({ other }) => other);
}

/** Counts the letters to add, to remove, to replace, or to swap with the next one (optimal string alignment). */
function distanceOf(left: string, right: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: right.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const isEqual = left[row - 1] === right[column - 1];
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isEqual ? 0 : 1),
        isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last[right.length] ?? 0;
}
