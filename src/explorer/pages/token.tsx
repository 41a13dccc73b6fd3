// Draws a fungible token: its values and their sources, its document, and what is missing.
import { useState } from 'preact/hooks';
import { splitContractId } from '#model/principal.ts';
import { isBlank, shownName } from '#model/shown-name.ts';
import { formatCount } from '#text/format-count.ts';
import { formatAmount } from '../format.ts';
import { type Missing, missingOf, namesNoDocument } from '../missing.ts';
import { Badge, Crumbs, Deployer, Fact, Facts, Height, JsonPath } from '../parts/basics.tsx';
import { Curated, DeprecatedBadge } from '../parts/curated.tsx';
import { Document } from '../parts/document.tsx';
import { cut, Foreign, Heading, MAX_SHORT, Picture, TokenName } from '../parts/heading.tsx';
import { Id } from '../parts/id.tsx';
import { MissingNote, OwnerHelp } from '../parts/missing.tsx';
import { Note, Problem } from '../parts/note.tsx';
import { Provenance } from '../parts/provenance.tsx';
import { Bar, Lines, Placeholder, Shown } from '../parts/skeleton.tsx';
import { type Loaded, useGraph, useLocalized, useResponse } from '../parts/use-response.ts';
import type { TokenResponse, TokenStatus } from '../responses.ts';
import { NoToken } from './no-token.tsx';

export function Token({ id }: { id: string }) {
  const [locale, setLocale] = useState('');
  const path = `metadata/v1/ft/${id}`;
  const loaded = useLocalized<TokenResponse>(path, locale);
  const statusPath = `metadata/v1/status/${id}`;
  const status = useResponse<TokenStatus>(statusPath);
  const token = loaded.content;
  if (loaded.error?.status === 404) return <NoToken id={id} title="There is no token here" />;
  const isRead = token !== undefined;
  const missing =
    status.content === undefined
      ? []
      : missingOf(status.content, {
          uri: token?.token_uri,
          hasPicture: token?.image_uri !== undefined,
        });
  const isUnread = loaded.error?.status === 422;
  // Drawn at once, so that nothing moves when the status comes.
  const isSettled = (isRead || isUnread) && (status.content ?? status.error) !== undefined;
  return (
    <>
      <Crumbs trail={[['Tokens', '#/'], [isRead ? cut(shownName(token.name), MAX_SHORT) : splitContractId(id).name]]} />
      <div class="title">
        <Picture uri={token?.image_uri} id={id} size="l" />
        <div>
          <div class="row">
            <Badge kind="std">SIP-010 token</Badge>
            <StateBadge token={token} status={status.content} missing={missing} />
            <DeprecatedBadge facts={status.content?.curated} />
          </div>
          <TokenHeading id={id} loaded={loaded} />
          <Id id={id} isFull />
        </div>
      </div>
      {loaded.error !== undefined && !isRead && !isUnread ? (
        <div class="gap">
          <Problem {...loaded} title="This page could not be loaded" />
        </div>
      ) : !isSettled ? (
        <Placeholder name={splitContractId(id).name}>
          <div class="two gap">
            <Lines />
            <aside aria-label="Facts">
              <TokenFacts id={id} loaded={loaded} status={undefined} />
            </aside>
          </div>
        </Placeholder>
      ) : (
        <>
          <div class="two gap">
            <div class="stack">
              {isUnread && status.content?.state === 'queued' ? (
                <Note title="Not read yet">
                  <p>This token is in line to be read. Its values appear here after the next update of this site.</p>
                </Note>
              ) : isBare(token) && missing.length === 0 ? (
                <BareNote />
              ) : (
                missing.length > 0 && <MissingNote missing={missing} />
              )}
              <Problem {...status} title="The status of this token could not be loaded" />
              {!isUnread && (
                <Shown loaded={loaded} name={splitContractId(id).name}>
                  {({ token_uri: uri, metadata }) => (
                    <Document
                      uri={isBlank(uri) || missing.some((item) => item.uri === uri) ? undefined : uri}
                      metadata={metadata}
                      locale={locale}
                      onLocale={setLocale}
                    />
                  )}
                </Shown>
              )}
            </div>
            <aside class="stack" aria-label="Facts">
              <TokenFacts id={id} loaded={loaded} status={status.content} />
              <Curated facts={status.content?.curated} />
              {isRead && <JsonPath what="This token" path={path} />}
              {isUnread && <JsonPath what="The status of this token" path={statusPath} />}
            </aside>
          </div>
          {status.content !== undefined && (isRead || isUnread) && (
            <Provenance values={status.content.values} document={status.content.document} />
          )}
        </>
      )}
    </>
  );
}

