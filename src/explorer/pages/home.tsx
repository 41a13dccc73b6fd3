// Draws the first page: what the site has, how fresh it is, and its tokens and collections.
import { splitContractId } from '#model/principal.ts';
import { formatCount } from '#text/format-count.ts';
import { sortTokens, type TokenRow } from '../find-tokens.ts';
import { formatAge } from '../format.ts';
import { Fact } from '../parts/facts.tsx';
import { Height } from '../parts/height.tsx';
import { Heading, Links, More, Section, Shown } from '../parts/pieces.tsx';
import { TokenList } from '../parts/token-link.tsx';
import { useResponse } from '../parts/use-response.ts';
import type { ApiStatus } from '../responses.ts';
import { TOKENS, type TokenRows } from '../search.ts';
import { useStored } from '../visits.ts';

const SHOWN_AT_ONCE = 60;

export function Home() {
  const status = useResponse<ApiStatus>('metadata/v1/index.json');
  const tokens = useResponse<TokenRows>(TOKENS);
  const newest = status.answer?.newest_contracts ?? [];
  return (
    <>
      <Heading title="Tokens and contracts of Stacks" />
      <Shown asked={status}>
        {({ chain_tip: tip, tokens: { ft, nft, sft }, ft_states: states, contracts }) => (
          <dl class="facts">
            <Fact name="Fungible tokens">
              {formatCount(ft)}
              {states.queued > 0 && <p class="soft">{formatCount(states.queued)} more to be read</p>}
              {states.error > 0 && <p class="soft">{formatCount(states.error)} more without an answer</p>}
            </Fact>
            {nft > 0 && <Fact name="NFTs">{formatCount(nft)}</Fact>}
            {sft > 0 && <Fact name="Semi-fungible">{formatCount(sft)}</Fact>}
            <Fact name="Contracts">{formatCount(contracts)}</Fact>
            <Fact name="Chain tip">{tip && formatCount(tip.block_height)}</Fact>
            {tip?.burn_block_time !== undefined && (
              <Fact name="As of">
                <time dateTime={tip.burn_block_time}>{formatAge(tip.burn_block_time, Date.now())}</time>
                <p class="soft">{tip.burn_block_time.slice(0, 16).replace('T', ' ')} UTC</p>
              </Fact>
            )}
          </dl>
        )}
      </Shown>
      <Shown asked={tokens}>
        {(rows) => (
          <>
            <Rows title="Fungible tokens" rows={sortTokens(rows.filter(([kind]) => kind === 'ft'))} />
            <Rows title="Collections" rows={sortTokens(rows.filter(([kind]) => kind !== 'ft'))} />
            {newest.length > 0 && (
              <Section title="Newest contracts">
                <Links
                  links={newest.map(({ contract_id: id, block_height: height }) => ({
                    href: `#/contract/${id}`,
                    text: splitContractId(id).name,
                    more: (
                      <span class="soft">
                        at height <Height value={height} />
                      </span>
                    ),
                  }))}
                />
              </Section>
            )}
            {rows.length === 0 && status.answer?.contracts === 0 && (
              <p>This site has no token and no contract yet: its index is empty.</p>
            )}
          </>
        )}
      </Shown>
    </>
  );
}

function Rows({ title, rows }: { title: string; rows: readonly TokenRow[] }) {
  const [shown, setShown] = useStored(`shown of ${title}`, SHOWN_AT_ONCE);
  if (rows.length === 0) return null;
  return (
    <Section title={title}>
      <TokenList rows={rows.slice(0, shown)} />
      <More left={rows.length - shown} onClick={() => setShown(shown + SHOWN_AT_ONCE)} />
    </Section>
  );
}
