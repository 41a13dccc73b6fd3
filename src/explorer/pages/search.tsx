// Draws all contracts whose name has a text in it: reads every block of names, which the search box never does.
import { formatCount } from '#text/format-count.ts';
import { findEverywhere, type Progress } from '../find-in-blocks.ts';
import { Heading, Links, Problem, toContract } from '../parts/pieces.tsx';
import { useTask } from '../parts/use-response.ts';
import { askBlock, requestBlockIndex } from '../search.ts';

/** Beyond this many results, a longer search is quicker. */
const MOST_SHOWN = 500;

export function Search({ text }: { text: string }) {
  const asked = useTask<Progress>(text, async (show) =>
    findEverywhere(await requestBlockIndex(), askBlock, text, (now) => show(now) && now.found.length < MOST_SHOWN),
  );
  const { found, read, of } = asked.answer ?? { found: [], read: 0, of: 0 };
  const isDone = asked.answer !== undefined && (read === of || found.length >= MOST_SHOWN);
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
      <Problem {...asked} />
      <Links links={found.slice(0, MOST_SHOWN).map(toContract)} />
    </>
  );
}
