// Draws the contracts that have a function of a name, as far as the search files name them.
import { useEffect, useState } from 'preact/hooks';
import { formatCount } from '#text/format-count.ts';
import type { FunctionRow } from '../find-functions.ts';
import { Heading } from '../parts/heading.tsx';
import { Shown } from '../parts/pieces.tsx';
import type { Asked } from '../parts/use-answer.ts';
import { searchFunctions } from '../search.ts';
import { toTrouble } from '../site.ts';

export function FunctionPage({ name }: { name: string }) {
  const [asked, setAsked] = useState<Asked<FunctionRow | undefined>>({ state: 'waiting' });
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    const set = (now: Asked<FunctionRow | undefined>) => isCurrent && setAsked(now);
    searchFunctions(name).then(
      (rows) => set({ state: 'there', answer: rows.find(([own]) => own === name) }),
      (error: unknown) => set({ state: 'trouble', trouble: toTrouble(error), retry: () => setTries(tries + 1) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [name, tries]);
  return (
    <>
      <Heading title={`Contracts with a function ${name}`} />
      <Shown asked={asked}>{(row) => (row === undefined ? <p>None is known.</p> : <Contracts row={row} />)}</Shown>
    </>
  );
}

function Contracts({ row: [, count, ...ids] }: { row: FunctionRow }) {
  return (
    <>
      <p class="soft">
        {ids.length === count
          ? `${formatCount(count)} in all.`
          : `${formatCount(count)} in all; the first ${formatCount(ids.length)} are named.`}
      </p>
      <ul class="newest">
        {ids.map((id) => (
          <li key={id}>
            <a href={`#/contract/${id}/interface`}>{id}</a>
          </li>
        ))}
      </ul>
    </>
  );
}
