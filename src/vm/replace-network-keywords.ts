// Replaces the keywords that tell a contract which network it runs on by what they are on mainnet: the VM says that it
// is a test network.
import { type Expression, parseSource, type Token } from '#clarity/parse-source.ts';

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
  let replaced = '';
  let at = 0;
  for (const { text, start, end } of keywordsIn(source).sort((left, right) => left.start - right.start)) {
    replaced += source.slice(at, start) + MAINNET_VALUES.get(text);
    at = end;
  }
  return replaced + source.slice(at);
}

function keywordsIn(source: string): Token[] {
  const keywords: Token[] = [];
  const open = [{ kind: 'source', items: parseSource(source) as readonly Expression[] }];
  for (let group = open.pop(); group !== undefined; group = open.pop()) {
    for (const [index, item] of group.items.entries()) {
      if ('items' in item) {
        open.push(item);
      } else if (item.kind === 'atom' && MAINNET_VALUES.has(item.text)) {
        const isHead = group.kind === 'list' && index === 0;
        const previous = group.items[index - 1];
        const isGot = index === 1 && previous?.kind === 'atom' && previous.text === 'get';
        const isKey = isGot || /^\s*:/.test(source.slice(item.end, item.end + 20));
        if (!isHead && !isKey) keywords.push(item);
      }
    }
  }
  return keywords;
}
