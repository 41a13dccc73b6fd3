// Draws a collection: its items in pages, and a form that opens an item by its number.
import { useState } from 'preact/hooks';
import { splitContractId } from '#model/principal.ts';
import { isBlank } from '#model/shown-name.ts';
import { TOKEN_NUMBER_PATTERN } from '#model/token.ts';
import { formatCount } from '#text/format-count.ts';
import { STANDARDS } from '../find-tokens.ts';
import { isBurned, PAGE_SIZE } from '../neighbours.ts';
import { Badge, Crumbs, Deployer, Fact, Facts, JsonPath } from '../parts/basics.tsx';
import { Curated, DeprecatedBadge } from '../parts/curated.tsx';
import { Heading, Picture, Section, TokenName } from '../parts/heading.tsx';
import { Icon } from '../parts/icon.tsx';
import { Id } from '../parts/id.tsx';
import { Problem } from '../parts/note.tsx';
import { Provenance } from '../parts/provenance.tsx';
import { Bar, Shown } from '../parts/skeleton.tsx';
import { type Loaded, useCollectionStatus, useResponse } from '../parts/use-response.ts';
import type { CollectionStatus, TokenPage } from '../responses.ts';
import { TOKENS, type TokenRows } from '../search.ts';
import type { Kind } from '../view.ts';
import { NoToken } from './no-token.tsx';

export function Collection({ kind, id, offset }: { kind: Kind; id: string; offset: number }) {
  const from = Math.floor(offset / PAGE_SIZE) * PAGE_SIZE;
  const loaded = useResponse<TokenPage>(`metadata/v1/${kind}/${id}/pages/${PAGE_SIZE}/${from}.json`);
  const status = useCollectionStatus(id);
  const { content: rows } = useResponse<TokenRows>(TOKENS);
  const { address, name } = splitContractId(id);
  const total = loaded.content?.total;
  const burned = status.content?.tokens.burned ?? 0;
  if (loaded.error?.status === 404) return <NoToken id={id} title="There is no collection here" />;
  return (
    <>
      <Crumbs trail={[['Collections', '#/'], [name]]} />
      <div class="title">
        <Picture uri={rows?.find(([, principal]) => principal === id)?.[4]} id={id} size="l" />
        <div>
          <div class="row">
            <Badge kind="std">{`${STANDARDS[kind] ?? kind} collection`}</Badge>
            <DeprecatedBadge facts={status.content?.curated} />
          </div>
          <Heading title={`${name}${from > 0 ? `, from item ${formatCount(from + 1)}` : ''}`} kind="mono" text={name}>
            {name}
          </Heading>
          <Id id={id} isFull />
        </div>
      </div>
      <Facts>
        <Fact name="Items">{total === undefined ? <Bar width="4rem" /> : formatCount(total)}</Fact>
        <Fact name="Burned">{burned === 0 ? undefined : formatCount(burned)}</Fact>
        <Fact name="Contract">
          <a href={`#/contract/${id}`}>Source and interface</a>
        </Fact>
        <Deployer address={address} />
      </Facts>
      {status.error !== undefined && loaded.content !== undefined && (
        <div class="gap">
          <Problem {...status} title="The status of this collection could not be loaded" />
        </div>
      )}
      <Items kind={kind} id={id} from={from} loaded={loaded} status={status.content} />
      <Curated facts={status.content?.curated} />
      {status.content !== undefined && <Provenance values={status.content.values} />}
      {total !== undefined && (
        <div class="gap">
          <JsonPath what="This collection" path={`metadata/v1/${kind}/${id}/index.json`} />
        </div>
      )}
    </>
  );
}

interface ItemsProps {
  readonly kind: Kind;
  readonly id: string;
  readonly from: number;
  readonly loaded: Loaded<TokenPage>;
  readonly status: CollectionStatus | undefined;
}

function Items({ kind, id, from, loaded, status }: ItemsProps) {
  const total = loaded.content?.total ?? 0;
  return (
    <Section title="Items" note={total > 1 ? <Jump kind={kind} id={id} /> : undefined}>
      <Shown loaded={loaded} name="items">
        {({ results }) => (
          <>
            {total === 0 && <p class="soft">No items have been minted.</p>}
            <ul class="nfts">
              {results.map(({ token_id: number, name, image_thumbnail_uri: image }) => {
                const isGone = status !== undefined && isBurned(status, number) === true;
                return (
                  <li key={number}>
                    <a href={`#/${kind}/${id}/${number}`}>
                      <span class={isGone ? 'gone' : ''}>
                        <Picture uri={image} id={`${id}${number}`} size="full" />
                      </span>
                      <span class="row">
                        {name !== undefined && <TokenName name={name} />}
                        {isBlank(name) && <span class="soft">#{number}</span>}
                        {isGone && <Badge>Burned</Badge>}
                      </span>
                    </a>
                  </li>
                );
              })}
            </ul>
            <Pages base={`#/${kind}/${id}/from/`} from={from} count={results.length} total={total} />
          </>
        )}
      </Shown>
    </Section>
  );
}

interface PagesProps {
  readonly base: string;
  readonly from: number;
  readonly count: number;
  readonly total: number;
}

function Pages({ base, from, count, total }: PagesProps) {
  if (total <= PAGE_SIZE) return null;
  return (
    <nav class="row gap" aria-label="Pages">
      {from > 0 && (
        <a class="btn" href={`${base}${Math.max(0, from - PAGE_SIZE)}`}>
          <Icon name="left" />
          Earlier
        </a>
      )}
      <span class="soft sm num">
        {formatCount(from + 1)} to {formatCount(from + count)} of {formatCount(total)}
      </span>
      {from + PAGE_SIZE < total && (
        <a class="btn" href={`${base}${from + PAGE_SIZE}`}>
          Later
          <Icon name="right" />
        </a>
      )}
    </nav>
  );
}

function Jump({ kind, id }: { kind: Kind; id: string }) {
  const [number, setNumber] = useState('');
  const [problem, setProblem] = useState<string>();
  const open = () => {
    if (!TOKEN_NUMBER_PATTERN.test(number.trim())) return setProblem('Enter a token number, such as 7.');
    location.hash = `#/${kind}/${id}/${number.trim()}`;
  };
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        open();
      }}
    >
      <label class="sm" for="jump">
        Go to number
      </label>
      <input
        id="jump"
        class="field mono"
        type="text"
        inputMode="numeric"
        value={number}
        aria-invalid={problem === undefined ? undefined : 'true'}
        onInput={(event) => setNumber(event.currentTarget.value)}
        autocomplete="off"
        spellcheck={false}
      />
      <button type="submit" class="btn">
        Open
      </button>
      {problem !== undefined && (
        <p class="sm" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
