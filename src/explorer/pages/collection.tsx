// Draws a collection: its tokens in pages.
import { splitContractId } from '#model/principal.ts';
import { formatCount } from '#text/format-count.ts';
import type { CollectionStatus, TokenPage } from '../answers.ts';
import { isBurned } from '../burned.ts';
import { Heading } from '../parts/heading.tsx';
import { Copyable, Fact, Facts, Foreign, firstText, Picture, Problem, RawLink, Shown } from '../parts/pieces.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import type { Kind } from '../place.ts';

const PAGE = 60;

export function Collection({ kind, id, offset }: { kind: Kind; id: string; offset: number }) {
  const asked = useAnswer<TokenPage>(
    `metadata/v1/${kind}/${id}/pages/${PAGE}/${Math.floor(offset / PAGE) * PAGE}.json`,
  );
  const status = useAnswer<CollectionStatus>(`metadata/v1/status/${id}`);
  const { name } = splitContractId(id);
  const at = (from: number) => `#/${kind}/${id}/from/${from}`;
  return (
    <>
      <Heading title={`${name}${offset > 0 ? `, from token ${formatCount(offset + 1)}` : ''}`}>{name}</Heading>
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
              {results.map(({ token_id: number, name: own, image_thumbnail_uri: image }) => (
                <li key={number}>
                  <a href={`#/${kind}/${id}/${number}`}>
                    <Picture uri={image} name={firstText(own, number)} large />
                    <span>
                      <Foreign text={firstText(own, `#${number}`)} />
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
