// A fungible token: its values, where each is from, and what its document says.
import { useState } from 'preact/hooks';
import { formatAmount } from '../format.ts';
import { Document, type Metadata } from '../parts/document.tsx';
import { Copyable, Fact, Facts, Foreign, Picture, RawLink, Shown } from '../parts/pieces.tsx';
import { useAnswer } from '../parts/use-answer.ts';

interface Token {
  readonly name?: string;
  readonly symbol?: string;
  readonly decimals?: number;
  readonly total_supply?: string;
  readonly token_uri?: string;
  readonly image_uri?: string;
  readonly tx_id: string;
  readonly metadata?: Metadata;
}

interface Status {
  readonly state: string;
  readonly reason?: { readonly message: string };
  readonly values: Readonly<Record<string, Value>>;
  readonly document?: { readonly state: string; readonly failure?: { readonly message: string } };
}

interface Value {
  readonly read_from?: string;
  readonly height?: number;
  readonly failure?: { readonly message: string };
}

export function Token({ id }: { id: string }) {
  const [locale, setLocale] = useState('');
  const plain = useAnswer<Token>(`metadata/v1/ft/${id}`);
  const localized = useAnswer<Token>(locale === '' ? undefined : `variants/locale/${locale}/metadata/v1/ft/${id}`);
  const status = useAnswer<Status>(`metadata/v1/status/${id}`);
  const asked = locale === '' || localized.state === 'waiting' ? plain : localized;
  return (
    <>
      <Shown asked={asked}>
        {(token) => (
          <>
            <header class="title">
              <Picture uri={token.image_uri} name={token.symbol ?? token.name ?? '?'} large />
              <h1>
                <Foreign text={token.name ?? id.split('.')[1] ?? id} />{' '}
                <span class="soft">
                  <Foreign text={token.symbol ?? ''} />
                </span>
              </h1>
            </header>
            <p>
              <Copyable text={id} />
            </p>
            <Facts>
              {token.total_supply !== undefined && (
                <Fact name="Supply">{formatAmount(token.total_supply, token.decimals ?? 0)}</Fact>
              )}
              {token.decimals !== undefined && <Fact name="Decimals">{token.decimals}</Fact>}
              <Fact name="Contract">
                <a href={`#/contract/${id}`}>Source and interface</a>
              </Fact>
            </Facts>
            {token.token_uri !== undefined && (
              <p class="uri">
                <span class="soft">URI</span>{' '}
                <code>
                  <Foreign text={token.token_uri} />
                </code>
              </p>
            )}
            <Document metadata={token.metadata} locale={locale} onLocale={setLocale} />
          </>
        )}
      </Shown>
      <Shown asked={status}>{(known) => <Origins status={known} />}</Shown>
      <RawLink path={`metadata/v1/ft/${id}`} />
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
  api: 'an API',
};

function Origins({ status: { values, reason, document } }: { status: Status }) {
  return (
    <section>
      <h2>Where this is from</h2>
      {reason !== undefined && <p class="problem">{reason.message}</p>}
      <dl class="origins">
        {Object.entries(values).map(([key, { read_from: from, height, failure }]) => (
          <div key={key}>
            <dt>{NAMES[key] ?? key}</dt>
            <dd>
              {from !== undefined && `${SOURCES[from] ?? from}${height === undefined ? '' : `, at height ${height}`}`}
              {failure !== undefined && <p class="soft">{failure.message}</p>}
            </dd>
          </div>
        ))}
      </dl>
      {document?.failure !== undefined && <p class="soft">Its document: {document.failure.message}</p>}
    </section>
  );
}
