// Draws the search of all contract names for a part of a name, with the tokens and functions that match.
import { useState } from 'preact/hooks';
import { formatCount } from '#text/format-count.ts';
import { type FunctionRow, findEverywhere, type Progress } from '../find-in-blocks.ts';
import { findTokens, type TokenRow } from '../find-tokens.ts';
import { Crumbs } from '../parts/crumbs.tsx';
import { Heading, Section } from '../parts/heading.tsx';
import { More } from '../parts/more.tsx';
import { Problem } from '../parts/note.tsx';
import { ContractRows, TokenRows } from '../parts/rows.tsx';
import { useResponse, useTask } from '../parts/use-response.ts';
import type { ApiStatus } from '../responses.ts';
import { type TokenRows as Rows, readBlock, readBlockIndex, searchFunctions, TOKENS } from '../search.ts';
import { useStored } from '../visits.ts';

const CONTRACTS_AT_ONCE = 100;
const TOKENS_AT_ONCE = 20;
const MAX_FUNCTIONS = 12;

export function Search({ text }: { text: string }) {
  const [stored, setStored] = useStored<Progress>('contracts found', { found: [], read: 0, of: 0 });
  const [isStopped, setStopped] = useStored('is stopped', false);
  const [run, setRun] = useState(0);
  const isComplete = stored.of > 0 && stored.read === stored.of;
  const key = isStopped || isComplete ? undefined : `${text} ${run}`;
  const task = useTask<Progress>(key, async (show) =>
    findEverywhere(await readBlockIndex(), readBlock, text, (progress) => {
      const isWanted = show(progress);
      // A search that goes on reads the same blocks again, most of them from memory.
      if (isWanted && progress.read >= stored.read) setStored({ ...progress, found: [...progress.found] });
      return isWanted;
    }),
  );
  const tokens = findTokens(useResponse<Rows>(TOKENS).content ?? [], text);
  const functions = useTask<readonly FunctionRow[]>(text, async (show) => show(await searchFunctions(text))).content;
  const { found } = stored;
  const isNothing = isComplete && found.length + tokens.length + (functions?.length ?? 0) === 0;
  const goOn = () => {
    setRun(run + 1);
    setStopped(false);
  };
  return (
    <>
      <Crumbs trail={[['Search']]} />
      <Heading title={isNothing ? `Nothing found for “${text}”` : `Results for “${text}”`} />
      {isNothing ? (
        <Nothing />
      ) : (
        <>
          <ProgressCard
            progress={stored}
            isStopped={isStopped}
            isComplete={isComplete}
            onStop={() => setStopped(true)}
            onGoOn={goOn}
          />
          <Problem {...task} title="Not all names could be searched" />
          <div class="two even gap">
            <div class="stack">
              <Contracts ids={found} isComplete={isComplete} />
            </div>
            <div class="stack">
              <Tokens rows={tokens} />
              <Functions rows={functions ?? []} />
            </div>
          </div>
        </>
      )}
    </>
  );
}

interface ProgressProps {
  readonly progress: Progress;
  readonly isStopped: boolean;
  readonly isComplete: boolean;
  readonly onStop: () => void;
  readonly onGoOn: () => void;
}

function ProgressCard({ progress: { found, read, of }, isStopped, isComplete, onStop, onGoOn }: ProgressProps) {
  const count = formatCount(found.length);
  const contracts = found.length === 1 ? 'contract' : 'contracts';
  const end = isComplete
    ? `${count} ${contracts} found`
    : isStopped
      ? `Stopped at ${formatCount(read)} of ${formatCount(of)} blocks. ${count} ${contracts} found.`
      : '';
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset names a form
    <div class="card pad gap0" role="group" aria-label="Progress">
      <div class="row">
        {/* Announced at the end only, not with each of hundreds of blocks. */}
        <span role="status">{end}</span>
        {end === '' && (
          <>
            <span>
              <strong class="num">{count}</strong> {contracts} so far
            </span>
            <span class="soft sm num">
              searching {formatCount(read)} of {formatCount(of)} blocks of names
            </span>
            <button type="button" class="btn small last" onClick={onStop}>
              Stop
            </button>
          </>
        )}
        {isStopped && !isComplete && (
          <button type="button" class="btn small last" onClick={onGoOn}>
            Go on
          </button>
        )}
      </div>
      {!isComplete && (
        <div
          class="meter"
          role="progressbar"
          aria-label="Blocks searched"
          aria-valuenow={read}
          aria-valuemin={0}
          aria-valuemax={of}
        >
          <span style={{ width: `${of === 0 ? 0 : (100 * read) / of}%` }} />
        </div>
      )}
    </div>
  );
}

function Contracts({ ids, isComplete }: { ids: readonly string[]; isComplete: boolean }) {
  const [shown, setShown] = useStored('shown contracts', CONTRACTS_AT_ONCE);
  const note = isComplete ? `${formatCount(ids.length)}, by name` : `${formatCount(ids.length)} so far`;
  return (
    <Section title="Contracts" note={note}>
      {ids.length === 0 ? (
        <p class="soft">{isComplete ? 'No contract has this in its name.' : 'None so far.'}</p>
      ) : (
        <ContractRows ids={ids.slice(0, shown)} />
      )}
      <More
        shown={Math.min(shown, ids.length)}
        total={ids.length}
        step={CONTRACTS_AT_ONCE}
        onClick={() => setShown(shown + CONTRACTS_AT_ONCE)}
      />
    </Section>
  );
}

function Tokens({ rows }: { rows: readonly TokenRow[] }) {
  const [shown, setShown] = useStored('shown tokens', TOKENS_AT_ONCE);
  if (rows.length === 0) return null;
  return (
    <Section title="Tokens" count={rows.length} note="Best match first">
      <TokenRows rows={rows.slice(0, shown)} />
      <More
        shown={Math.min(shown, rows.length)}
        total={rows.length}
        step={TOKENS_AT_ONCE}
        onClick={() => setShown(shown + TOKENS_AT_ONCE)}
      />
    </Section>
  );
}

function Functions({ rows }: { rows: readonly FunctionRow[] }) {
  return (
    <Section title="Functions" count={rows.length} note="By name">
      <ol class="rows card">
        {rows.slice(0, MAX_FUNCTIONS).map(([name, count]) => (
          <li key={name}>
            <a class="it" href={`#/function/${name}`}>
              <span class="main">
                <bdi class="mono">{name}</bdi>
              </span>
              <span class="num">
                {formatCount(count)}
                <small>{count === 1 ? 'contract' : 'contracts'}</small>
              </span>
            </a>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Nothing() {
  const { content: status } = useResponse<ApiStatus>('metadata/v1/index.json');
  const height = status?.chain_tip?.block_height;
  return (
    <div class="blank">
      {status !== undefined && (
        <p>
          The names of all {formatCount(status.contracts)} contracts and {formatCount(status.tokens.ft)} tokens were
          searched.
        </p>
      )}
      <ul>
        <li>Check the spelling, or type only the first letters of the name.</li>
        <li>
          An address starts with <code>SP</code> or <code>SM</code>. A contract id is an address, a dot and a name.
        </li>
        <li>Transactions and blocks are not on this site.</li>
        {height !== undefined && <li>Contracts deployed after block {formatCount(height)} are not here yet.</li>}
      </ul>
      <a class="btn" href="#/">
        Browse all tokens
      </a>
    </div>
  );
}
