// Draws the contracts with a name. A name of one contract opens that contract.
import { useEffect } from 'preact/hooks';
import { formatCount } from '#text/format-count.ts';
import { findOfName } from '../find-in-blocks.ts';
import { Badge, Crumbs } from '../parts/basics.tsx';
import { ContractList } from '../parts/contract-list.tsx';
import { Heading } from '../parts/heading.tsx';
import { Shown } from '../parts/skeleton.tsx';
import { useTask } from '../parts/use-response.ts';
import { readBlock, readBlockIndex } from '../search.ts';

export function NamePage({ name }: { name: string }) {
  const loaded = useTask<readonly string[]>(name, async (show) =>
    findOfName(await readBlockIndex(), readBlock, name, ({ found, read, of }) => read < of || show(found)),
  );
  const [id, second] = loaded.content ?? [];
  useEffect(() => {
    // Back leads to the search, not to this page.
    if (id !== undefined && second === undefined) location.replace(`#/contract/${id}`);
  }, [id, second]);
  return (
    <>
      <Crumbs trail={[['Search', `#/search/${name}`], [name]]} />
      <div class="title">
        <div>
          <div class="row">
            <Badge>Contract name</Badge>
          </div>
          <Heading title={name} kind="mono" />
          <p class="soft">
            {loaded.content && `${formatCount(loaded.content.length)} contracts have this name, in any case.`}
          </p>
        </div>
      </div>
      <Shown loaded={loaded} name={name}>
        {(ids) => (
          <section>
            <ContractList name="contracts" rows={ids.map((contractId) => [contractId])} />
          </section>
        )}
      </Shown>
    </>
  );
}
