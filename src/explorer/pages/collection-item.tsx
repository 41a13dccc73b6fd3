// Draws a token of a collection: what its document says, and whether it is burned.
import { useState } from 'preact/hooks';
import { splitContractId } from '#model/principal.ts';
import { shownName } from '#model/shown-name.ts';
import { formatCount } from '#text/format-count.ts';
import { formatAmount } from '../format.ts';
import { findNeighbours, isBurned, type Neighbours, PAGE_SIZE } from '../neighbours.ts';
import { Document } from '../parts/document.tsx';
import { Fact } from '../parts/facts.tsx';
import { firstText, Heading, Picture, Problem, RawLink, Shown, TokenName } from '../parts/pieces.tsx';
import { useLocalized, useResponse, useTask } from '../parts/use-response.ts';
import type { CollectionStatus, NumberedResponse, TokenPage } from '../responses.ts';
import { ask } from '../site.ts';
import type { Kind } from '../view.ts';

export function CollectionItem({ kind, id, number }: { kind: Kind; id: string; number: string }) {
  const [locale, setLocale] = useState('');
  const path = `metadata/v1/${kind}/${id}/${number}`;
  const asked = useLocalized<NumberedResponse>(path, locale);
  const status = useResponse<CollectionStatus>(`metadata/v1/status/${id}`);
  const own = `${splitContractId(id).name} #${number}`;
  // A token is shown without those beside it, too.
  const { answer: beside } = useTask<Neighbours | undefined>(path, async (show) => {
    const readPage = (offset: number) => ask<TokenPage>(`metadata/v1/${kind}/${id}/pages/${PAGE_SIZE}/${offset}.json`);
    show(await findNeighbours(number, readPage));
  });
  const named = asked.answer?.metadata?.name;
  return (
    <>
      <Heading title={named === undefined ? own : `${shownName(named)} (${own})`}>
        {named === undefined ? own : <TokenName name={named} />}
      </Heading>
      <Shown asked={(status.answer ?? status.trouble) === undefined ? {} : asked}>
        {({ token_uri: uri, decimals, total_supply: supply, metadata }) => (
          <>
            <Picture uri={metadata?.cached_image} name={firstText(named, number)} large />
            <dl class="facts">
              <Fact name="Number">{number}</Fact>
              {beside !== undefined && (
                <Fact name="Position">
                  <a href={`#/${kind}/${id}/from/${Math.floor(beside.position / PAGE_SIZE) * PAGE_SIZE}`}>
                    {formatCount(beside.position + 1)} of {formatCount(beside.total)}
                  </a>
                </Fact>
              )}
              <Fact name="Collection">
                <a href={`#/${kind}/${id}`}>{splitContractId(id).name}</a>
              </Fact>
              <Fact name="Supply">{supply && formatAmount(supply, decimals ?? 0)}</Fact>
              <Fact name="Decimals">{decimals}</Fact>
              {status.answer && <Burned status={status.answer} number={number} />}
            </dl>
            <Problem {...status} />
            <Document uri={uri} metadata={metadata} locale={locale} onLocale={setLocale} />
          </>
        )}
      </Shown>
      {asked.trouble !== undefined && (
        <p>
          <a href={`#/${kind}/${id}`}>All of {splitContractId(id).name}</a>
        </p>
      )}
      {beside !== undefined && (
        <nav class="pages" aria-label="Tokens of the collection">
          {beside.previous !== undefined && (
            <a href={`#/${kind}/${id}/${beside.previous}`} rel="prev">
              Previous: #{beside.previous}
            </a>
          )}
          {beside.next !== undefined && (
            <a href={`#/${kind}/${id}/${beside.next}`} rel="next">
              Next: #{beside.next}
            </a>
          )}
        </nav>
      )}
      <RawLink path={path} asked={asked} />
    </>
  );
}

function Burned({ status, number }: { status: CollectionStatus; number: string }) {
  const is = isBurned(status, number);
  if (is === false) return null;
  return (
    <Fact name="State">
      {is
        ? 'Burned'
        : `Not known: ${formatCount(status.tokens.burned)} of the collection are burned, and the first ${status.burned.length} are named`}
    </Fact>
  );
}
