// Draws the callers of a contract by deployer, its calls, its traits, and contracts with the same source.
import { splitContractId } from '#model/principal.ts';
import { formatCount } from '#text/format-count.ts';
import { type ContractRow, countFunctions, filterRows, groupByDeployer } from '../group-by-deployer.ts';
import type { ContractGraph } from '../responses.ts';
import { useStored } from '../visits.ts';
import { ByDeployer } from './by-deployer.tsx';
import { Filter, NoMatch } from './filter.tsx';
import { Section } from './heading.tsx';
import { More } from './more.tsx';
import { Shown } from './skeleton.tsx';
import { useGraph } from './use-graph.ts';

/** Functions that are offered as filters. */
const MAX_CHIPS = 6;
const COPIES_AT_FIRST = 20;

export function GraphOf({ contractId }: { contractId: string }) {
  const loaded = useGraph(contractId);
  return (
    <Shown loaded={loaded} name="calls">
      {(graph) => (
        <div class="two">
          <div class="stack">
            <Callers list={graph?.called_by} />
          </div>
          <div class="stack">
            <Calls graph={graph} />
            <Traits graph={graph} />
            <Copies graph={graph} />
          </div>
        </div>
      )}
    </Shown>
  );
}

function Callers({ list }: { list: ContractGraph['called_by'] | undefined }) {
  const rows = list?.first ?? [];
  const [text, setText] = useStored('filter callers', '');
  const [chosen, setChosen] = useStored('function of callers', '');
  const total = list?.count ?? 0;
  if (total === 0)
    return (
      <Section title="Called by">
        <p class="sm soft">No contract calls this one, as far as this site knows.</p>
      </Section>
    );
  const filtered = filterRows(rows, text, chosen);
  return (
    <Section
      title="Called by"
      note={
        <p class="sm soft">
          <span class="num">{formatCount(total)}</span> contracts, by deployer, largest first
        </p>
      }
    >
      <Filter label="Filter by contract or function name" value={text} onInput={setText} />
      <Chips rows={rows} chosen={chosen} onChoose={setChosen} />
      <OnlyFirst shown={rows.length} total={total} />
      {filtered.length === 0 ? (
        <NoMatch
          text={[text, chosen].filter(Boolean).join(' ')}
          onClear={() => {
            setText('');
            setChosen('');
          }}
        />
      ) : (
        <ByDeployer name="callers" groups={groupByDeployer(filtered)} openGroups={3} shownRows={3} />
      )}
    </Section>
  );
}

/** A note that a list has only its first rows, in the order of the chain. */
function OnlyFirst({ shown, total }: { shown: number; total: number }) {
  if (shown >= total) return null;
  return <p class="sm soft">Only the first {formatCount(shown)} of the chain are listed.</p>;
}

interface ChipsProps {
  readonly rows: readonly ContractRow[];
  readonly chosen: string;
  readonly onChoose: (name: string) => void;
}

/** Buttons for the functions that are called most. */
function Chips({ rows, chosen, onChoose }: ChipsProps) {
  const functions = countFunctions(rows).slice(0, MAX_CHIPS);
  if (functions.length < 2) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a border, and names a form
    <div class="row gap0" role="group" aria-label="Function called">
      {[{ name: '', count: rows.length }, ...functions].map(({ name, count }) => (
        <button
          key={name}
          type="button"
          class="chip"
          aria-pressed={chosen === name}
          onClick={() => onChoose(chosen === name ? '' : name)}
        >
          <span class={name === '' ? '' : 'mono'}>{name || 'All'}</span>{' '}
          <span class="soft num">{formatCount(count)}</span>
        </button>
      ))}
    </div>
  );
}

function Calls({ graph }: { graph: ContractGraph | null }) {
  const calls = graph?.calls ?? [];
  const onTraits = graph?.on_traits ?? [];
  return (
    <>
      {calls.length === 0 ? (
        <Section title="Calls">
          <p class="sm soft">This contract calls no other one by name.</p>
        </Section>
      ) : (
        <Section title="Calls" count={calls.length}>
          {graph?.partial && <p class="sm soft">The source names more than these.</p>}
          <ByDeployer name="calls" groups={groupByDeployer(calls)} openGroups={2} shownRows={20} />
        </Section>
      )}
      <Section title="Calls on traits" count={onTraits.length}>
        <p class="row">
          {onTraits.map((name) => (
            <span key={name} class="chip mono">
              {name}
            </span>
          ))}
        </p>
      </Section>
    </>
  );
}

function Traits({ graph }: { graph: ContractGraph | null }) {
  const implemented = graph?.implements ?? [];
  const used = graph?.uses ?? [];
  if (implemented.length + used.length === 0)
    return (
      <Section title="Traits">
        <p class="sm soft">Implements and uses no traits by declaration.</p>
      </Section>
    );
  return (
    <>
      <TraitList title="Implements" traits={implemented} />
      <TraitList title="Uses" traits={used} />
    </>
  );
}

/** `traits`: trait identifiers, `SP….contract.trait`. */
function TraitList({ title, traits }: { title: string; traits: readonly string[] }) {
  return (
    <Section title={title} count={traits.length}>
      <ul class="card calls pad">
        {traits.map((trait) => {
          const [address, contract, name] = trait.split('.');
          return (
            <li key={trait}>
              <a href={`#/contract/${address}.${contract}`} title={trait}>
                {contract}
              </a>
              <span>{name}</span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

function Copies({ graph }: { graph: ContractGraph | null }) {
  const rows = graph?.copies.first ?? [];
  const [shown, setShown] = useStored('shown copies', COPIES_AT_FIRST);
  const original = graph?.original ?? undefined;
  const count = graph?.copies.count ?? 0;
  if (count === 0 && original === undefined)
    return (
      <Section title="Same source">
        <p class="sm soft">No other contract has this exact source.</p>
      </Section>
    );
  return (
    <Section title="Same source" count={count + (original === undefined ? 0 : 1)}>
      {original !== undefined && (
        <p class="sm">
          First deployed as{' '}
          <a href={`#/contract/${original}`} title={original}>
            {splitContractId(original).name}
          </a>
        </p>
      )}
      {rows.length > 0 && (
        <ByDeployer
          name="copies"
          groups={groupByDeployer(rows.slice(0, shown))}
          openGroups={2}
          shownRows={COPIES_AT_FIRST}
        />
      )}
      <More
        shown={Math.min(shown, rows.length)}
        total={rows.length}
        step={COPIES_AT_FIRST}
        onClick={() => setShown(shown + COPIES_AT_FIRST)}
      />
      <OnlyFirst shown={rows.length} total={count} />
    </Section>
  );
}
