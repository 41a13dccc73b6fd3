// Draws what a contract calls, what calls it, its traits, and contracts with the very same source.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatCount } from '#text/format-count.ts';
import type { ContractGraph } from '../answers.ts';
import { ask, type Trouble, toTrouble } from '../site.ts';
import { Problem, Shown } from './pieces.tsx';
import { useAnswer } from './use-answer.ts';

/** A contract id, and the functions of it that are called. */
type Row = readonly string[];

export function GraphOf({ contractId }: { contractId: string }) {
  const asked = useAnswer<ContractGraph>(`graph/${contractId}`);
  // A site of tokens alone has no such answers.
  if (asked.state === 'trouble' && asked.trouble.status === 404) return <Nothing />;
  return <Shown asked={asked}>{(graph) => <Parts graph={graph} contractId={contractId} />}</Shown>;
}

function Parts({ graph, contractId }: { graph: ContractGraph; contractId: string }) {
  const { calls, on_traits: onTraits, called_by: callers, copies, original } = graph;
  const isEmpty = [calls, onTraits, graph.implements, graph.uses, callers.first, copies.first].every(
    (all) => !all.length,
  );
  if (isEmpty && original === null) return <Nothing />;
  return (
    <>
      <Section title="Calls" count={calls.length}>
        <ul class="newest">
          {calls.map((call) => (
            <CallLine key={call[0]} call={call} />
          ))}
        </ul>
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
      <Traits title="Implements" traits={graph.implements} />
      <Traits title="Uses" traits={graph.uses} />
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

interface SectionProps {
  readonly title: string;
  readonly count: number;
  readonly children: ComponentChildren;
}

function Section({ title, count, children }: SectionProps) {
  if (count === 0) return null;
  return (
    <section>
      <h2>
        {title} <span class="soft">{formatCount(count)}</span>
      </h2>
      {children}
    </section>
  );
}

function CallLine({ call: [id = '', ...functions] }: { call: Row }) {
  return (
    <li>
      <a href={`#/contract/${id}`}>{id}</a> <code class="soft">{functions.join(' ')}</code>
    </li>
  );
}

/** A trait is of a contract, `SP….name.trait`. */
function Traits({ title, traits }: { title: string; traits: readonly string[] }) {
  return (
    <Section title={title} count={traits.length}>
      <ul class="newest">
        {traits.map((trait) => (
          <li key={trait}>
            <a href={`#/contract/${trait.split('.').slice(0, 2).join('.')}`}>{trait}</a>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The first ones, and the others page by page when a reader asks for them. */
function Pages({ of: { count, first, pages }, path }: { of: ContractGraph['called_by']; path: string }) {
  const [read, setRead] = useState<{ readonly entries: readonly Row[]; readonly pages: number }>();
  const [trouble, setTrouble] = useState<Trouble>();
  const more = () =>
    ask<Row[]>(`${path}/${read?.pages ?? 0}`).then(
      (page) => {
        setTrouble(undefined);
        setRead({ entries: [...(read?.entries ?? []), ...page], pages: (read?.pages ?? 0) + 1 });
      },
      (error: unknown) => setTrouble(toTrouble(error)),
    );
  const entries = read?.entries ?? first;
  return (
    <>
      <ul class="newest">
        {entries.map((row) => (
          <CallLine key={row[0]} call={row} />
        ))}
      </ul>
      {trouble !== undefined && <Problem trouble={trouble} />}
      {entries.length < count && (read?.pages ?? 0) < pages && (
        <button type="button" onClick={more}>
          {formatCount(count - entries.length)} more
        </button>
      )}
    </>
  );
}
