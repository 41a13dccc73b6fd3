// Makes the options of the search box from the results: places and actions in groups, with their numbers.
import type { ComponentChildren } from 'preact';
import { foldName, nameKey, wordsOf } from '#layout/fold-names.ts';
import { splitContractId } from '#model/principal.ts';
import { formatCount } from '#text/format-count.ts';
import { groupSeries } from '../find-by-part.ts';
import type { Found } from '../search.ts';
import { isTransactionId } from '../search-text.ts';
import { placeOfSearch } from '../view.ts';
import { Icon } from './icon.tsx';
import { Id } from './id.tsx';
import { ContractLine, hrefOfToken, TokenLine } from './rows.tsx';

export const CONTRACTS_AT_FIRST = 8;
const EVERYWHERE = 'Everywhere';
/** Shorter texts are parts of too many names. */
const MIN_PART = 2;

export interface Option {
  readonly key: string;
  /** The place that the option opens, or its action. */
  readonly to: string | (() => void);
  readonly children: ComponentChildren;
}

export interface Group {
  readonly name: string;
  /** The number of shown matches and of all matches: `5 of at least 20`. */
  readonly count?: string;
  readonly options: readonly Option[];
}

export type Limits = Readonly<Record<'tokens' | 'contracts', number>>;

export function groupsOf(
  found: Found,
  limits: Limits,
  opened: ReadonlySet<string>,
  onMore: (part: keyof Limits) => void,
  onOpen: (first: string) => void,
): Group[] {
  const { text, number, address, tokens, contracts, standards } = found;
  const isComplete = contracts.read === contracts.of;
  const more = (part: keyof Limits, isNeeded: boolean): Option[] =>
    isNeeded ? [{ key: `more ${part}`, to: () => onMore(part), children: `Show more ${part}` }] : [];
  const tokenOptions = tokens.slice(0, limits.tokens).map((row): Option => {
    const item = row[1] === text ? number : undefined;
    return { key: row[1], to: hrefOfToken(row, item), children: <TokenLine row={row} number={item} /> };
  });
  const contractOption = (id: string): Option => ({
    key: id,
    to: `#/contract/${id}`,
    children: <ContractLine id={id} tag={standards.get(id)} />,
  });
  const series = groupSeries(contracts.found, (id) => splitContractId(id).name);
  const contractOptions = series.slice(0, limits.contracts).flatMap(([first = '', ...rest]): Option[] => {
    if (opened.has(first)) return [first, ...rest].map(contractOption);
    const key = `series ${first}`;
    const least = isComplete ? '' : 'at least ';
    const like = rest.some((id) => !isNamed(id, first)) ? 'named like this' : 'with this name';
    const children = <span class="sm soft">{`${least}${formatCount(rest.length)} more ${like}`}</span>;
    return [contractOption(first), ...(rest.length > 0 ? [{ key, to: () => onOpen(first), children }] : [])];
  });
  const shown = contractOptions.filter(({ to }) => typeof to === 'string').length;
  const groups: Group[] = [
    { name: 'Address', options: address === undefined ? [] : [addressOption(address)] },
    {
      name: 'Tokens',
      count: countOf(tokenOptions.length, tokens.length, true),
      options: [...tokenOptions, ...more('tokens', limits.tokens < tokens.length)],
    },
    {
      name: 'Contracts',
      count: countOf(shown, contracts.found.length, isComplete),
      options: [...contractOptions, ...more('contracts', limits.contracts < series.length || !isComplete)],
    },
    { name: EVERYWHERE, options: everywhereOptions(found) },
  ];
  return groups.filter(({ options }) => options.length > 0);
}

/** True if two contracts have the same name, in any case. */
function isNamed(left: string, right: string): boolean {
  return nameKey(splitContractId(left).name) === nameKey(splitContractId(right).name);
}

function addressOption(address: string): Option {
  return {
    key: address,
    to: `#/address/${address}`,
    children: (
      <span class="main">
        <span>All contracts of this address</span>
        <Id id={address} hasCopy={false} />
      </span>
    ),
  };
}

/** Searches in all names; for each word, too, if nothing has all of them. */
function everywhereOptions(found: Found): Option[] {
  const { text } = found;
  const words = isNothing(found) ? wordsOf(foldName(text)) : [];
  const texts = [text, ...new Set(words.length > 1 ? words : [])];
  return texts
    .filter((part) => part.length >= MIN_PART && !isTransactionId(part))
    .map((part) => ({
      key: `${EVERYWHERE} ${part}`,
      to: placeOfSearch(part),
      children: (
        <>
          <Icon name="search" />
          <span>Search all contract names for “{part}”</span>
        </>
      ),
    }));
}

function countOf(shown: number, count: number, isComplete: boolean): string {
  const of = `${isComplete ? '' : 'at least '}${formatCount(count)}`;
  return shown === count && isComplete ? of : `${formatCount(shown)} of ${of}`;
}

export const NO_TRANSACTIONS =
  'Transactions and blocks are not on this site. Search for the name or the address of the contract.';

export function isNothing(found: Found): boolean {
  const { tokens, contracts, address, problems } = found;
  return tokens.length + contracts.found.length + problems.length === 0 && address === undefined;
}

/** Counts the matches, for screen readers. */
export function summaryOf(found: Found): string {
  const { text, tokens, contracts } = found;
  if (isNothing(found) && isTransactionId(text)) return NO_TRANSACTIONS;
  if (isNothing(found)) return `Nothing found for “${text}”.`;
  const least = contracts.read === contracts.of ? '' : 'at least ';
  return `${formatCount(tokens.length)} tokens, ${least}${formatCount(contracts.found.length)} contracts found`;
}

const ignore = () => {};

/** Returns the place of the first match; undefined if nothing was found. */
export function firstPlace(found: Found): string | undefined {
  const limits = { tokens: 1, contracts: 1 };
  const groups = groupsOf(found, limits, new Set(), ignore, ignore).filter(({ name }) => name !== EVERYWHERE);
  return groups.flatMap(({ options }) => options.map(({ to }) => to)).find((to) => typeof to === 'string');
}
