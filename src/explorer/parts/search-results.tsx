// Draws what the search box found: options in groups, with their numbers, and more on demand.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatCount } from '#text/format-count.ts';
import type { Found } from '../search.ts';
import { isTransactionId } from '../search-text.ts';
import { Icon } from './icon.tsx';
import { Id } from './id.tsx';
import { Retry } from './note.tsx';
import { ContractLine, hrefOfToken, TokenLine } from './rows.tsx';

const TOKENS_AT_FIRST = 5;
export const CONTRACTS_AT_FIRST = 8;
const MORE = 100;
const EVERYWHERE = 'Everywhere';
/** Matches a part of a name that is long enough to search all names for. */
const PART_OF_NAME = /^[\w-]{2,60}$/;

interface Option {
  readonly key: string;
  /** The place that the option opens, or its action. */
  readonly to: string | (() => void);
  readonly children: ComponentChildren;
}

interface Group {
  readonly name: string;
  /** The number of shown matches and of all matches: `5 of at least 20`. */
  readonly count?: string;
  readonly options: readonly Option[];
}

type Limits = Readonly<Record<'tokens' | 'contracts', number>>;

function groupsOf(found: Found, limits: Limits, onMore: (part: keyof Limits) => void): Group[] {
  const { text, number, address, tokens, contracts, standards } = found;
  const isComplete = contracts.read === contracts.of;
  const more = (part: keyof Limits, isNeeded: boolean): Option[] =>
    isNeeded ? [{ key: `more ${part}`, to: () => onMore(part), children: `Show more ${part}` }] : [];
  const tokenOptions = tokens.slice(0, limits.tokens).map((row): Option => {
    const item = row[1] === text ? number : undefined;
    return { key: row[1], to: hrefOfToken(row, item), children: <TokenLine row={row} number={item} /> };
  });
  const contractOptions = contracts.found.slice(0, limits.contracts).map(
    (id): Option => ({
      key: id,
      to: `#/contract/${id}`,
      children: <ContractLine id={id} tag={standards.get(id)} />,
    }),
  );
  const groups: Group[] = [
    { name: 'Address', options: address === undefined ? [] : [addressOption(address)] },
    {
      name: 'Tokens',
      count: countOf(tokenOptions.length, tokens.length, true),
      options: [...tokenOptions, ...more('tokens', limits.tokens < tokens.length)],
    },
    {
      name: 'Contracts',
      count: countOf(contractOptions.length, contracts.found.length, isComplete),
      options: [...contractOptions, ...more('contracts', limits.contracts < contracts.found.length || !isComplete)],
    },
    { name: EVERYWHERE, options: PART_OF_NAME.test(text) ? [everywhereOption(text)] : [] },
  ];
  return groups.filter(({ options }) => options.length > 0);
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

function everywhereOption(text: string): Option {
  return {
    key: EVERYWHERE,
    to: `#/search/${text}`,
    children: (
      <>
        <Icon name="search" />
        <span>Search all contract names for “{text}”</span>
      </>
    ),
  };
}

function countOf(shown: number, count: number, isComplete: boolean): string {
  const of = `${isComplete ? '' : 'at least '}${formatCount(count)}`;
  return shown === count && isComplete ? of : `${formatCount(shown)} of ${of}`;
}

const NO_TRANSACTIONS = 'Transactions and blocks are not on this site. Type a name or an address.';

function isNothing(found: Found): boolean {
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

/** Returns the place of the first match; undefined if nothing was found. */
export function firstPlace(found: Found): string | undefined {
  const groups = groupsOf(found, { tokens: 1, contracts: 1 }, () => {}).filter(({ name }) => name !== EVERYWHERE);
  return groups.flatMap(({ options }) => options.map(({ to }) => to)).find((to) => typeof to === 'string');
}

interface Props {
  readonly found: Found;
  /** The index of the option that the arrow keys chose; -1 for none. */
  readonly active: number;
  readonly onMore: (enough: number) => void;
  readonly onRetry: () => void;
}

export function Results({ found, active, onMore, onRetry }: Props) {
  const { text, problems } = found;
  const [limits, setLimits] = useState({ tokens: TOKENS_AT_FIRST, contracts: CONTRACTS_AT_FIRST });
  const groups = groupsOf(found, limits, (part) => {
    const next = limits[part] + MORE;
    setLimits({ ...limits, [part]: next });
    if (part === 'contracts') onMore(next);
  });
  let index = 0;
  return (
    // The search box keeps the focus.
    // biome-ignore lint/a11y/noStaticElementInteractions: the handler only keeps the focus where it is
    <div class="drop card" onMouseDown={(event) => event.preventDefault()}>
      {problems.length > 0 && (
        <div class="note bad slim" role="alert">
          <Icon name="warn" />
          <div>
            {problems.map((problem) => (
              <p key={problem} class="sm">
                {problem}
              </p>
            ))}
            <p>
              <Retry onClick={onRetry} />
            </p>
          </div>
        </div>
      )}
      {isNothing(found) && <p class="pad">{summaryOf(found)}</p>}
      <div id="found" role="listbox" aria-label="Results">
        {groups.map(({ name, count = '', options }) => (
          // biome-ignore lint/a11y/useSemanticElements: a listbox may not contain a fieldset
          <div key={name} role="group" aria-label={`${name} ${count}`.trim()}>
            {count !== '' && (
              <p class="group" aria-hidden="true">
                {name} · {count}
              </p>
            )}
            {options.map((option) => (
              <OptionLine key={option.key} option={option} index={index} isActive={index++ === active} />
            ))}
          </div>
        ))}
      </div>
      {isTransactionId(text) && !isNothing(found) && <p class="row soft sm">{NO_TRANSACTIONS}</p>}
      <p class="row keys" aria-hidden="true">
        <span>
          <span class="key">↑</span> <span class="key">↓</span> choose
        </span>
        <span>
          <span class="key">Enter</span> open
        </span>
        <span>
          <span class="key">Esc</span> close
        </span>
      </p>
    </div>
  );
}

function OptionLine({ option, index, isActive }: { option: Option; index: number; isActive: boolean }) {
  const { to, children } = option;
  const shared = {
    id: `option-${index}`,
    role: 'option',
    class: 'it',
    tabIndex: -1,
    'aria-selected': isActive,
  } as const;
  if (typeof to === 'string')
    return (
      <a {...shared} href={to}>
        {children}
      </a>
    );
  return (
    <button {...shared} type="button" onClick={to}>
      {children}
    </button>
  );
}
