// Draws the first page: what the site has, how fresh it is, and its tokens and collections.
import { splitContractId } from '#model/principal.ts';
import { formatCount } from '#text/format-count.ts';
import type { ApiStatus } from '../answers.ts';
import { sortTokens, type TokenRow } from '../find-tokens.ts';
import { formatAge } from '../format.ts';
import { Heading } from '../parts/heading.tsx';
import { Height } from '../parts/height.tsx';
import { Fact, Facts, Shown } from '../parts/pieces.tsx';
import { TokenLink } from '../parts/token-link.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { useKept } from '../visits.ts';

const SHOWN_AT_ONCE = 60;

export function Home() {
  const status = useAnswer<ApiStatus>('metadata/v1/index.json');
  const tokens = useAnswer<TokenRow[]>('search/tokens/index.json');
  return (
    <>
      <Heading title="Tokens and contracts of Stacks" />
      <Shown asked={status}>
        {({ chain_tip: tip, tokens: { ft, nft, sft }, ft_states: states, contracts }) => (
          <Facts>
            <Fact name="Fungible tokens">
              {formatCount(ft)}
              {states.queued > 0 && <p class="soft">{formatCount(states.queued)} more to be read</p>}
              {states.error > 0 && <p class="soft">{formatCount(states.error)} more without an answer</p>}
            </Fact>
            {nft > 0 && <Fact name="NFTs">{formatCount(nft)}</Fact>}
            {sft > 0 && <Fact name="Semi-fungible">{formatCount(sft)}</Fact>}
            <Fact name="Contracts">{formatCount(contracts)}</Fact>
            {tip !== undefined && <Fact name="Chain tip">{formatCount(tip.block_height)}</Fact>}
            {tip?.burn_block_time !== undefined && (
              <Fact name="As of">
                <time dateTime={tip.burn_block_time}>{formatAge(tip.burn_block_time, Date.now())}</time>
                <p class="soft">{tip.burn_block_time.slice(0, 16).replace('T', ' ')} UTC</p>
              </Fact>
            )}
          </Facts>
        )}
      </Shown>
      <Shown asked={tokens}>
        {(rows) => (
          <>
            <Rows title="Fungible tokens" rows={sortTokens(rows.filter(([kind]) => kind === 'ft'))} />
            <Rows title="Collections" rows={sortTokens(rows.filter(([kind]) => kind !== 'ft'))} />
            {status.state === 'there' && <Newest contracts={status.answer.newest_contracts} />}
            {rows.length === 0 && status.state === 'there' && status.answer.contracts === 0 && (
              <p>This site has no token and no contract yet: its index is empty.</p>
            )}
          </>
        )}
      </Shown>
    </>
  );
}

function Newest({ contracts }: { contracts: ApiStatus['newest_contracts'] }) {
  if (contracts.length === 0) return null;
  return (
    <section>
      <h2>Newest contracts</h2>
      <ul class="newest">
        {contracts.map(({ contract_id: id, block_height: height }) => (
          <li key={id}>
            <a href={`#/contract/${id}`}>{splitContractId(id).name}</a>{' '}
            <span class="soft">
              at height <Height value={height} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Rows({ title, rows }: { title: string; rows: readonly TokenRow[] }) {
  const [shown, setShown] = useKept(`shown of ${title}`, SHOWN_AT_ONCE);
  if (rows.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul class="tokens">
        {rows.slice(0, shown).map((row) => (
          <li key={row[1]}>
            <TokenLink row={row} />
          </li>
        ))}
      </ul>
      {rows.length > shown && (
        <button type="button" onClick={() => setShown(shown + SHOWN_AT_ONCE)}>
          {formatCount(rows.length - shown)} more
        </button>
      )}
    </section>
  );
}
