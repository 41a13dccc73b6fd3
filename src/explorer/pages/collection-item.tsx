// Draws an item of a collection: its picture, its document, its neighbours, and whether it is burned.
import { useState } from 'preact/hooks';
import { splitContractId } from '#model/principal.ts';
import { shownName } from '#model/shown-name.ts';
import { formatCount } from '#text/format-count.ts';
import { STANDARDS } from '../find-tokens.ts';
import { formatAmount, shortNumber } from '../format.ts';
import { findNeighbours, isBurned, type Neighbours, PAGE_SIZE } from '../neighbours.ts';
import { Badge, Crumbs, Fact, Facts, JsonPath } from '../parts/basics.tsx';
import { Document, Uri } from '../parts/document.tsx';
import { Heading, Picture, TokenName } from '../parts/heading.tsx';
import { Icon } from '../parts/icon.tsx';
import { Id } from '../parts/id.tsx';
import { Note, Problem } from '../parts/note.tsx';
import { Provenance } from '../parts/provenance.tsx';
import { Shown } from '../parts/skeleton.tsx';
import { useCollectionStatus, useLocalized, useTask } from '../parts/use-response.ts';
import type { CollectionStatus, NumberedResponse, TokenPage } from '../responses.ts';
import { readJson } from '../site.ts';
import type { Kind } from '../view.ts';
import { NoToken } from './no-token.tsx';

interface ItemProps {
  readonly kind: Kind;
  readonly id: string;
  readonly number: string;
}

export function CollectionItem({ kind, id, number }: ItemProps) {
  const [locale, setLocale] = useState('');
  const path = `metadata/v1/${kind}/${id}/${number}`;
  const loaded = useLocalized<NumberedResponse>(path, locale);
  const status = useCollectionStatus(id);
  // The item is shown without its neighbours until they are found.
  const { content: neighbours } = useTask<Neighbours | undefined>(path, async (show) => {
    const readPage = (offset: number) =>
      readJson<TokenPage>(`metadata/v1/${kind}/${id}/pages/${PAGE_SIZE}/${offset}.json`);
    show(await findNeighbours(number, readPage));
  });
  const { name: contractName } = splitContractId(id);
  const item = loaded.content;
  const name = item?.metadata?.name;
  const picture = item?.metadata?.cached_image;
  const burned = status.content && isBurned(status.content, number);
  const label = `${contractName} #${number}`;
  if (loaded.error?.status === 404) return <NoToken id={id} title={`There is no item ${number} here`} />;
  return (
    <>
      <Crumbs trail={[[contractName, `#/${kind}/${id}`], [`#${shortNumber(number)}`]]} />
      <div class="two art">
        <figure class={burned === true ? 'gone' : ''}>
          <Picture uri={picture} id={`${id}${number}`} size="full" alt={name === undefined ? label : shownName(name)} />
          {item !== undefined && picture === undefined && (
            <figcaption class="sm soft">Pattern drawn from the id: there is no picture.</figcaption>
          )}
        </figure>
        <div class="stack">
          <div class="title">
            <div>
              <div class="row">
                <Badge kind="std">{`${STANDARDS[kind] ?? kind} item`}</Badge>
                {burned === true && <Badge>Burned</Badge>}
              </div>
              <Heading
                title={name === undefined ? label : `${shownName(name)} (${label})`}
                kind={name === undefined ? 'mono' : ''}
                text={name}
              >
                {name === undefined ? `#${number}` : <TokenName name={name} />}
              </Heading>
              <p class="soft">
                Number {number} of{' '}
                <a class="mono" href={`#/${kind}/${id}`}>
                  {contractName}
                </a>
              </p>
              <Id id={id} />
            </div>
          </div>
          {burned === undefined && status.content !== undefined && <BurnedNote status={status.content} />}
          <Shown loaded={loaded} name={label}>
            {(content) => (
              <>
                <Supply item={content} />
                {content.metadata === undefined && <NoDocument uri={content.token_uri} />}
                <Document
                  uri={content.metadata === undefined ? undefined : content.token_uri}
                  metadata={content.metadata}
                  locale={locale}
                  onLocale={setLocale}
                />
              </>
            )}
          </Shown>
          {status.error !== undefined && <Problem {...status} title="The status could not be loaded" />}
          <Neighbour kind={kind} id={id} neighbours={neighbours} />
          {status.content !== undefined && item !== undefined && <Provenance values={status.content.values} />}
          {item !== undefined && <JsonPath what="This item" path={path} />}
        </div>
      </div>
    </>
  );
}

/** Draws the supply and the decimals of a semi-fungible token. */
function Supply({ item: { total_supply: supply, decimals } }: { item: NumberedResponse }) {
  if (supply === undefined && decimals === undefined) return null;
  return (
    <Facts isAside>
      <Fact name="Supply">{supply && formatAmount(supply, decimals)}</Fact>
      <Fact name="Decimals">{decimals}</Fact>
    </Facts>
  );
}

function NoDocument({ uri }: { uri: string | undefined }) {
  return (
    <Note title="Why is there no picture?">
      {uri === undefined ? (
        <p class="sm">The contract does not name a document for this item.</p>
      ) : (
        <>
          <p class="sm">The document of this item was not fetched when this site was built.</p>
          <p class="sm soft">
            The operator of the site can add documents and pictures with <code>--nft images</code>. The document is at:
          </p>
          <Uri uri={uri} />
        </>
      )}
    </Note>
  );
}

/** Explains why the state of the item is unknown. */
function BurnedNote({ status: { tokens, burned } }: { status: CollectionStatus }) {
  return (
    <p class="sm soft">
      It is unknown whether the item is burned: {formatCount(tokens.burned)} items are, and it lists the first{' '}
      {formatCount(burned.length)}.
    </p>
  );
}

interface NeighbourProps {
  readonly kind: Kind;
  readonly id: string;
  readonly neighbours: Neighbours | undefined;
}

function Neighbour({ kind, id, neighbours }: NeighbourProps) {
  if (neighbours === undefined) return null;
  const { position, total, previous, next } = neighbours;
  return (
    <nav class="row gap" aria-label="Neighbours">
      {previous !== undefined && (
        <a class="btn" href={`#/${kind}/${id}/${previous}`} rel="prev">
          <Icon name="left" />#{shortNumber(previous)}
        </a>
      )}
      <a class="soft sm num" href={`#/${kind}/${id}/from/${Math.floor(position / PAGE_SIZE) * PAGE_SIZE}`}>
        {formatCount(position + 1)} of {formatCount(total)}
      </a>
      {next !== undefined && (
        <a class="btn" href={`#/${kind}/${id}/${next}`} rel="next">
          #{shortNumber(next)}
          <Icon name="right" />
        </a>
      )}
    </nav>
  );
}
