// Draws what the search box found: how much there is, some of it, and more when a reader asks for it.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatCount } from '#text/format-count.ts';
import { isTransactionId } from '../asked.ts';
import type { Found } from '../search.ts';
import { Retry } from './pieces.tsx';
import { TokenLink } from './token-link.tsx';

/** Until a reader asks for more; both are in sight then. */
const TOKENS_AT_FIRST = 5;
export const CONTRACTS_AT_FIRST = 8;
const MORE = 100;
/** A part of a name that is worth reading all names for. */
const EVERYWHERE = /^[\w-]{3,60}$/;

interface Props {
  readonly found: Found;
  /** True if a reader wanted to open the first of it. */
  readonly wasEntered: boolean;
  /** Looks for so many contracts. */
  readonly onMore: (enough: number) => void;
  readonly onRetry: () => void;
}

export function Results({ found, wasEntered, onMore, onRetry }: Props) {
  const { text, tokens, contracts, troubles } = found;
  const generated = contracts.families.reduce((sum, [, size]) => sum + size, 0);
  const count = contracts.found.length + generated;
  return (
    <div class="results">
      {troubles.length > 0 && (
        <div class="problem" role="alert">
          {troubles.map((trouble) => (
            <p key={trouble}>{trouble}</p>
          ))}
          <Retry onClick={onRetry} />
        </div>
      )}
      {tokens.length + count + troubles.length === 0 && (
        <p role="status">
          {isTransactionId(text)
            ? 'No file of this site lists transactions, so none is found by its id. Type a name or an address.'
            : `Nothing is found for “${text}”${wasEntered ? ', so there is nothing to open' : ''}.`}
        </p>
      )}
      <Part
        what="Tokens"
        atFirst={TOKENS_AT_FIRST}
        rows={tokens.map((row) => (
          <li key={row[1]}>
            <TokenLink row={row} number={row[1] === text ? found.number : undefined} />
          </li>
        ))}
        count={tokens.length}
        isWhole
      />
      <Part
        what="Contracts"
        atFirst={CONTRACTS_AT_FIRST}
        rows={contracts.found.map((id) => (
          <li key={id}>
            <a href={`#/contract/${id}`}>{id}</a>
          </li>
        ))}
        count={count}
        isWhole={contracts.read === contracts.of}
        onMore={onMore}
      />
      {contracts.families.map(([pattern, size]) => (
        <p key={pattern} class="soft">
          {formatCount(size)} of them are called {pattern}: type on, with a number.
        </p>
      ))}
      {EVERYWHERE.test(text) && (
        <p>
          <a href={`#/search/${text}`}>All contracts with “{text}” in their name</a>
        </p>
      )}
    </div>
  );
}

interface PartProps {
  readonly what: string;
  readonly atFirst: number;
  readonly rows: readonly ComponentChildren[];
  /** How many are known: all of them, or at least so many. */
  readonly count: number;
  readonly isWhole: boolean;
  readonly onMore?: (enough: number) => void;
}

function Part({ what, atFirst, rows, count, isWhole, onMore }: PartProps) {
  const [most, setMost] = useState(atFirst);
  if (count === 0) return null;
  const shown = Math.min(most, rows.length);
  const of = `${isWhole ? '' : 'at least '}${formatCount(count)}`;
  return (
    <>
      <p class="soft" role="status">
        {what}: {shown === count && isWhole ? of : `${formatCount(shown)} of ${of}`}
      </p>
      <ul>{rows.slice(0, shown)}</ul>
      {(shown < rows.length || !isWhole) && (
        <button
          type="button"
          onClick={() => {
            setMost(most + MORE);
            onMore?.(most + MORE);
          }}
        >
          More {what.toLowerCase()}
        </button>
      )}
    </>
  );
}