/** A token whose values could not be read has no name: the name of its contract is an identifier, not a claim. */
function TokenHeading({ id, loaded }: { id: string; loaded: Loaded<TokenResponse> }) {
  const { name } = splitContractId(id);
  const token = loaded.content;
  if (token === undefined)
    return loaded.error === undefined ? (
      <Heading title={name} kind="mono" />
    ) : (
      <Heading title={`Token of ${name}`} kind="none">
        Name not known
      </Heading>
    );
  const symbol = isBlank(token.symbol) || token.symbol === token.name ? undefined : token.symbol;
  const suffix = isBlank(token.name) ? name : symbol;
  const title = shownName(token.name);
  return (
    <Heading
      title={suffix === undefined ? title : `${title} (${suffix})`}
      kind={isBlank(token.name) ? 'none' : ''}
      text={token.name}
    >
      <TokenName name={token.name} />
      {symbol !== undefined && (
        <>
          {' '}
          <span class="sym">
            <Foreign text={cut(symbol, MAX_SHORT)} />
          </span>
        </>
      )}
    </Heading>
  );
}

interface BadgeProps {
  readonly token: TokenResponse | undefined;
  readonly status: TokenStatus | undefined;
  readonly missing: readonly Missing[];
}

/** Draws nothing for a complete token. */
function StateBadge({ token, status, missing }: BadgeProps) {
  if (status?.state === 'queued') return <Badge>Queued</Badge>;
  if (status?.state === 'error') return <Badge kind="warn">Not readable</Badge>;
  if (token === undefined || status === undefined) return null;
  if (token.metadata === undefined)
    return namesNoDocument(status.document) ? null : <Badge kind="warn">No metadata</Badge>;
  return token.image_uri === undefined && missing.length > 0 ? <Badge kind="warn">Picture missing</Badge> : null;
}

/** True for a token without a name, a symbol and a document. */
function isBare(token: TokenResponse | undefined): boolean {
  return token !== undefined && isBlank(token.name) && isBlank(token.symbol) && isBlank(token.token_uri);
}

function BareNote() {
  return (
    <Note title="This token says very little about itself">
      <p>
        Its contract returns an empty name, an empty symbol and no document address, so there is no description and no
        picture. The pattern above is drawn from the contract id; it is not the token’s logo.
      </p>
      <OwnerHelp>
        Return a name, a symbol and the address of a JSON document (SIP-016) from your contract, then emit a SIP-019
        notification. This site reads it again with the next block.
      </OwnerHelp>
    </Note>
  );
}

interface FactsProps {
  readonly id: string;
  readonly loaded: Loaded<TokenResponse>;
  readonly status: TokenStatus | undefined;
}

function TokenFacts({ id, loaded, status }: FactsProps) {
  const { content: graph } = useGraph(id);
  const token = loaded.content;
  const isLoading = token === undefined && loaded.error === undefined;
  const orBar = (value: string | undefined, width: string) => (isLoading ? <Bar width={width} /> : value);
  const supply = token?.total_supply;
  const shownSupply = supply && formatAmount(supply, token.decimals);
  const mayDiffer = status?.values.total_supply.failure !== undefined && supply !== undefined;
  return (
    <Facts isAside>
      {(isLoading || token !== undefined) && (
        <Fact name="Symbol">
          {isLoading ? (
            <Bar width="4rem" />
          ) : isBlank(token?.symbol) ? (
            <span class="none">None</span>
          ) : (
            <Foreign text={cut(token?.symbol ?? '', MAX_SHORT)} />
          )}
        </Fact>
      )}
      <Fact name="Supply">
        {shownSupply !== undefined || isLoading ? (
          <>
            {orBar(shownSupply, '6rem')} {mayDiffer && <Badge kind="warn">may differ</Badge>}
          </>
        ) : undefined}
      </Fact>
      <Fact name="Decimals">{orBar(token?.decimals === undefined ? undefined : String(token.decimals), '2rem')}</Fact>
      {namesNoDocument(status?.document) && (
        <Fact name="Document">
          <span class="none">Not named by the token</span>
        </Fact>
      )}
      <Fact name="Contract">
        <a href={`#/contract/${id}`}>Source and interface</a>
      </Fact>
      {graph !== undefined && graph !== null && graph.called_by.count > 0 && (
        <Fact name="Called by">
          <a href={`#/contract/${id}/calls`}>
            {formatCount(graph.called_by.count)} {graph.called_by.count === 1 ? 'contract' : 'contracts'}
          </a>
        </Fact>
      )}
      <Deployer address={splitContractId(id).address} />
      <Fact name="Deployed">
        {status?.block_height === undefined ? undefined : <Height value={status.block_height} />}
      </Fact>
      <FirstToken name="First with this symbol" id={status?.first_with_symbol} />
      {status?.first_with_similar_name !== status?.first_with_symbol && (
        <FirstToken name="First with a similar name" id={status?.first_with_similar_name} />
      )}
    </Facts>
  );
}

/** Links to the first deployed token with the same symbol or a similar name. It is a fact, not a judgement. */
function FirstToken({ name, id }: { name: string; id: string | undefined }) {
  if (id === undefined) return null;
  return (
    <Fact name={name}>
      <Id id={id} href={`#/token/${id}`} hasCopy={false} />
    </Fact>
  );
}
