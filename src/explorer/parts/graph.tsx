// Draws the callers of a contract, its calls, its traits, and contracts with the same source.
import { splitContractId } from '#model/principal.ts';
import { formatCount } from '#text/format-count.ts';
import type { ContractGraph } from '../responses.ts';
import { ContractList } from './contract-list.tsx';
import { Section } from './heading.tsx';
import { Shown } from './skeleton.tsx';
import { useGraph } from './use-response.ts';

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
  const total = list?.count ?? 0;
  return (
    <Section
      title="Called by"
      count={total}
      empty="No contract calls this one, as far as this site knows."
      note="In the order of their deploys"
    >
      <ContractList name="callers" rows={rows} />
      <OnlyFirst shown={rows.length} total={total} />
    </Section>
  );
}

/** A note that a list has only its first rows, in the order of the chain. */
function OnlyFirst({ shown, total }: { shown: number; total: number }) {
  if (shown >= total) return null;
  return <p class="sm soft gap0">Only the first {formatCount(shown)} of the chain are listed.</p>;
}

function Calls({ graph }: { graph: ContractGraph | null }) {
  const calls = graph?.calls ?? [];
  const onTraits = graph?.on_traits ?? [];
  return (
    <>
      <Section title="Calls" count={calls.length} empty="This contract calls no other one by name.">
        {graph?.partial && <p class="sm soft">The source names more than these.</p>}
        <ContractList name="calls" rows={calls} />
      </Section>
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
  const hasNone = implemented.length + used.length === 0;
  return (
    <>
      {hasNone && <Section title="Traits" count={0} empty="Implements and uses no traits by declaration." />}
      <TraitList title="Implements" traits={implemented} />
      <TraitList title="Uses" traits={used} />
    </>
  );
}

/** `traits`: trait identifiers, `SP….contract.trait`. */
function TraitList({ title, traits }: { title: string; traits: readonly string[] }) {
  const byContract = Map.groupBy(traits, (trait) => trait.slice(0, trait.lastIndexOf('.')));
  const rows = [...byContract].map(([id, names]) => [id, ...names.map((trait) => trait.slice(id.length + 1))]);
  return (
    <Section title={title} count={traits.length}>
      <ContractList name={title} rows={rows} />
    </Section>
  );
}

function Copies({ graph }: { graph: ContractGraph | null }) {
  const rows = graph?.copies.first ?? [];
  const original = graph?.original ?? undefined;
  const count = graph?.copies.count ?? 0;
  return (
    <Section
      title="Same source"
      count={count + (original === undefined ? 0 : 1)}
      empty="No other contract has this exact source."
    >
      {original !== undefined && (
        <p class="sm">
          First deployed as{' '}
          <a href={`#/contract/${original}`} title={original}>
            {splitContractId(original).name}
          </a>
        </p>
      )}
      {rows.length > 0 && <ContractList name="copies" rows={rows} />}
      <OnlyFirst shown={rows.length} total={count} />
    </Section>
  );
}
