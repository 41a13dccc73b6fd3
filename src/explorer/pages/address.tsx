// Draws an address: its tokens and collections, and all contracts that it deployed.
import { splitContractId } from '#model/principal.ts';
import { formatCount } from '#text/format-count.ts';
import { findOfAddress, type Progress } from '../find-in-blocks.ts';
import { sortTokens } from '../find-tokens.ts';
import { shortAddress } from '../format.ts';
import { Badge, Crumbs, Fact, Facts, Filter, NoMatch, Tile, useFirstRows } from '../parts/basics.tsx';
import { Heading, Section } from '../parts/heading.tsx';
import { Id } from '../parts/id.tsx';
import { Problem } from '../parts/note.tsx';
import { LongTokenRows } from '../parts/rows.tsx';
import { Bar } from '../parts/skeleton.tsx';
import { useResponse, useTask } from '../parts/use-response.ts';
import { type TokenRows as Rows, readBlock, readBlockIndex, TOKENS } from '../search.ts';
import { useStored } from '../visits.ts';

const SHOWN_AT_ONCE = 200;
const TOKENS_AT_FIRST = 20;
/** Shorter lists need no filter. */
const MIN_TO_FILTER = 20;
const NOTHING_YET: Progress = { found: [], read: 0, of: Number.POSITIVE_INFINITY };

export function Address({ address }: { address: string }) {
  const tokens = useResponse<Rows>(TOKENS);
  // Stored, so that the list has its length again after Back.
  const [{ found: ids, read, of }, setDeployed] = useStored<Progress>('deployed', NOTHING_YET);
  const isComplete = read === of;
  const [text, setText] = useStored('filter', '');
  const search = useTask<Progress>(address, async (show) =>
    findOfAddress(await readBlockIndex(), readBlock, address, (progress) => {
      const isWanted = show(progress);
      // The list may be restored from an earlier visit. Until the search is complete, only a longer list replaces it.
      if (isWanted && (progress.read === progress.of || progress.found.length > ids.length)) setDeployed(progress);
      return isWanted;
    }),
  );
  const rows = sortTokens((tokens.content ?? []).filter(([, id]) => id.startsWith(`${address}.`)));
  const matching = ids.filter((id) => id.toLowerCase().includes(text.trim().toLowerCase(), address.length + 1));
  const [first, more] = useFirstRows('shown', matching, SHOWN_AT_ONCE);
  const count = (kinds: readonly string[]) => rows.filter(([kind]) => kinds.includes(kind)).length;
  return (
    <>
      <Crumbs trail={[['Address']]} />
      <div class="title">
        <Tile id={address} size="l" />
        <div>
          <div class="row">
            <Badge>Address</Badge>
          </div>
          <Heading title={`Address ${shortAddress(address)}`} text="">
            <Id id={address} isFull />
          </Heading>
        </div>
      </div>
      <Facts>
        <Fact name="Contracts">
          {isComplete ? formatCount(ids.length) : search.error === undefined ? <Bar width="4rem" /> : undefined}
        </Fact>
        <Fact name="Tokens">{tokens.content && formatCount(count(['ft']))}</Fact>
        <Fact name="Collections">{tokens.content && formatCount(count(['nft', 'sft']))}</Fact>
      </Facts>
      <Problem
        error={tokens.content === undefined ? tokens.error : undefined}
        retry={tokens.retry}
        title="The tokens could not be loaded"
      />
      <Section
        title="Tokens and collections"
        count={rows.length}
        note="By number of addresses whose contracts call them"
      >
        <LongTokenRows rows={rows} name="shown tokens" atFirst={TOKENS_AT_FIRST} step={SHOWN_AT_ONCE} />
      </Section>
      <Section
        title="Contracts"
        isWaiting={tokens.content === undefined && tokens.error === undefined}
        note={ids.length > MIN_TO_FILTER ? <Filter label="Filter by name" value={text} onInput={setText} /> : 'By name'}
      >
        <Problem {...search} title="The contracts could not be loaded" />
        <p class={ids.length === 0 ? 'soft' : 'unseen'} role="status">
          {isComplete &&
            (ids.length === 0
              ? 'This address has deployed no contract that this site knows.'
              : `${formatCount(ids.length)} contracts`)}
        </p>
        {matching.length > 0 && (
          <div class="card pad">
            <ul class="names">
              {first.map((id) => (
                <li key={id}>
                  <a href={`#/contract/${id}`}>{splitContractId(id).name}</a>
                </li>
              ))}
            </ul>
          </div>
        )}
        {matching.length === 0 && ids.length > 0 && <NoMatch text={text} onClear={() => setText('')} />}
        {more}
      </Section>
    </>
  );
}
