// Draws what a contract calls, what calls it, its traits, and contracts with the very same source.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatCount } from '#text/format-count.ts';
import { ask, type Trouble, toTrouble } from '../site.ts';
import { Problem, Shown } from './pieces.tsx';
import { useAnswer } from './use-answer.ts';

/** A contract, and the functions of it that are called. */
type Call = readonly [contractId: string, ...functions: string[]];

interface Counted<Entry> {
  readonly count: number;
  readonly first: readonly Entry[];
  /** How many pages list all of them. */
  readonly pages: number;
}

interface Graph {
  readonly calls: readonly Call[];
  /** Functions that are called on whatever contract is passed as a trait. */
  readonly on_traits: readonly string[];
  readonly implements: readonly string[];
  readonly uses: readonly string[];
  readonly called_by: Counted<Call>;
  /** The first contract with the same source, if it is another. */
  readonly original: string | null;
  readonly copies: Counted<string>;
}

export function GraphOf({ contractId }: { contractId: string }) {
  const asked = useAnswer<Graph>(`graph/${contractId}`);
  if (asked.state === 'trouble' && asked.trouble.status === 404)
    return <p class="soft">No call of it or by it is known, no trait, and no other contract with its source.</p>;
  return <Shown asked={asked}>{(graph) => <Parts graph={graph} contractId={contractId} />}</Shown>;
}

function Parts({ graph, contractId }: { graph: Graph; contractId: string }) {
  const { calls, on_traits: onTraits, called_by: callers, copies, original } = graph;
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
        <Pages of={callers} path={`graph/called-by/${contractId}`} draw={(call) => <CallLine call={call} />} />
      </Section>
      <Traits title="Implements" traits={graph.implements} />
      <Traits title="Uses" traits={graph.uses} />
      <Section title="The very same source" count={copies.count + (original === null ? 0 : 1)}>
        {original !== null && (
          <p>
            First deployed as <a href={`#/contract/${original}`}>{original}</a>
          </p>
        )}
        <Pages of={copies} path={`graph/copies/${contractId}`} draw={(id) => <ContractLine id={id} />} />
      </Section>
    </>
  );
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

function CallLine({ call: [id, ...functions] }: { call: Call }) {
  return (
    <li>
      <a href={`#/contract/${id}`}>{id}</a> <code class="soft">{functions.join(' ')}</code>
    </li>
  );
}

function ContractLine({ id }: { id: string }) {
  return (
    <li>
      <a href={`#/contract/${id}`}>{id}</a>
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

interface PagesProps<Entry> {
  readonly of: Counted<Entry>;
  readonly path: string;
  readonly draw: (entry: Entry) => ComponentChildren;
}

/** The first ones, and the others page by page when a reader asks for them. */
function Pages<Entry>({ of: { count, first, pages }, path, draw }: PagesProps<Entry>) {
  const [read, setRead] = useState<{ readonly entries: readonly Entry[]; readonly pages: number }>();
  const [trouble, setTrouble] = useState<Trouble>();
  const more = () =>
    ask<Entry[]>(`${path}/${read?.pages ?? 0}`).then(
      (page) => {
        setTrouble(undefined);
        setRead({ entries: [...(read?.entries ?? []), ...page], pages: (read?.pages ?? 0) + 1 });
      },
      (error: unknown) => setTrouble(toTrouble(error)),
    );
  const entries = read?.entries ?? first;
  return (
    <>
      <ul class="newest">{entries.map(draw)}</ul>
      {trouble !== undefined && <Problem trouble={trouble} />}
      {entries.length < count && (read?.pages ?? 0) < pages && (
        <button type="button" onClick={more}>
          {formatCount(count - entries.length)} more
        </button>
      )}
    </>
  );
}
