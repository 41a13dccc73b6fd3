// Places of the explorer are fragments, so no host needs a rule for them: `#/contract/SP….name`.
import { ADDRESS_PATTERN, PRINCIPAL_PATTERN } from '#model/principal.ts';
import { TOKEN_NUMBER_PATTERN } from '#model/token.ts';
import { partSource } from '#serving/rules.ts';

export type Place =
  | { readonly page: 'home' }
  | { readonly page: 'token'; readonly id: string }
  | { readonly page: 'contract'; readonly id: string; readonly tab: ContractTab; readonly line?: number }
  | { readonly page: 'address'; readonly address: string }
  | { readonly page: 'collection'; readonly kind: Kind; readonly id: string; readonly offset: number }
  | { readonly page: 'item'; readonly kind: Kind; readonly id: string; readonly number: string }
  | { readonly page: 'function'; readonly name: string }
  | { readonly page: 'search'; readonly text: string }
  | { readonly page: 'unknown' };

export type Kind = 'nft' | 'sft';

export type ContractTab = 'source' | 'interface' | 'calls' | 'json';

const ID = `(${partSource(PRINCIPAL_PATTERN)})`;
const NUMBER = `(${partSource(TOKEN_NUMBER_PATTERN)})`;
const FORMS: readonly (readonly [RegExp, (...parts: string[]) => Place])[] = [
  [/^$/, () => ({ page: 'home' })],
  [new RegExp(`^token/${ID}$`), (id) => ({ page: 'token', id: id as string })],
  [
    new RegExp(`^contract/${ID}(?:/([1-9][0-9]{0,6}))?$`),
    (id, line) => ({ page: 'contract', id: id as string, tab: 'source', ...(line ? { line: Number(line) } : {}) }),
  ],
  [
    new RegExp(`^contract/${ID}/(interface|calls|json)$`),
    (id, tab) => ({ page: 'contract', id: id as string, tab: tab as ContractTab }),
  ],
  [
    new RegExp(`^address/(${partSource(ADDRESS_PATTERN)})$`),
    (address) => ({ page: 'address', address: address as string }),
  ],
  [
    new RegExp(`^(nft|sft)/${ID}(?:/from/(0|[1-9][0-9]{0,8}))?$`),
    (kind, id, offset) => ({ page: 'collection', kind: kind as Kind, id: id as string, offset: Number(offset ?? 0) }),
  ],
  [
    new RegExp(`^(nft|sft)/${ID}/${NUMBER}$`),
    (kind, id, number) => ({ page: 'item', kind: kind as Kind, id: id as string, number: number as string }),
  ],
  // The name of a function may have these marks, too; browsers write < and > as %3C and %3E.
  [
    /^function\/((?:[\w!?+=/*<>-]|%3[CE]){1,128})$/,
    (name) => ({ page: 'function', name: decodeURIComponent(name as string) }),
  ],
  [/^search\/([\w.-]{1,60})$/, (text) => ({ page: 'search', text: text as string })],
];

export function readPlace(fragment: string): Place {
  const path = fragment.replace(/^#?\/?/, '');
  for (const [form, toPlace] of FORMS) {
    const found = form.exec(path);
    if (found !== null) return toPlace(...found.slice(1));
  }
  return { page: 'unknown' };
}

/** The same for places that one page draws, such as lines and tabs of a contract: to change these opens no page. */
export function pageKey(place: Place): string {
  if (place.page === 'contract') return `contract ${place.id}`;
  return JSON.stringify(place);
}
