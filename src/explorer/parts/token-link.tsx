// Draws tokens, collections, and their tokens in lists: picture and names, and where each is.
import { splitContractId } from '#model/principal.ts';
import { STANDARDS, type TokenRow } from '../find-tokens.ts';
import { shortAddress } from '../format.ts';
import { Foreign, firstText, Picture, TokenName } from './pieces.tsx';

interface Props {
  readonly row: TokenRow;
  /** Leads to one of a collection's tokens. */
  readonly number?: string | undefined;
  /** True where all are of one address. */
  readonly isNameAlone?: boolean;
}

export function TokenList({ rows, isNameAlone = false }: { rows: readonly TokenRow[]; isNameAlone?: boolean }) {
  return (
    <ul class="tokens">
      {rows.map((row) => (
        <li key={row[1]}>
          <a class="token" href={hrefOfToken(row)}>
            <TokenLine row={row} isNameAlone={isNameAlone} />
          </a>
        </li>
      ))}
    </ul>
  );
}

export function TokenLine({ row, number, isNameAlone = false }: Props) {
  const [kind, id, ofToken, symbol = '', image] = row;
  const own = splitContractId(id);
  // A collection has no name: its row has the name of its first token.
  const name = kind === 'ft' ? ofToken : own.name;
  const more = kind === 'ft' ? symbol : number !== undefined ? `#${number}` : 'collection';
  return (
    <>
      <Picture uri={image} name={firstText(symbol, name)} />
      <span>
        <span>
          <strong>
            <TokenName name={name} />
          </strong>{' '}
          <span class="soft">
            <Foreign text={more} />
          </span>
        </span>
        <span class="soft">
          {STANDARDS[kind] ?? kind} · {isNameAlone ? own.name : `${shortAddress(own.address)}.${own.name}`}
        </span>
      </span>
    </>
  );
}

/** Leads to one of a collection's tokens, if a number is given. */
export function hrefOfToken([kind, id]: TokenRow, number?: string | undefined): string {
  return kind === 'ft' ? `#/token/${id}` : `#/${kind}/${id}${number === undefined ? '' : `/${number}`}`;
}
