// Draws all that matches a text: contracts by their names and ids, and tokens. One file has all names of contracts.
import { useMemo } from 'preact/hooks';
import type { ContractNames } from '#routes/search-blocks.ts';
import { formatCount } from '#text/format-count.ts';
import { findByPart } from '../find-by-part.ts';
import { findContracts } from '../find-in-blocks.ts';
import { findTokens, STANDARDS } from '../find-tokens.ts';
import { Crumbs } from '../parts/basics.tsx';
import { FoundContracts, type FoundName } from '../parts/found-contracts.tsx';
import { cut, Heading, Section } from '../parts/heading.tsx';
import { Id } from '../parts/id.tsx';
import { Problem } from '../parts/note.tsx';
import { NothingFound } from '../parts/nothing-found.tsx';
import { LongTokenRows } from '../parts/rows.tsx';
import { Lines, Placeholder, Shown } from '../parts/skeleton.tsx';
import { useResponse, useTask } from '../parts/use-response.ts';
import { type TokenRows as Rows, readBlock, readBlockIndex, TOKENS } from '../search.ts';
import { readAddress, readSearchText } from '../search-text.ts';
import { readJson } from '../site.ts';

const TOKENS_AT_ONCE = 10;
/** Shorter texts are the beginning of too many addresses. */
const MIN_ADDRESS = 4;
/** A search for the beginning of an address stops after this number of contracts. */
const ENOUGH = 200;
const MAX_TITLE = 60;

export function Search({ text: typed }: { text: string }) {
  const { text } = readSearchText(typed);
  const address = readAddress(text);
  const names = useTask<ContractNames>(text, async (show) => show(await readJson('search/names/index.json')));
  const byId = useTask<readonly string[]>(text, async (show) => show(await findIds(address ?? text)));
  const rows = useResponse<Rows>(TOKENS);
  const tokens = useMemo(() => findTokens(rows.content ?? [], text), [rows.content, text]);
  const byName = useMemo(() => names.content && findByPart(names.content, text), [names.content, text]);
  const contracts: readonly FoundName[] = [...(byId.content ?? []).map(nameOfId), ...(byName ?? [])];
  const standards = useMemo(
    () => new Map(rows.content?.map(([kind, id]) => [id, STANDARDS[kind] ?? kind])),
    [rows.content],
  );
  // All parts are drawn together, so that no part moves another.
  const isSettled = [names, byId, rows].every((part) => (part.content ?? part.error) !== undefined);
  const isNothing = isSettled && byName !== undefined && contracts.length + tokens.length === 0;
  const shown = cut(typed.trim(), MAX_TITLE);
  return (
    <>
      <Crumbs trail={[['Search']]} />
      <Heading title={isNothing ? `Nothing found for “${shown}”` : `Results for “${shown}”`} />
      <p class={isNothing ? 'unseen' : 'soft'} role="status">
        {isSettled && byName && summaryOf(contracts)}
      </p>
      {!isSettled ? (
        <Placeholder name="results">
          <Lines />
        </Placeholder>
      ) : isNothing && names.content !== undefined ? (
        <NothingFound text={text} names={names.content} tokens={rows.content ?? []} />
      ) : (
        <div class="two even gap">
          <div class="stack">
            <Problem {...byId} title="Addresses could not be searched" />
            {address !== undefined && <AddressLink address={address} />}
            <Section title="Contracts" note="Best match first">
              <Shown loaded={{ ...names, content: byName && contracts }} name="names of contracts">
                {(found) =>
                  found.length === 0 ? (
                    <p class="soft">No contract has this in its name.</p>
                  ) : (
                    <FoundContracts names={found} standards={standards} />
                  )
                }
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

/** Finds contracts by the beginning of their id. */
async function findIds(text: string): Promise<readonly string[]> {
  if (text.length < MIN_ADDRESS) return [];
  const { addresses } = await readBlockIndex();
  return (await findContracts({ names: [], addresses }, readBlock, text, ENOUGH)).found;
}

function nameOfId(id: string): FoundName {
  return { name: id.slice(id.indexOf('.') + 1), count: 1, blocks: [], id };
}

function summaryOf(contracts: readonly FoundName[]): string {
  const total = contracts.reduce((sum, { count }) => sum + count, 0);
  return `${formatCount(total)} ${total === 1 ? 'contract' : 'contracts'} found`;
}

function AddressLink({ address }: { address: string }) {
  return (
    <ul class="rows card">
      <li>
        <a class="it" href={`#/address/${address}`}>
          <span class="main">
            <span>All contracts of this address</span>
            <Id id={address} hasCopy={false} />
          </span>
        </a>
      </li>
    </ul>
  );
}
