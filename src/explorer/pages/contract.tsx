// Draws a contract: its deploy, its source with links, and its interface.
import { splitContractId } from '#model/principal.ts';
import type { ContractInfo } from '../answers.ts';
import { GraphOf } from '../parts/graph.tsx';
import { Height } from '../parts/height.tsx';
import { Interface } from '../parts/interface.tsx';
import { Copyable, Deployer, Fact, Facts, Foreign, firstText, Heading, RawLink, Shown } from '../parts/pieces.tsx';
import { Source } from '../parts/source.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { hrefOfToken } from '../parts/token-link.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import type { ContractTab } from '../place.ts';
import { TOKENS, type TokenRows } from '../search.ts';

const TABS: readonly (readonly [ContractTab, string])[] = [
  ['source', 'Source'],
  ['interface', 'Interface'],
  ['calls', 'Calls'],
  ['json', 'JSON'],
];

interface Props {
  readonly id: string;
  readonly tab: ContractTab;
  readonly line?: number;
}

export function Contract({ id, tab, line }: Props) {
  const asked = useAnswer<ContractInfo>(`extended/v1/contract/${id}`);
  const { address, name } = splitContractId(id);
  return (
    <>
      <Heading title={`${name}: ${TABS.find(([one]) => one === tab)?.[1]}`}>{name}</Heading>
      <p>
        <Copyable text={id} />
      </p>
      <Shown asked={asked}>
        {(info) => (
          <>
            <Facts>
              <Fact name="Deployed at height">
                <Height value={info.block_height} />
                {info.canonical ? '' : ', not canonical'}
              </Fact>
              <Fact name="Clarity">{info.clarity_version ?? 1}</Fact>
              <Deployer address={address} />
              {info.abi?.includes('"get-token-uri"') && <TokenFact id={id} />}
              <Fact name="Transaction">
                <Copyable text={info.tx_id} short />
              </Fact>
            </Facts>
            <Tabs
              label="Parts of the contract"
              tabs={TABS}
              chosen={tab}
              hrefOf={(one) => `#/contract/${id}${one === 'source' ? '' : `/${one}`}`}
            >
              {tab === 'source' && <Source info={info} line={line} />}
              {tab === 'interface' && <Interface contractId={id} abi={info.abi} source={info.source_code} />}
              {tab === 'calls' && <GraphOf contractId={id} />}
              {tab === 'json' && <pre class="json">{JSON.stringify(info, null, 2)}</pre>}
            </Tabs>
            <RawLink path={`extended/v1/contract/${id}`} />
          </>
        )}
      </Shown>
    </>
  );
}

/** The token or collection that the contract is, if the site has it. */
function TokenFact({ id }: { id: string }) {
  const { answer, trouble } = useAnswer<TokenRows>(TOKENS);
  // Its place is kept until it is known: what is below stays where it is.
  if (answer === undefined && trouble === undefined) return <Fact name="Token">…</Fact>;
  const row = answer?.find(([, own]) => own === id);
  if (row === undefined) return null;
  return (
    <Fact name={row[0] === 'ft' ? 'Token' : 'Collection'}>
      <a href={hrefOfToken(row)}>
        <Foreign text={firstText(row[0] === 'ft' ? row[2] : undefined, splitContractId(id).name)} />
      </a>
    </Fact>
  );
}
