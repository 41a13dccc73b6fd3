// Draws what the search box found, as options in groups: how much there is, some of it, more on demand.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { splitContractId } from '#model/principal.ts';
import { formatCount } from '#text/format-count.ts';
import type { Found } from '../search.ts';
import { isTransactionId } from '../search-text.ts';
import { Retry } from './pieces.tsx';
import { hrefOfToken, TokenLine } from './token-link.tsx';

/** Until a reader asks for more; both are in sight then. */
const TOKENS_AT_FIRST = 5;
export const CONTRACTS_AT_FIRST = 8;
const FUNCTIONS_AT_FIRST = 4;
const MORE = 100;
const EVERYWHERE = 'Everywhere';
/** A part of a name that is worth reading all names for. */
const WORTH_READING_ALL = /^[\w-]{3,60}$/;

interface Option {
  readonly key: string;
  /** Where it leads, or what it does. */
  readonly to: string | (() => void);
  readonly drawn: ComponentChildren;
}

interface Group {
  readonly name: string;
  /** How much of it is known: `5 of at least 20`. */
  readonly count?: string;
  readonly options: readonly Option[];
}

type Most = Readonly<Record<'tokens' | 'contracts', number>>;

function groupsOf(found: Found, most: Most, onMore: (part: keyof Most) => void): Group[] {
  const { text, number, address, tokens, contracts, standards, functions } = found;
  const isComplete = contracts.read === contracts.of;
  const more = (part: keyof Most, isThere: boolean): Option[] =>
    isThere ? [{ key: 'more', to: () => onMore(part), drawn: `More ${part}` }] : [];
  const ofTokens = tokens.slice(0, most.tokens).map((row): Option => {
    const own = row[1] === text ? number : undefined;
    return { key: row[1], to: hrefOfToken(row, own), drawn: <TokenLine row={row} number={own} /> };
  });
  const ofContracts = contracts.found
    .slice(0, most.contracts)
    .map((id) => line(`#/contract/${id}`, splitContractId(id).name, id, standards.get(id)));
  const ofFunctions = functions
    .slice(0, FUNCTIONS_AT_FIRST)
    .map(([name, count]) => line(`#/function/${name}`, name, `function of ${contractsText(count)}`));
  const groups: Group[] = [
    {
      name: 'Address',
      options: address === undefined ? [] : [line(`#/address/${address}`, 'All contracts of this address', address)],
    },
    {
      name: 'Tokens',
      count: countOf(ofTokens.length, tokens.length, true),
      options: [...ofTokens, ...more('tokens', most.tokens < tokens.length)],
    },
    {
      name: 'Contracts',
      count: countOf(ofContracts.length, contractCount(found), isComplete),
      options: [...ofContracts, ...more('contracts', most.contracts < contracts.found.length || !isComplete)],
    },
    { name: 'Functions', count: countOf(ofFunctions.length, functions.length, true), options: ofFunctions },
    {
      name: EVERYWHERE,
      options: WORTH_READING_ALL.test(text)
        ? [{ key: 'all', to: `#/search/${text}`, drawn: `All contracts with “${text}” in their name` }]
        : [],
    },
  ];
  return groups.filter(({ options }) => options.length > 0);
}

function line(to: string, name: string, more: string, tag?: string): Option {
  const drawn = (
    <span>
      <span>
        <strong>{name}</strong> {tag !== undefined && <span class="soft">{tag}</span>}
      </span>
      <span class="soft">{more}</span>
    </span>
  );
  return { key: to, to, drawn };
}

const contractsText = (count: number) => `${formatCount(count)} ${count === 1 ? 'contract' : 'contracts'}`;

function contractCount({ contracts: { found, families } }: Found): number {
  return families.reduce((sum, [, size]) => sum + size, found.length);
}

function countOf(shown: number, count: number, isComplete: boolean): string {
  const of = `${isComplete ? '' : 'at least '}${formatCount(count)}`;
  return shown === count && isComplete ? of : `${formatCount(shown)} of ${of}`;
}

