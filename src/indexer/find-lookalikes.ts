// Finds tokens whose symbol or name looks like that of a token that was deployed before, at the end of each run.

import { isBlank } from '#model/shown-name.ts';
import { type NamedToken, readNamedTokens } from '#store/contracts/contracts.ts';
import type { Store } from '#store/index-database.ts';
import { type Lookalikes, writeLookalikes } from '#store/tokens/lookalikes.ts';
import { foldLookAlike, hasDirections, sortCharacters } from '#text/fold-look-alike.ts';

export async function storeLookalikes(store: Store): Promise<void> {
  const lookalikes = findLookalikes(await readNamedTokens(store));
  await store.transaction().execute((transaction) => writeLookalikes(transaction, lookalikes));
}

/** `tokens`: in the order of their deploys. Returns an entry for each token that is not the first in both respects. */
export function findLookalikes(tokens: readonly NamedToken[]): Map<number, Lookalikes<number>> {
  const [symbols, names] = [firstOf(tokens, 'symbol'), firstOf(tokens, 'name')];
  const found = new Map<number, Lookalikes<number>>();
  for (const { tokenId } of tokens) {
    const [symbolOf, nameOf] = [symbols.get(tokenId), names.get(tokenId)];
    if (symbolOf !== undefined || nameOf !== undefined) found.set(tokenId, { symbolOf, nameOf });
  }
  return found;
}

/**
 * Returns the first token with a text that looks like the text of the token; none for the first, and for blank texts.
 * Once a text was not read, no later token counts as the first: it may be a copy of the unread one.
 */
function firstOf(tokens: readonly NamedToken[], key: 'name' | 'symbol'): Map<number, number> {
  /** The position of the first token for each key. */
  const first = new Map<string, number>();
  const found = new Map<number, number>();
  let hasUnread = false;
  for (const [position, { tokenId, [key]: text }] of tokens.entries()) {
    if (text === undefined) hasUnread = true;
    if (isBlank(text)) continue;
    const { keys, alike } = keysOf(text ?? '');
    const earliest = Math.min(...alike.map((other) => first.get(other) ?? tokens.length));
    const earlier = tokens[earliest]?.tokenId;
    if (earlier !== undefined) found.set(tokenId, earlier);
    if (hasUnread) continue;
    for (const other of keys) if (!first.has(other)) first.set(other, position);
  }
  return found;
}

/**
 * Returns the keys of a text, and the keys of texts that look like it. A text with controls of direction can look like
 * any text with the same characters.
 */
function keysOf(text: string): { readonly keys: readonly string[]; readonly alike: readonly string[] } {
  const folded = `= ${foldLookAlike(text)}`;
  const sorted = sortCharacters(folded);
  const [any, directed] = [`any ${sorted}`, `directed ${sorted}`];
  return hasDirections(text)
    ? { keys: [folded, any, directed], alike: [folded, any] }
    : { keys: [folded, any], alike: [folded, directed] };
}
