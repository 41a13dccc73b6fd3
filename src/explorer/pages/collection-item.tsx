// Draws a token of a collection: what its document says, and whether it is burned.
import { useState } from 'preact/hooks';
import { splitContractId } from '#model/principal.ts';
import { formatCount } from '#text/format-count.ts';
import type { CollectionStatus, NumberedAnswer } from '../answers.ts';
import { isBurned } from '../burned.ts';
import { formatAmount } from '../format.ts';
import { Document } from '../parts/document.tsx';
import { Heading } from '../parts/heading.tsx';
import { Fact, Facts, Foreign, firstText, Picture, Problem, RawLink, Shown } from '../parts/pieces.tsx';
import { useAnswer, useLocalized } from '../parts/use-answer.ts';
import type { Kind } from '../place.ts';

export function CollectionItem({ kind, id, number }: { kind: Kind; id: string; number: string }) {
  const [locale, setLocale] = useState('');
  const path = `metadata/v1/${kind}/${id}/${number}`;
  const asked = useLocalized<NumberedAnswer>(path, locale);
  const status = useAnswer<CollectionStatus>(`metadata/v1/status/${id}`);
  const named = asked.state === 'there' ? asked.answer.metadata?.name : undefined;
  return (
    <>
      <Heading title={`${firstText(named, `#${number}`)} of ${splitContractId(id).name}`}>
        <Foreign text={firstText(named, `#${number}`)} />
      </Heading>
      <Shown asked={status.state === 'waiting' ? status : asked}>
        {({ token_uri: uri, decimals, total_supply: supply, metadata }) => (
          <>
            <Picture uri={metadata?.cached_image} name={firstText(named, number)} large />
            <Facts>
              <Fact name="Number">{number}</Fact>
              <Fact name="Collection">
                <a href={`#/${kind}/${id}`}>{splitContractId(id).name}</a>
              </Fact>
              {supply !== undefined && <Fact name="Supply">{formatAmount(supply, decimals ?? 0)}</Fact>}
              {decimals !== undefined && <Fact name="Decimals">{decimals}</Fact>}
              {status.state === 'there' && <Burned status={status.answer} number={number} />}
            </Facts>
            {status.state === 'trouble' && <Problem {...status} />}
            <Document uri={uri} metadata={metadata} locale={locale} onLocale={setLocale} />
          </>
        )}
      </Shown>
      <RawLink path={path} />
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