const NO_TRANSACTIONS =
  'No file of this site lists transactions, so none is found by its id. Type a name or an address.';

function isNothing(found: Found): boolean {
  const { tokens, functions, address, troubles } = found;
  return tokens.length + contractCount(found) + functions.length + troubles.length === 0 && address === undefined;
}

/** Says what was found, for those who do not see it. */
export function summaryOf(found: Found, wasEntered: boolean): string {
  const { text, tokens, contracts, functions } = found;
  if (isNothing(found) && isTransactionId(text)) return NO_TRANSACTIONS;
  if (isNothing(found)) return `Nothing is found for “${text}”${wasEntered ? ', so there is nothing to open' : ''}.`;
  const least = contracts.read === contracts.of ? '' : 'at least ';
  return [
    `${formatCount(tokens.length)} tokens`,
    `${least}${formatCount(contractCount(found))} contracts`,
    `${formatCount(functions.length)} functions found`,
  ].join(', ');
}

export function firstPlace(found: Found): string | undefined {
  const groups = groupsOf(found, { tokens: 1, contracts: 1 }, () => {}).filter(({ name }) => name !== EVERYWHERE);
  return groups.flatMap(({ options }) => options.map(({ to }) => to)).find((to) => typeof to === 'string');
}

interface Props {
  readonly found: Found;
  /** True if a reader wanted to open the first of it. */
  readonly wasEntered: boolean;
  readonly active: number;
  readonly onMore: (enough: number) => void;
  readonly onRetry: () => void;
}

export function Results({ found, wasEntered, active, onMore, onRetry }: Props) {
  const { text, contracts, troubles } = found;
  const [most, setMost] = useState({ tokens: TOKENS_AT_FIRST, contracts: CONTRACTS_AT_FIRST });
  const groups = groupsOf(found, most, (part) => {
    const next = most[part] + MORE;
    setMost({ ...most, [part]: next });
    if (part === 'contracts') onMore(next);
  });
  let index = 0;
  return (
    // What has the focus keeps it: the box.
    // biome-ignore lint/a11y/noStaticElementInteractions: this is no interaction of its own
    <div class="results" onMouseDown={(event) => event.preventDefault()}>
      {troubles.length > 0 && (
        <div class="problem" role="alert">
          {troubles.map((trouble) => (
            <p key={trouble}>{trouble}</p>
          ))}
          <Retry onClick={onRetry} />
        </div>
      )}
      {isNothing(found) && <p>{summaryOf(found, wasEntered)}</p>}
      <div id="found" role="listbox" aria-label="Found">
        {groups.map(({ name, count = '', options }) => (
          // biome-ignore lint/a11y/useSemanticElements: no fieldset may be in a listbox
          <div key={name} role="group" aria-label={`${name} ${count}`}>
            {count !== '' && (
              <p class="soft" aria-hidden="true">
                {name}: {count}
              </p>
            )}
            {options.map((option) => (
              <OptionLine key={option.key} option={option} index={index} isActive={index++ === active} />
            ))}
          </div>
        ))}
      </div>
      {contracts.families.map(([pattern, size]) => (
        <p key={pattern} class="soft">
          {formatCount(size)} of them are called {pattern}: type on, with a number.
        </p>
      ))}
      {isTransactionId(text) && !isNothing(found) && <p class="soft">{NO_TRANSACTIONS}</p>}
    </div>
  );
}

function OptionLine({ option, index, isActive }: { option: Option; index: number; isActive: boolean }) {
  const { to, drawn } = option;
  const shared = { id: `option-${index}`, role: 'option', tabIndex: -1, 'aria-selected': isActive } as const;
  if (typeof to === 'string')
    return (
      <a {...shared} class="token" href={to}>
        {drawn}
      </a>
    );
  return (
    <button {...shared} type="button" onClick={to}>
      {drawn}
    </button>
  );
}
