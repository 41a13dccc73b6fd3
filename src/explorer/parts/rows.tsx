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

export function TokenRows({ rows, hasCallers = true }: { rows: readonly TokenRow[]; hasCallers?: boolean }) {
  return (
    <ol class="rows card">
      {rows.map((row) => (
        <li key={row[1]}>
          <a class="it" href={hrefOfToken(row)}>
            <TokenLine row={row} hasCallers={hasCallers} />
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
  readonly hasCallers?: boolean;
}

export function TokenLine({ row, number, hasCallers = false }: TokenLineProps) {
  const [kind, id, name, symbol = '', image] = row;
  const callers = callersOf(row);
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
          {kind !== 'ft' && <span class="sym">{number === undefined ? 'collection' : `#${number}`}</span>}
        </span>
        <Id id={kind === 'ft' ? id : splitContractId(id).address} hasCopy={false} />
      </span>
      {hasCallers && callers > 0 && (
        <span class="num">
          {formatCount(callers)}
          {callers > 1 && '+'}
          <small>{callers === 1 ? 'caller' : 'callers'}</small>
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
