// Draws a fungible token: its values, where each is from, and what its document says.
import { useState } from 'preact/hooks';
import { splitContractId } from '#model/principal.ts';
import { isBlank, shownName } from '#model/shown-name.ts';
import { formatAmount } from '../format.ts';
import { Document } from '../parts/document.tsx';
import { Copyable, Deployer, Fact } from '../parts/facts.tsx';
import { Height } from '../parts/height.tsx';
import { Foreign, firstText, Heading, Picture, Problem, RawLink, Section, Shown, TokenName } from '../parts/pieces.tsx';
import { useLocalized, useResponse } from '../parts/use-response.ts';
import type { TokenResponse, TokenStatus } from '../responses.ts';

export function Token({ id }: { id: string }) {
  const [locale, setLocale] = useState('');
  const path = `metadata/v1/ft/${id}`;
  const asked = useLocalized<TokenResponse>(path, locale);
  const status = useResponse<TokenStatus>(`metadata/v1/status/${id}`);
  const known = asked.answer;
  const symbol = firstText(known?.symbol);
  const contractName = splitContractId(id).name;
  // While the response loads, and for a 404, the title is the contract's name.
  const isToken = known !== undefined || (asked.trouble !== undefined && asked.trouble.status !== 404);
  const name = isToken ? shownName(known?.name) : contractName;
  const more = isBlank(known?.name) && isToken ? contractName : symbol;
  const contract = <a href={`#/contract/${id}`}>Source and interface</a>;
  return (
    <>
      <header class="title">
        <Picture uri={known?.image_uri} name={firstText(symbol, known?.name)} large />
        <Heading title={more === '' ? name : `${name} (${more})`}>
          {isToken ? <TokenName name={known?.name} /> : name}{' '}
          <span class="soft">
            <Foreign text={symbol} />
          </span>
        </Heading>
      </header>
      <p>
        <Copyable text={id} />
      </p>
      <Shown asked={asked}>
        {({ total_supply: supply, decimals, token_uri: uri, metadata }) => (
          <>
            <dl class="facts">
              <Fact name="Supply">
                {supply &&
                  (decimals === undefined ? `${formatAmount(supply, 0)} base units` : formatAmount(supply, decimals))}
              </Fact>
              <Fact name="Decimals">{decimals}</Fact>
              <Fact name="Contract">{contract}</Fact>
              <Deployer address={splitContractId(id).address} />
            </dl>
            <Document uri={uri} metadata={metadata} locale={locale} onLocale={setLocale} />
          </>
        )}
      </Shown>
      {asked.trouble !== undefined && <p>{contract}</p>}
      {(asked.answer ?? asked.trouble) !== undefined && status.answer && <Origins status={status.answer} />}
      {asked.answer !== undefined && <Problem {...status} />}
      <RawLink path={path} asked={asked} />
    </>
  );
}

const NAMES: Readonly<Record<string, string>> = {
  name: 'Name',
  symbol: 'Symbol',
  decimals: 'Decimals',
  total_supply: 'Supply',
  token_uri: 'URI',
};
const SOURCES: Readonly<Record<string, string>> = {
  'clarity-vm': 'the contract, replayed',
  events: 'mints and burns',
  node: 'a node',
  'token-list': 'a token list of an API',
};

function Origins({ status: { values, document } }: { status: TokenStatus }) {
  return (
    <Section title="Where this is from">
      <dl class="origins">
        {Object.entries(values).map(([key, { read_from: from, height, failure }]) => (
          <div key={key}>
            <dt>{NAMES[key] ?? key}</dt>
            <dd>
              {from !== undefined && (SOURCES[from] ?? from)}
              {from !== undefined && height !== undefined && (
                <>
                  , at height <Height value={height} />
                </>
              )}
              {failure !== undefined && <p class="soft">{failure.message}</p>}
            </dd>
          </div>
        ))}
      </dl>
      {document?.failure !== undefined && <p class="soft">Its document: {document.failure.message}</p>}
    </Section>
  );
}
