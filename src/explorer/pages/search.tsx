// Draws what contains a text: names of contracts, tokens and functions. One file has all names of contracts.
import type { ContractNames } from '#routes/search-blocks.ts';
import { formatCount } from '#text/format-count.ts';
import { findByPart, type PartMatches, type PatternMatch } from '../find-by-part.ts';
import type { FunctionRow } from '../find-in-blocks.ts';
import { findTokens } from '../find-tokens.ts';
import { Crumbs } from '../parts/crumbs.tsx';
import { Heading, Section } from '../parts/heading.tsx';
import { More } from '../parts/more.tsx';
import { Problem } from '../parts/note.tsx';
import { LongTokenRows } from '../parts/rows.tsx';
import { Lines, Placeholder, Shown } from '../parts/skeleton.tsx';
import { useResponse, useTask } from '../parts/use-response.ts';
import type { ApiStatus } from '../responses.ts';
import { type TokenRows as Rows, searchFunctions, TOKENS } from '../search.ts';
import { readJson } from '../site.ts';
import { useStored } from '../visits.ts';

const NAMES_AT_FIRST = 50;
const MORE_NAMES = 100;
const TOKENS_AT_ONCE = 10;
const MAX_FUNCTIONS = 12;

export function Search({ text }: { text: string }) {
  const names = useTask<PartMatches>(text, async (show) =>
    show(findByPart(await readJson<ContractNames>('search/names/index.json'), text)),
  );
  const rows = useResponse<Rows>(TOKENS);
  const functions = useTask<readonly FunctionRow[]>(text, async (show) => show(await searchFunctions(text)));
  const tokens = findTokens(rows.content ?? [], text);
  // All parts are drawn together, so that no part moves another.
  const isSettled = [names, rows, functions].every((part) => (part.content ?? part.error) !== undefined);
  const count = (names.content?.total ?? 1) + tokens.length + (functions.content?.length ?? 0);
  const isNothing = isSettled && count === 0;
  return (
    <>
      <Crumbs trail={[['Search']]} />
      <Heading title={isNothing ? `Nothing found for “${text}”` : `Results for “${text}”`} />
      <p class={isNothing ? 'unseen' : 'soft'} role="status">
        {isSettled && names.content && summaryOf(names.content)}
      </p>
      {!isSettled ? (
        <Placeholder name="results">
          <Lines />
        </Placeholder>
      ) : isNothing ? (
        <Nothing />
      ) : (
        <div class="two even gap">
          <div class="stack">
            <Section title="Contracts" note="By name">
              <Shown loaded={names} name="names of contracts">
                {(matches) => <Names matches={matches} />}
              </Shown>
            </Section>
          </div>
          <aside class="stack" aria-label="Tokens and functions">
            <Problem {...rows} title="Tokens could not be searched" />
            <Section title="Tokens" count={tokens.length} note="Best match first">
              <LongTokenRows rows={tokens} name="shown tokens" atFirst={TOKENS_AT_ONCE} />
            </Section>
            <Problem {...functions} title="Functions could not be searched" />
            <Functions rows={functions.content ?? []} />
          </aside>
        </div>
      )}
    </>
  );
}

function summaryOf({ total, isExact }: PartMatches): string {
  const contracts = total === 1 ? 'contract' : 'contracts';
  return `${isExact ? '' : 'at least '}${formatCount(total)} ${contracts} found`;
}

function Names({ matches: { names, patterns } }: { matches: PartMatches }) {
  const [shown, setShown] = useStored('shown names', NAMES_AT_FIRST);
  if (names.length + patterns.length === 0) return <p class="soft">No contract has this in its name.</p>;
  return (
    <>
      <ol class="rows card">
        {patterns.map((pattern) => (
          <PatternRow key={pattern.pattern} match={pattern} />
        ))}
        {names.slice(0, shown).map(({ name, count, block }) => (
          <CountRow key={`${name} ${block}`} page="name" name={name} count={count} />
        ))}
      </ol>
      <More
        shown={Math.min(shown, names.length)}
        total={names.length}
        step={MORE_NAMES}
        onClick={() => setShown(shown + MORE_NAMES)}
      />
    </>
  );
}

interface CountRowProps {
  readonly page: 'name' | 'function';
  readonly name: string;
  /** The number of contracts. */
  readonly count: number;
}

function CountRow({ page, name, count }: CountRowProps) {
  return (
    <li>
      <a class="it" href={`#/${page}/${name}`}>
        <span class="main">
          <bdi class="mono">{name}</bdi>
        </span>
        <Count count={count} />
      </a>
    </li>
  );
}

function PatternRow({ match: { pattern, count } }: { match: PatternMatch }) {
  return (
    <li class="it">
      <span class="main">
        <bdi class="mono">{pattern}</bdi>
        <span class="sm soft">Names with numbers. Type one in the search, such as {pattern.replaceAll('#', '1')}</span>
      </span>
      <Count count={count} />
    </li>
  );
}

function Count({ count }: { count: number }) {
  return (
    <span class="num">
      {formatCount(count)}
      <small>{count === 1 ? 'contract' : 'contracts'}</small>
    </span>
  );
}

function Functions({ rows }: { rows: readonly FunctionRow[] }) {
  return (
    <Section title="Functions" count={rows.length} note="By name">
      <ol class="rows card">
        {rows.slice(0, MAX_FUNCTIONS).map(([name, count]) => (
          <CountRow key={name} page="function" name={name} count={count} />
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
