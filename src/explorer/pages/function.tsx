// Draws the contracts that have a function of a name, as far as the search files name them.
import { formatCount } from '#text/format-count.ts';
import type { FunctionRow } from '../find-in-blocks.ts';
import { Heading, Links, Shown } from '../parts/pieces.tsx';
import { useTask } from '../parts/use-response.ts';
import { searchFunctions } from '../search.ts';

export function FunctionPage({ name }: { name: string }) {
  const asked = useTask<FunctionRow | null>(name, async (show) => {
    const rows = await searchFunctions(name);
    show(rows.find(([own]) => own === name) ?? null);
  });
  return (
    <>
      <Heading title={`Contracts with a function ${name}`} />
      <Shown asked={asked}>{(row) => (row === null ? <p>None is known.</p> : <Contracts row={row} />)}</Shown>
    </>
  );
}

function Contracts({ row: [, count, ...ids] }: { row: FunctionRow }) {
  const named = ids.length === count ? '.' : `; the first ${formatCount(ids.length)} are named.`;
  return (
    <>
      <p class="soft">
        {formatCount(count)} in all{named}
      </p>
      <Links links={ids.map((id) => ({ href: `#/contract/${id}/interface`, text: id }))} />
    </>
  );
}
