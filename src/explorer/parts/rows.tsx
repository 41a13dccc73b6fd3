// Draws rows of tokens, collections and contracts, each a link.
import type { ComponentChildren } from 'preact';
import { splitContractId } from '#model/principal.ts';
import { isBlank } from '#model/shown-name.ts';
import { formatCount } from '#text/format-count.ts';
import type { ContractRow } from '../filter-rows.ts';
import { callersOf, type TokenRow } from '../find-tokens.ts';
import { useFirstRows } from './basics.tsx';
import { cut, Foreign, MAX_SHORT, Picture, TokenName } from './heading.tsx';
import { Id } from './id.tsx';

export function TokenRows({ rows }: { rows: readonly TokenRow[] }) {
  return (
    <ol class="rows card">
      {rows.map((row) => (
        <li key={row[1]}>
          <a class="it" href={hrefOfToken(row)}>
            <TokenLine row={row} hasCount />
          </a>
        </li>
      ))}
    </ol>
  );
}

interface LongTokenRowsProps {
  readonly rows: readonly TokenRow[];
  /** Names the number of rows shown, for the way back to this page. */
  readonly name: string;
  readonly atFirst: number;
  readonly step?: number;
}

/** The first rows, and a button that shows more. */
export function LongTokenRows({ rows, name, atFirst, step }: LongTokenRowsProps) {
  const [first, more] = useFirstRows(name, rows, atFirst, step);
  return (
    <>
      <TokenRows rows={first} />
      {more}
    </>
  );
}

interface TokenLineProps {
  readonly row: TokenRow;
  /** The number of an item, if the row stands for one item of a collection. */
  readonly number?: string | undefined;
  /** Ends with the number of items of a collection, or of the addresses that call a token. */
  readonly hasCount?: boolean;
}

export function TokenLine({ row, number, hasCount = false }: TokenLineProps) {
  const [kind, id, name, symbol = '', image, , items] = row;
  const [count, noun] = kind === 'ft' ? [callersOf(row), 'caller'] : [Number(items ?? 0), 'item'];
  return (
    <>
      <Picture uri={image} id={number === undefined ? id : `${id}${number}`} />
      <span class="main">
        <span class="nm">
          {kind === 'ft' ? <TokenName name={name} /> : <bdi class="mono">{splitContractId(id).name}</bdi>}
          {kind === 'ft' && symbol !== name && !isBlank(symbol) && (
            <span class="sym">
              <Foreign text={cut(symbol, MAX_SHORT)} />
            </span>
          )}
          {kind !== 'ft' && number !== undefined && <span class="sym">#{number}</span>}
          {kind !== 'ft' && number === undefined && !hasCount && <span class="sym">collection</span>}
        </span>
        <Id id={kind === 'ft' ? id : splitContractId(id).address} hasCopy={false} />
      </span>
      {hasCount && (count > 0 || kind !== 'ft') && (
        <span class="num">
          {formatCount(count)}
          <small>{count === 1 ? noun : `${noun}s`}</small>
        </span>
      )}
    </>
  );
}

/** Links to an item of a collection if a number is given. */
export function hrefOfToken([kind, id]: TokenRow, number?: string | undefined): string {
  return kind === 'ft' ? `#/token/${id}` : `#/${kind}/${id}${number === undefined ? '' : `/${number}`}`;
}

interface ContractRowsProps {
  readonly rows: readonly ContractRow[];
  /** Draws the end of a row. */
  readonly endOf?: (id: string) => ComponentChildren;
}

export function ContractRows({ rows, endOf }: ContractRowsProps) {
  return (
    <ol class="rows card">
      {rows.map(([id = '', ...functions]) => (
        <li key={id}>
          <a class="it" href={`#/contract/${id}`}>
            <ContractLine id={id} functions={functions} />
            {endOf !== undefined && <span class="num soft">{endOf(id)}</span>}
          </a>
        </li>
      ))}
    </ol>
  );
}

interface ContractLineProps {
  readonly id: string;
  readonly tag?: string | undefined;
  /** The names of called functions. */
  readonly functions?: readonly string[];
}

export function ContractLine({ id, tag, functions = [] }: ContractLineProps) {
  const { address, name } = splitContractId(id);
  return (
    <span class="main">
      <span class="nm">
        <bdi class="mono">{name}</bdi>
        {tag !== undefined && <span class="sym">{tag}</span>}
      </span>
      <Id id={address} hasCopy={false} />
      {functions.length > 0 && <span class="sm soft mono">{functions.join(' ')}</span>}
    </span>
  );
}
