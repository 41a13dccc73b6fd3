// Draws the first page: the search, what the site contains, how fresh it is, and its most used tokens.
import { splitContractId } from '#model/principal.ts';
import { formatCount } from '#text/format-count.ts';
import { sortTokens, type TokenRow } from '../find-tokens.ts';
import { formatAge } from '../format.ts';
import { Fact, Facts, Tile } from '../parts/basics.tsx';
import { cut, Heading, MAX_SHORT, Section } from '../parts/heading.tsx';
import { Problem } from '../parts/note.tsx';
import { ContractRows, hrefOfToken, LongTokenRows } from '../parts/rows.tsx';
import { SearchBox } from '../parts/search-box.tsx';
import { Bar, Shown } from '../parts/skeleton.tsx';
import { type Loaded, useResponse } from '../parts/use-response.ts';
import type { ApiStatus } from '../responses.ts';
import { type TokenRows as Rows, TOKENS } from '../search.ts';

const TOKENS_AT_FIRST = 12;
const COLLECTIONS_AT_FIRST = 6;
const MORE_ROWS = 60;
/** The number of tiles next to the search. */
const TILES = 15;
const WEEK_MS = 7 * 86_400_000;
/** The number of new contracts that are shown. */
const NEWEST = 5;

export function Home() {
  const status = useResponse<ApiStatus>('metadata/v1/index.json');
  const tokens = useResponse<Rows>(TOKENS);
  const rows = sortTokens(tokens.content ?? []);
  const newest = status.content?.newest_contracts ?? [];
  const heights = new Map(newest.map(({ contract_id: id, block_height: height }) => [id, height]));
  const tokenRows = rows.filter(([kind]) => kind === 'ft');
  const collectionRows = rows.filter(([kind]) => kind !== 'ft');
  const isRead = tokens.content !== undefined;
  // The first list that has rows is the wide one.
  const [first, ...rest] = [
    !(isRead && tokenRows.length === 0) && (
      <TokenList
        key="tokens"
        title="Most used tokens"
        loaded={tokens}
        note="By number of addresses whose contracts call them"
        rows={tokenRows}
        atFirst={TOKENS_AT_FIRST}
      />
    ),
    !(isRead && collectionRows.length === 0) && (
      <TokenList
        key="collections"
        title="Collections"
        loaded={tokens}
        note="Most used first"
        rows={collectionRows}
        atFirst={COLLECTIONS_AT_FIRST}
      />
    ),
    newest.length > 0 && (
      <Section key="newest" title="New contracts" note="One of each address">
        <ContractRows
          rows={[...heights.keys()].slice(0, NEWEST).map((id) => [id])}
          endOf={(id) => (
            <>
              {formatCount(heights.get(id) ?? 0)}
              <small>block</small>
            </>
          )}
        />
      </Section>
    ),
  ].filter((list) => list !== false);
  return (
    <>
      <div class="gap hero">
        <Heading title="Tokens and contracts on Stacks">Every token and contract on Stacks</Heading>
        <p class="soft">
          Names, symbols, pictures, source code and interfaces, read from the chain and served as plain files.
        </p>
        <SearchBox isBig />
        <Examples rows={rows} newest={newest[0]?.contract_id} />
        <div class="tiles" aria-hidden="true">
          {rows.slice(0, TILES).map(([, id]) => (
            <Tile key={id} id={id} />
          ))}
        </div>
      </div>
      <SiteFacts status={status} />
      <div class="two gap">
        {first !== undefined && <div class="stack">{first}</div>}
        {rest.length > 0 && <div class="stack">{rest}</div>}
      </div>
      {tokens.content?.length === 0 && status.content?.contracts === 0 && (
        <p class="gap">This site has no tokens and no contracts yet: its index is empty.</p>
      )}
    </>
  );
}

/** Places to try, from the first rows of the lists: a token and a contract. */
function Examples({ rows, newest }: { rows: readonly TokenRow[]; newest: string | undefined }) {
  const named = rows.filter(([kind, , name = '', symbol = '']) => kind === 'ft' && (symbol || name) !== '');
  const [token, other] = named;
  const contract = other?.[1] ?? newest;
  return (
    <p class="sm soft">
      {token === undefined && contract === undefined ? <>&nbsp;</> : 'Try '}
      {token !== undefined && <a href={hrefOfToken(token)}>{cut(token[3] || token[2] || '', MAX_SHORT)}</a>}
      {token !== undefined && contract !== undefined && ' or '}
      {contract !== undefined && <a href={`#/contract/${contract}`}>{splitContractId(contract).name}</a>}
    </p>
  );
}

function SiteFacts({ status }: { status: Loaded<ApiStatus> }) {
  if (status.error !== undefined && status.content === undefined)
    return (
      <div class="gap">
        <Problem {...status} title="The facts of this site could not be loaded" />
      </div>
    );
  const { tokens, ft_states: states, token_contracts: byStandard, contracts, chain_tip: tip } = status.content ?? {};
  const loading = <Bar width="5rem" height="1.4375rem" />;
  const collections = byStandard && byStandard['sip-009'] + byStandard['sip-013'];
  return (
    <Facts>
      <Fact name="Fungible tokens">
        {tokens === undefined ? loading : formatCount(tokens.ft)} {states !== undefined && <StateCounts {...states} />}
      </Fact>
      <Fact name="Collections">{collections === undefined ? loading : formatCount(collections)}</Fact>
      <Fact name="Contracts">{contracts === undefined ? loading : formatCount(contracts)}</Fact>
      {(status.content === undefined || tip !== undefined) && (
        <Fact name="Latest block">
          {tip === undefined ? loading : formatCount(tip.block_height)}{' '}
          {tip?.burn_block_time !== undefined && <Age time={tip.burn_block_time} />}
        </Fact>
      )}
    </Facts>
  );
}

/** Warns about a site that was built from an old index. */
function Age({ time }: { time: string }) {
  const now = Date.now();
  const isOld = now - Date.parse(time) > WEEK_MS;
  return (
    <small class={isOld ? 'badge warn' : ''}>
      {isOld && 'as of '}
      <time dateTime={time} title={`${time.slice(0, 16).replace('T', ' ')} UTC`}>
        {formatAge(time, now)}
      </time>
    </small>
  );
}

function StateCounts({ queued, error }: ApiStatus['ft_states']) {
  const parts = [
    queued > 0 && `${formatCount(queued)} not read yet`,
    error > 0 && `${formatCount(error)} failed`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? null : <small>{parts.join(', ')}</small>;
}

interface TokenListProps {
  readonly title: string;
  /** A text that names the order of the rows, such as `Most used first`. */
  readonly note: string;
  readonly loaded: Loaded<unknown>;
  readonly rows: readonly TokenRow[];
  readonly atFirst: number;
}

function TokenList({ title, note, loaded, rows, atFirst }: TokenListProps) {
  return (
    <Section title={title} note={note}>
      <Shown loaded={loaded} name={title}>
        {() => <LongTokenRows rows={rows} name={`shown of ${title}`} atFirst={atFirst} step={MORE_ROWS} />}
      </Shown>
    </Section>
  );
}
