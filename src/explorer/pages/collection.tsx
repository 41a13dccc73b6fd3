// Draws a collection: its tokens in pages, and one of them.
import { useState } from 'preact/hooks';
import { splitContractId } from '#model/principal.ts';
import { formatCount } from '#text/format-count.ts';
import { formatAmount } from '../format.ts';
import { Document, type Metadata } from '../parts/document.tsx';
import { Copyable, Fact, Facts, Foreign, firstText, Picture, Problem, RawLink, Shown } from '../parts/pieces.tsx';
import { useAnswer, useLocalized } from '../parts/use-answer.ts';
import type { Kind } from '../place.ts';

interface List {
  readonly total: number;
  readonly results: readonly Entry[];
}

interface Entry {
  readonly token_id: string;
  readonly name?: string;
  readonly image_thumbnail_uri?: string;
}

interface Item {
  readonly token_uri?: string;
  /** Set for a semi-fungible token. */
  readonly decimals?: number;
  readonly total_supply?: string;
  readonly metadata?: Metadata & { readonly cached_image?: string };
}

interface Status {
  readonly tokens: { readonly burned: number };
  /** The first ones, by number. */
  readonly burned: readonly string[];
}

const PAGE = 60;

export function Collection({ kind, id, offset }: { kind: Kind; id: string; offset: number }) {
  const asked = useAnswer<List>(`metadata/v1/${kind}/${id}/pages/${PAGE}/${Math.floor(offset / PAGE) * PAGE}.json`);
  const status = useAnswer<Status>(`metadata/v1/status/${id}`);
  const at = (from: number) => `#/${kind}/${id}/from/${from}`;
  return (
    <>
      <h1>{splitContractId(id).name}</h1>
      <p>
        <Copyable text={id} />
      </p>
      <Shown asked={status.state === 'waiting' ? status : asked}>
        {({ total, results }) => (
          <>
            <Facts>
              <Fact name="Tokens">{formatCount(total)}</Fact>
              {status.state === 'there' && status.answer.tokens.burned > 0 && (
                <Fact name="Burned">{formatCount(status.answer.tokens.burned)} of them</Fact>
              )}
              <Fact name="Contract">
                <a href={`#/contract/${id}`}>Source and interface</a>
              </Fact>
            </Facts>
            {status.state === 'trouble' && <Problem {...status} />}
            {total === 0 && <p>None of its tokens is known.</p>}
            <ul class="grid">
              {results.map(({ token_id: number, name, image_thumbnail_uri: image }) => (
                <li key={number}>
                  <a href={`#/${kind}/${id}/${number}`}>
                    <Picture uri={image} name={firstText(name, number)} large />
                    <span>
                      <Foreign text={firstText(name, `#${number}`)} />
                    </span>
                    {status.state === 'there' && isBurned(status.answer, number) && <span class="soft"> burned</span>}
                  </a>
                </li>
              ))}
            </ul>
            <nav class="pages" aria-label="Pages">
              {offset > 0 && <a href={at(Math.max(0, offset - PAGE))}>Earlier</a>}
              {offset + PAGE < total && <a href={at(offset + PAGE)}>Later</a>}
            </nav>
          </>
        )}
      </Shown>
      <RawLink path={`metadata/v1/${kind}/${id}/index.json`} />
    </>
  );
}

/** Undefined where the collection has more burned tokens than are named. */
function isBurned({ tokens, burned }: Status, number: string): boolean | undefined {
  if (burned.includes(number)) return true;
  return tokens.burned > burned.length && BigInt(number) > BigInt(burned.at(-1) ?? 0) ? undefined : false;
}

function Burned({ status, number }: { status: Status; number: string }) {
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

export function CollectionItem({ kind, id, number }: { kind: Kind; id: string; number: string }) {
  const [locale, setLocale] = useState('');
  const path = `metadata/v1/${kind}/${id}/${number}`;
  const asked = useLocalized<Item>(path, locale);
  const status = useAnswer<Status>(`metadata/v1/status/${id}`);
  const named = asked.state === 'there' ? asked.answer.metadata?.name : undefined;
  return (
    <>
      <h1>
        <Foreign text={firstText(named, `#${number}`)} />
      </h1>
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
