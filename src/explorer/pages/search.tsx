// Draws all contracts whose name has a text in it: reads every block of names, which the search box never does.
import { useEffect, useState } from 'preact/hooks';
import { formatCount } from '#text/format-count.ts';
import { type ContractFence, findEverywhere, type Progress } from '../find-contracts.ts';
import { Heading } from '../parts/heading.tsx';
import { Problem } from '../parts/pieces.tsx';
import { ask, type Trouble, toTrouble } from '../site.ts';

/** Beyond this many results, a longer search is quicker. */
const MOST_SHOWN = 500;

export function Search({ text }: { text: string }) {
  const [progress, setProgress] = useState<Progress>();
  const [trouble, setTrouble] = useState<Trouble>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    setTrouble(undefined);
    const show = (now: Progress) => {
      if (isCurrent) setProgress(now);
      return isCurrent && now.found.length < MOST_SHOWN;
    };
    ask<ContractFence>('search/contracts/index.json')
      .then((fence) => findEverywhere(fence, (id) => ask(`search/contracts/${id}`), text, show))
      .catch((error: unknown) => isCurrent && setTrouble(toTrouble(error)));
    return () => {
      isCurrent = false;
    };
  }, [text, tries]);
  const { found = [], read = 0, of = 0 } = progress ?? {};
  const isDone = progress !== undefined && (read === of || found.length >= MOST_SHOWN);
  return (
    <>
      <Heading title={`Contracts with “${text}” in their name`} />
      {/* Said aloud when all is read, not with each of hundreds of blocks. */}
      <p class="soft" role="status">
        {isDone &&
          `${found.length < MOST_SHOWN ? formatCount(found.length) : `${formatCount(MOST_SHOWN)} or more`} found.`}
      </p>
      {!isDone && (
        <p class="soft">
          {formatCount(found.length)} found so far, in {formatCount(read)} of {formatCount(of)} blocks of names.
        </p>
      )}
      {trouble !== undefined && <Problem trouble={trouble} retry={() => setTries(tries + 1)} />}
      <ul class="newest">
        {found.slice(0, MOST_SHOWN).map((id) => (
          <li key={id}>
            <a href={`#/contract/${id}`}>{id}</a>
          </li>
        ))}
      </ul>
    </>
  );
}
