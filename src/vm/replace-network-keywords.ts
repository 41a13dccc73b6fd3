// Replaces the keywords that tell a contract which network it runs on by what they are on mainnet: the VM says that it
// is a test network.
import { type Expression, parseSource } from '#clarity/parse-source.ts';

/** Both are keywords from Clarity 2 on; in Clarity 1 they are ordinary names. */
const FIRST_CLARITY_VERSION = 2;
const MAINNET_VALUES: ReadonlyMap<string, string> = new Map([
  ['is-in-mainnet', 'true'],
  ['chain-id', 'u1'],
]);

/**
 * The source with the keywords replaced where they are values: not in strings or comments, and not where `chain-id` is
 * the key of a tuple, as in `{chain-id: u1}`, `(tuple (chain-id u1))` and `(get chain-id message)`.
 */
export function replaceNetworkKeywords(source: string, clarityVersion: number): string {
  if (clarityVersion < FIRST_CLARITY_VERSION || ![...MAINNET_VALUES.keys()].some((keyword) => source.includes(keyword)))
    return source;
  const edits: { start: number; end: number; text: string }[] = [];
  collectEdits(parseSource(source), source, edits);
  let replaced = '';
  let at = 0;
  for (const edit of edits) {
    replaced += source.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return replaced + source.slice(at);
}

function collectEdits(
  root: readonly Expression[],
  source: string,
  edits: { start: number; end: number; text: string }[],
): void {
  const stack: { items: readonly Expression[]; isList: boolean }[] = [{ items: root, isList: false }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { items, isList } = next;
    for (const [index, item] of items.entries()) {
      if ('items' in item) {
        stack.push({ items: item.items, isList: item.kind === 'list' });
      } else if (item.kind === 'atom') {
        const text = MAINNET_VALUES.get(item.text);
        const previous = items[index - 1];
        const isHead = isList && index === 0;
        const isKey =
          /^\s*:/.test(source.slice(item.end, item.end + 20)) ||
          (previous?.kind === 'atom' && previous.text === 'get' && index === 1);
        if (text !== undefined && !isHead && !isKey) edits.push({ start: item.start, end: item.end, text });
      }
    }
  }
  edits.sort((left, right) => left.start - right.start);
}
