// Draws what contains a text: names of contracts, and tokens. One file has all names of contracts.
import type { ContractNames } from '#routes/search-blocks.ts';
import { formatCount } from '#text/format-count.ts';
import { findByPart, type NameMatch } from '../find-by-part.ts';
import { findTokens } from '../find-tokens.ts';
import { Crumbs, useFirstRows } from '../parts/basics.tsx';
import { Heading, Section } from '../parts/heading.tsx';
import { Problem } from '../parts/note.tsx';
import { LongTokenRows } from '../parts/rows.tsx';
import { Lines, Placeholder, Shown } from '../parts/skeleton.tsx';
import { useResponse, useTask } from '../parts/use-response.ts';
import type { ApiStatus } from '../responses.ts';
import { type TokenRows as Rows, TOKENS } from '../search.ts';
import { readJson } from '../site.ts';

const NAMES_AT_FIRST = 50;
const MORE_NAMES = 100;
const TOKENS_AT_ONCE = 10;

export function Search({ text }: { text: string }) {
  const names = useTask<readonly NameMatch[]>(text, async (show) =>
    show(findByPart(await readJson<ContractNames>('search/names/index.json'), text)),
  );
  const rows = useResponse<Rows>(TOKENS);
  const tokens = findTokens(rows.content ?? [], text);
  // All parts are drawn together, so that no part moves another.
  const isSettled = [names, rows].every((part) => (part.content ?? part.error) !== undefined);
  const count = (names.content?.length ?? 1) + tokens.length;
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
                {(matches) => <Names names={matches} />}
              </Shown>
            </Section>
          </div>
          <aside class="stack" aria-label="Tokens">
            <Problem {...rows} title="Tokens could not be searched" />
            <Section title="Tokens" count={tokens.length} note="Best match first">
              <LongTokenRows rows={tokens} name="shown tokens" atFirst={TOKENS_AT_ONCE} />
            </Section>
          </aside>
        </div>
      )}
    </>
  );
}

function summaryOf(names: readonly NameMatch[]): string {
  const total = names.reduce((sum, { count }) => sum + count, 0);
  return `${formatCount(total)} ${total === 1 ? 'contract' : 'contracts'} found`;
}

function Names({ names }: { names: readonly NameMatch[] }) {
  const [first, more] = useFirstRows('shown names', names, NAMES_AT_FIRST, MORE_NAMES);
  if (names.length === 0) return <p class="soft">No contract has this in its name.</p>;
  return (
    <>
      <ol class="rows card">
        {first.map(({ name, count }) => (
          <li key={name}>
            <a class="it" href={`#/name/${name}`}>
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
      {more}
    </>
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
