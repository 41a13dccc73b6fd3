// Draws a collection: its tokens in pages, and a form that opens one by its number.
import { useState } from 'preact/hooks';
import { splitContractId } from '#model/principal.ts';
import { isBlank } from '#model/shown-name.ts';
import { TOKEN_NUMBER_PATTERN } from '#model/token.ts';
import { formatCount } from '#text/format-count.ts';
import { isBurned, PAGE_SIZE } from '../neighbours.ts';
import { Copyable, Deployer, Fact } from '../parts/facts.tsx';
import { Field, Form } from '../parts/form.tsx';
import { firstText, Heading, Picture, Problem, RawLink, Shown, TokenName } from '../parts/pieces.tsx';
import { useResponse } from '../parts/use-response.ts';
import type { CollectionStatus, TokenPage } from '../responses.ts';
import type { Kind } from '../view.ts';

export function Collection({ kind, id, offset }: { kind: Kind; id: string; offset: number }) {
  const from = Math.floor(offset / PAGE_SIZE) * PAGE_SIZE;
  const asked = useResponse<TokenPage>(`metadata/v1/${kind}/${id}/pages/${PAGE_SIZE}/${from}.json`);
  const status = useResponse<CollectionStatus>(`metadata/v1/status/${id}`);
  const { address, name } = splitContractId(id);
  const at = (first: number) => `#/${kind}/${id}/from/${first}`;
  return (
    <>
      <Heading title={`${name}${from > 0 ? `, from token ${formatCount(from + 1)}` : ''}`}>{name}</Heading>
      <p>
        <Copyable text={id} />
      </p>
      <Shown asked={(status.answer ?? status.trouble) === undefined ? {} : asked}>
        {({ total, results }) => (
          <>
            <dl class="facts">
              <Fact name="Tokens">{formatCount(total)}</Fact>
              {status.answer && status.answer.tokens.burned > 0 && (
                <Fact name="Burned">{formatCount(status.answer.tokens.burned)} of them</Fact>
              )}
              <Fact name="Contract">
                <a href={`#/contract/${id}`}>Source and interface</a>
              </Fact>
              <Deployer address={address} />
            </dl>
            <Problem {...status} />
            {total === 0 && <p>None of its tokens is known.</p>}
            {total > 1 && <Jump kind={kind} id={id} />}
            {total > PAGE_SIZE && results.length > 0 && (
              <p class="soft">
                {formatCount(from + 1)} to {formatCount(from + results.length)} of {formatCount(total)}
              </p>
            )}
            <ul class="grid">
              {results.map(({ token_id: number, name: own, image_thumbnail_uri: image }) => (
                <li key={number}>
                  <a href={`#/${kind}/${id}/${number}`}>
                    <Picture uri={image} name={firstText(own, number)} large />
                    <span>
                      {own !== undefined && <TokenName name={own} />}{' '}
                      {isBlank(own) && <span class="soft">#{number}</span>}
                    </span>
                    {status.answer && isBurned(status.answer, number) && <span class="soft"> burned</span>}
                  </a>
                </li>
              ))}
            </ul>
            <nav class="pages" aria-label="Pages">
              {from > 0 && <a href={at(Math.max(0, from - PAGE_SIZE))}>Earlier</a>}
              {from + PAGE_SIZE < total && <a href={at(from + PAGE_SIZE)}>Later</a>}
            </nav>
          </>
        )}
      </Shown>
      <RawLink path={`metadata/v1/${kind}/${id}/index.json`} asked={asked} />
    </>
  );
}

function Jump({ kind, id }: { kind: Kind; id: string }) {
  const [number, setNumber] = useState('');
  const jump = () => {
    if (!TOKEN_NUMBER_PATTERN.test(number.trim())) return 'That is no number of a token.';
    location.hash = `#/${kind}/${id}/${number.trim()}`;
    return undefined;
  };
  return (
    <Form button="Open" onSubmit={jump}>
      <Field label="Number of a token" kind="number" inputMode="numeric" value={number} onInput={setNumber} />
    </Form>
  );
}
