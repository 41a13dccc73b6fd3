// A collection: its tokens in pages, and one of them.
import { useState } from 'preact/hooks';
import { formatCount } from '#model/format-count.ts';
import { splitContractId } from '#model/principal.ts';
import { Document, type Metadata } from '../parts/document.tsx';
import { Copyable, Fact, Facts, Foreign, Picture, RawLink, Shown, TokenUri } from '../parts/pieces.tsx';
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
  readonly metadata?: Metadata & { readonly cached_image?: string };
}

const PAGE = 60;

export function Collection({ kind, id, offset }: { kind: Kind; id: string; offset: number }) {
  const asked = useAnswer<List>(`metadata/v1/${kind}/${id}/pages/${PAGE}/${Math.floor(offset / PAGE) * PAGE}.json`);
  const at = (from: number) => `#/${kind}/${id}/from/${from}`;
  return (
    <>
      <h1>{splitContractId(id).name}</h1>
      <p>
        <Copyable text={id} />
      </p>
      <Shown asked={asked}>
        {({ total, results }) => (
          <>
            <Facts>
              <Fact name="Tokens">{formatCount(total)}</Fact>
              <Fact name="Contract">
                <a href={`#/contract/${id}`}>Source and interface</a>
              </Fact>
            </Facts>
            {total === 0 && <p>None of its tokens is known.</p>}
            <ul class="grid">
              {results.map(({ token_id: number, name, image_thumbnail_uri: image }) => (
                <li key={number}>
                  <a href={`#/${kind}/${id}/${number}`}>
                    <Picture uri={image} name={name ?? number} large />
                    <span>
                      <Foreign text={name ?? `#${number}`} />
                    </span>
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

export function CollectionItem({ kind, id, number }: { kind: Kind; id: string; number: string }) {
  const [locale, setLocale] = useState('');
  const path = `metadata/v1/${kind}/${id}/${number}`;
  const asked = useLocalized<Item>(path, locale);
  return (
    <>
      <h1>
        <Foreign text={(asked.state === 'there' ? asked.answer.metadata?.name : undefined) ?? `#${number}`} />
      </h1>
      <Shown asked={asked}>
        {({ token_uri: uri, metadata }) => (
          <>
            <Picture uri={metadata?.cached_image} name={metadata?.name ?? number} large />
            <Facts>
              <Fact name="Number">{number}</Fact>
              <Fact name="Collection">
                <a href={`#/${kind}/${id}`}>{splitContractId(id).name}</a>
              </Fact>
            </Facts>
            {uri !== undefined && <TokenUri uri={uri} />}
            <Document metadata={metadata} locale={locale} onLocale={setLocale} />
          </>
        )}
      </Shown>
      <RawLink path={path} />
    </>
  );
}
