// Draws curated facts about a contract, which the operator of the site adds from a list: they are not from the chain.
import type { TokenStatus } from '../responses.ts';
import { Badge, Fact, Facts } from './basics.tsx';
import { Foreign, Section } from './heading.tsx';
import { Id } from './id.tsx';

type CuratedFacts = NonNullable<TokenStatus['curated']>;

/** Marks a contract that its curator calls deprecated. */
export function DeprecatedBadge({ facts }: { facts: CuratedFacts | undefined }) {
  return facts?.deprecated || facts?.replaced_by !== undefined ? <Badge kind="warn">Deprecated</Badge> : null;
}

export function Curated({ facts }: { facts: CuratedFacts | undefined }) {
  if (facts === undefined) return null;
  const { source, verified_by: verifiers, deprecated, replaced_by: replacement, links = {} } = facts;
  const coingecko = facts.coingecko_id && { CoinGecko: `https://www.coingecko.com/en/coins/${facts.coingecko_id}` };
  return (
    <Section title="Curated facts" note={<Curator name={source} />}>
      <Facts isAside>
        <Fact name="Verified by">{verifiers && <Foreign text={verifiers.join(', ')} />}</Fact>
        <Fact name="Deprecated">{deprecated && 'Yes'}</Fact>
        <Fact name="Replaced by">
          {replacement && <Id id={replacement} href={`#/contract/${replacement}`} hasCopy={false} />}
        </Fact>
        {Object.entries({ ...links, ...coingecko }).map(([name, url]) => (
          <Fact key={name} name={nameOf(name)}>
            <a class="uri" href={url} rel="noopener noreferrer nofollow" title={url}>
              {url.replace('https://', '')}
            </a>
          </Fact>
        ))}
      </Facts>
    </Section>
  );
}

function Curator({ name }: { name: string }) {
  return (
    <p class="sm soft">
      By <Foreign text={name} />, not from the chain
    </p>
  );
}

/** `white_paper` becomes `White paper`. */
function nameOf(key: string): string {
  const words = key.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
