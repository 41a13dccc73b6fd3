// Draws what a contract calls, what calls it, its traits, and contracts with the very same source.
import { useState } from 'preact/hooks';
import type { ContractGraph } from '../responses.ts';
import { sha256 } from '../sha256.ts';
import { ask, type SiteError, toSiteError } from '../site.ts';
import { type Link, Links, More, Problem, Section, Shown, toContract } from './pieces.tsx';
import { useResponse } from './use-response.ts';

/** A contract id, and the functions of it that are called. */
type Row = readonly string[];

export function GraphOf({ contractId }: { contractId: string }) {
  const asked = useResponse<Readonly<Record<string, ContractGraph>>>(`graph/${sha256(contractId).slice(0, 3)}.json`);
  // A site of tokens alone has no such answers.
  if (asked.trouble?.status === 404) return <Nothing />;
  return <Shown asked={asked}>{({ [contractId]: graph }) => (graph ? <Parts graph={graph} /> : <Nothing />)}</Shown>;
}

function Parts({ graph }: { graph: ContractGraph }) {
  const { contract_id: contractId } = graph;
  const { calls, on_traits: onTraits, called_by: callers, copies, original } = graph;
  const isEmpty = [calls, onTraits, graph.implements, graph.uses, callers.first, copies.first].every(
    (all) => !all.length,
  );
  if (isEmpty && original === null) return <Nothing />;
  return (
    <>
      <Section title="Calls" count={calls.length}>
        <Links links={calls.map(toLink)} />
      </Section>
      <Section title="Calls on traits" count={onTraits.length}>
        <p>
          {onTraits.map((name, index) => (
            <span key={name}>
              {index > 0 && ', '}
              <a href={`#/function/${name}`}>
                <code>{name}</code>
              </a>
            </span>
          ))}
        </p>
      </Section>
      <Section title="Called by" count={callers.count}>
        <Pages of={callers} path={`graph/lists/called-by/${contractId}`} />
      </Section>
      <Section title="Implements" count={graph.implements.length}>
        <Links links={graph.implements.map(toTrait)} />
      </Section>
      <Section title="Uses" count={graph.uses.length}>
        <Links links={graph.uses.map(toTrait)} />
      </Section>
      <Section title="The very same source" count={copies.count + (original === null ? 0 : 1)}>
        {original !== null && (
          <p>
            First deployed as <a href={`#/contract/${original}`}>{original}</a>
          </p>
        )}
        <Pages of={copies} path={`graph/lists/copies/${contractId}`} />
      </Section>
    </>
  );
}

function Nothing() {
  return <p class="soft">No call of it or by it is known, no trait, and no other contract with its source.</p>;
}

function toLink([id = '', ...functions]: Row): Link {
  return { ...toContract(id), more: <code class="soft">{functions.join(' ')}</code> };
}

/** A trait is of a contract, `SP….name.trait`. */
function toTrait(trait: string): Link {
  return { ...toContract(trait.split('.').slice(0, 2).join('.')), text: trait };
}

/** The first ones, and the others page by page when a reader asks for them. */
function Pages({ of: { count, first, pages }, path }: { of: ContractGraph['called_by']; path: string }) {
  const [{ rows, read }, setRead] = useState<{ rows: readonly Row[]; read: number }>({ rows: first, read: 0 });
  const [trouble, setTrouble] = useState<SiteError>();
  const more = () =>
    ask<Row[]>(`${path}/${read}`).then(
      (page) => {
        setTrouble(undefined);
        setRead({ rows: [...(read === 0 ? [] : rows), ...page], read: read + 1 });
      },
      (error: unknown) => setTrouble(toSiteError(error)),
    );
  return (
    <>
      <Links links={rows.map(toLink)} />
      <Problem trouble={trouble} />
      {read < pages && <More left={count - rows.length} onClick={more} />}
    </>
  );
}
