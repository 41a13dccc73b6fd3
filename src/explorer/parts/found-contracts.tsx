// Draws found contracts, each with its address. A name of several contracts, or of a numbered series, is one row, and
// opens the others on demand.
import { useState } from 'preact/hooks';
import { runAhead } from '#concurrency/run-ahead.ts';
import { nameKey } from '#layout/fold-names.ts';
import type { BlockRow } from '#routes/search-blocks.ts';
import { formatCount } from '#text/format-count.ts';
import { groupSeries } from '../find-by-part.ts';
import { CONCURRENT_REQUESTS } from '../find-in-blocks.ts';
import { pathOfBlock, readBlock } from '../search.ts';
import { lastContent } from '../site.ts';
import { useStored } from '../visits.ts';
import { useFirstRows } from './basics.tsx';
import { Problem } from './note.tsx';
import { ContractLine } from './rows.tsx';
import { useTask } from './use-response.ts';

const GROUPS_AT_FIRST = 20;
const MORE = 50;

/** A contract that was found by its id, or a name of contracts whose addresses are in blocks of search/contracts. */
export interface FoundName {
  /** The name of the contracts in lower case, or of the contract. */
  readonly name: string;
  readonly count: number;
  readonly blocks: readonly string[];
  readonly id?: string;
}

interface Props {
  readonly names: readonly FoundName[];
  /** The standard of each contract that is a token or a collection. */
  readonly standards: ReadonlyMap<string, string>;
}

export function FoundContracts({ names, standards }: Props) {
  const groups = groupSeries(names, ({ name }) => name);
  const [first, more] = useFirstRows('shown groups', groups, GROUPS_AT_FIRST, MORE);
  const [opened, setOpened] = useStored<Readonly<Record<string, number>>>('opened groups', {});
  const shown = first.map((group) => {
    const [{ name, id = name } = { name: '' }] = group;
    const total = group.reduce((sum, { count }) => sum + count, 0);
    // A second contract needs no more room than a button.
    const limit = total === 2 ? total : Math.min(total, 1 + (opened[id] ?? 0));
    return { key: id, group, total, limit, names: firstNames(group, limit) };
  });
  const [rowsOf, problem] = useBlocks(shown.flatMap((entry) => entry.names.flatMap(({ blocks }) => blocks)));
  return (
    <>
      <Problem {...problem} title="Some addresses could not be loaded" />
      <ol class="rows card">
        {shown.flatMap(({ key, group, total, limit, names: some }) => [
          ...some
            .flatMap((found) => idsOf(found, rowsOf))
            .slice(0, limit)
            .map((id, index) => (
              <li key={`${key} ${index}`}>
                <ContractLink id={id} standards={standards} />
              </li>
            )),
          limit < total && (
            <li key={`more ${key}`}>
              <button type="button" class="it" onClick={() => setOpened({ ...opened, [key]: limit - 1 + MORE })}>
                <span class="sm soft">
                  {formatCount(total - limit)} more {group.length > 1 ? 'named like this' : 'with this name'}
                </span>
              </button>
            </li>
          ),
        ])}
      </ol>
      {more}
    </>
  );
}

/** The address of an id is empty until it is known. */
function ContractLink({ id, standards }: { id: string; standards: Props['standards'] }) {
  if (id.startsWith('.'))
    return (
      <span class="it">
        <span class="main">
          <span class="nm">
            <bdi class="mono">{id.slice(1)}</bdi>
          </span>
          <span class="id soft">…</span>
        </span>
      </span>
    );
  return (
    <a class="it" href={`#/contract/${id}`}>
      <ContractLine id={id} tag={standards.get(id)} />
    </a>
  );
}

/** Returns the first names, which have at least `limit` contracts. */
function firstNames(names: readonly FoundName[], limit: number): readonly FoundName[] {
  let count = 0;
  const end = names.findIndex((name) => {
    count += name.count;
    return count >= limit;
  });
  return names.slice(0, end + 1);
}

type RowsOf = (block: string) => readonly BlockRow[] | undefined;

/** Returns the ids of all contracts of a name. Until a block is loaded, they have no address. */
function idsOf({ name, count, blocks, id }: FoundName, rowsOf: RowsOf): readonly string[] {
  if (id !== undefined) return [id];
  const rows = blocks.map(rowsOf);
  if (rows.includes(undefined)) return Array.from({ length: count }, () => `.${name}`);
  return rows.flatMap((block = []) =>
    block
      .filter(([group]) => nameKey(group) === name)
      .flatMap(([group, ...addresses]) => addresses.map((address) => `${address}.${group}`)),
  );
}

/** Loads blocks of search/contracts. Returns a function that reads the loaded ones, and the error. */
function useBlocks(ids: readonly string[]) {
  const [blocks] = useState(() => new Map<string, readonly BlockRow[]>());
  const rowsOf: RowsOf = (id) => blocks.get(id) ?? lastContent(pathOfBlock(id));
  const needed = [...new Set(ids)];
  const loaded = useTask<number>(needed.join(), async (show) => {
    const missing = needed.filter((id) => !blocks.has(id));
    const read = async (id: string) => blocks.set(id, await readBlock(id));
    for await (const { size } of runAhead(missing, CONCURRENT_REQUESTS - 1, read)) if (!show(size)) return;
  });
  return [rowsOf, loaded] as const;
}
