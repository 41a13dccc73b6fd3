// Draws the contracts that define a function with a name, by deployer.
import { formatCount } from '#text/format-count.ts';
import type { FunctionRow } from '../find-in-blocks.ts';
import { type ContractRow, filterRows, groupByDeployer } from '../group-by-deployer.ts';
import { Badge } from '../parts/badge.tsx';
import { ByDeployer } from '../parts/by-deployer.tsx';
import { Crumbs } from '../parts/crumbs.tsx';
import { Filter, NoMatch } from '../parts/filter.tsx';
import { Heading } from '../parts/heading.tsx';
import { Shown } from '../parts/skeleton.tsx';
import { useTask } from '../parts/use-response.ts';
import { searchFunctions } from '../search.ts';
import { useStored } from '../visits.ts';

export function FunctionPage({ name }: { name: string }) {
  const loaded = useTask<FunctionRow | null>(name, async (show) => {
    const rows = await searchFunctions(name);
    show(rows.find(([found]) => found === name) ?? null);
  });
  const row = loaded.content;
  return (
    <>
      <Crumbs trail={[['Functions']]} />
      <div class="title">
        <div>
          <div class="row">
            <Badge>Function</Badge>
          </div>
          <Heading title={`Function ${name}`} kind="mono" text={name}>
            {name}
          </Heading>
          {row !== undefined && <Summary row={row} />}
        </div>
      </div>
      <Shown loaded={loaded} name={name}>
        {(found) => found && <Contracts ids={found.slice(2) as string[]} />}
      </Shown>
    </>
  );
}

function Summary({ row }: { row: FunctionRow | null }) {
  if (row === null) return <p class="soft">No contract that this site knows defines a function with this name.</p>;
  const [, count, ...ids] = row;
  return (
    <p class="soft">
      <span class="num">{formatCount(count)}</span> {count === 1 ? 'contract defines' : 'contracts define'} a function
      with this name.
      {ids.length < count && ` The first ${formatCount(ids.length)} are listed.`}
    </p>
  );
}

function Contracts({ ids }: { ids: readonly string[] }) {
  const [text, setText] = useStored('filter', '');
  const rows = filterRows(
    ids.map((id): ContractRow => [id]),
    text,
  );
  return (
    <section>
      <Filter label="Filter by contract or address" value={text} onInput={setText} />
      {rows.length === 0 ? (
        <NoMatch text={text} onClear={() => setText('')} />
      ) : (
        <ByDeployer
          name="contracts"
          groups={groupByDeployer(rows)}
          openGroups={Number.POSITIVE_INFINITY}
          shownRows={20}
          tab="interface"
        />
      )}
    </section>
  );
}
