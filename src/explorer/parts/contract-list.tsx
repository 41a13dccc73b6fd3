// Draws contracts in a list, in their order: a filter for long lists, the first rows, and more of them on demand.
import { type ContractRow, filterRows } from '../filter-rows.ts';
import { useStored } from '../visits.ts';
import { Filter, NoMatch, useFirstRows } from './basics.tsx';
import { ContractRows } from './rows.tsx';

const ROWS_AT_FIRST = 20;
const MORE_ROWS = 100;

interface Props {
  /** Names the list, since a page may have several. */
  readonly name: string;
  readonly rows: readonly ContractRow[];
}

export function ContractList({ name, rows }: Props) {
  const [text, setText] = useStored(`filter of ${name}`, '');
  const filtered = filterRows(rows, text);
  const [first, more] = useFirstRows(`shown ${name}`, filtered, ROWS_AT_FIRST, MORE_ROWS);
  const hasFilter = rows.length > ROWS_AT_FIRST;
  const hasFunctions = rows.some(([, ...functions]) => functions.length > 0);
  return (
    <>
      {hasFilter && (
        <Filter
          label={hasFunctions ? 'Filter by contract, address or function' : 'Filter by contract or address'}
          value={text}
          onInput={setText}
        />
      )}
      {filtered.length === 0 ? (
        <NoMatch text={text} onClear={() => setText('')} />
      ) : (
        <div class={hasFilter ? 'gap0' : ''}>
          <ContractRows rows={first} />
        </div>
      )}
      {more}
    </>
  );
}
