// Reads the page of a fragment such as `#/contract/SP….name`. Fragments need no rule at any host.
import { ADDRESS_PATTERN, PRINCIPAL_PATTERN } from '#model/principal.ts';
import { TOKEN_NUMBER_PATTERN } from '#model/token.ts';
import { partSource } from '#serving/rules.ts';

export type View =
  | { readonly page: 'home' }
  | { readonly page: 'token'; readonly id: string }
  | { readonly page: 'contract'; readonly id: string; readonly tab: ContractTab; readonly line?: number }
  | { readonly page: 'address'; readonly address: string }
  | { readonly page: 'collection'; readonly kind: Kind; readonly id: string; readonly offset: number }
  | { readonly page: 'item'; readonly kind: Kind; readonly id: string; readonly number: string }
  | { readonly page: 'search'; readonly text: string }
  | { readonly page: 'unknown' };

export type Kind = 'nft' | 'sft';

export type ContractTab = 'source' | 'interface' | 'calls' | 'json';

const ID = `(?<id>${partSource(PRINCIPAL_PATTERN)})`;
/** The pattern of each page; its groups are the members of the view. */
const FORMS: readonly (readonly [View['page'], string])[] = [
  ['home', ''],
  ['token', `token/${ID}`],
  ['contract', `contract/${ID}(?:/(?:(?<line>[1-9][0-9]{0,6})|(?<tab>interface|calls|json)))?`],
  ['address', `address/(?<address>${partSource(ADDRESS_PATTERN)})`],
  ['collection', `(?<kind>nft|sft)/${ID}(?:/from/(?<offset>0|[1-9][0-9]{0,8}))?`],
  ['item', `(?<kind>nft|sft)/${ID}/(?<number>${partSource(TOKEN_NUMBER_PATTERN)})`],
  ['search', 'search/(?<text>.+)'],
];

export function readView(fragment: string): View {
  const path = fragment.replace(/^#?\/?/, '');
  for (const [page, form] of FORMS) {
    const found = new RegExp(`^${form}$`).exec(path);
    if (found === null) continue;
    const { line, offset = 0, tab = 'source', ...groups } = found.groups ?? {};
    const more = {
      search: { text: decodeText(groups.text) },
      contract: { tab, ...(line ? { line: Number(line) } : {}) },
      collection: { offset: Number(offset) },
    };
    return { page, ...groups, ...more[page as keyof typeof more] } as View;
  }
  return { page: 'unknown' };
}

/** The longest text that can be searched, in characters. Names are shorter. */
const MAX_TEXT = 200;

/** Returns the fragment of a search, which keeps any text. */
export function placeOfSearch(text: string): string {
  return `#/search/${encodeURIComponent(text.slice(0, MAX_TEXT).toWellFormed())}`;
}

/** A fragment that people wrote by hand may have a `%` of its own. */
function decodeText(text = ''): string {
  try {
    return decodeURIComponent(text).slice(0, MAX_TEXT);
  } catch {
    return text.slice(0, MAX_TEXT);
  }
}

/** Returns the same key for places of one page, such as the lines and tabs of a contract. */
export function pageKey(view: View): string {
  if (view.page === 'contract') return `contract ${view.id}`;
  return JSON.stringify(view);
}
