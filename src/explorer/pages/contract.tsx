// Draws a contract: its deploy, its source with links, and its interface.
import { splitContractId } from '#model/principal.ts';
import { formatCount } from '#text/format-count.ts';
import type { ContractInfo } from '../answers.ts';
import { Functions } from '../parts/functions.tsx';
import { Heading } from '../parts/heading.tsx';
import { Copyable, Fact, Facts, RawLink, Shown } from '../parts/pieces.tsx';
import { Source } from '../parts/source.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import type { ContractTab } from '../place.ts';

const TABS: readonly (readonly [ContractTab, string])[] = [
  ['source', 'Source'],
  ['interface', 'Interface'],
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
                {formatCount(info.block_height)}
                {info.canonical ? '' : ', not canonical'}
              </Fact>
              <Fact name="Clarity">{info.clarity_version ?? 1}</Fact>
              <Fact name="Deployer">
                <Copyable text={address} short />
              </Fact>
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
              {tab === 'interface' && <Functions contractId={id} abi={info.abi} source={info.source_code} />}
              {tab === 'json' && <pre class="json">{JSON.stringify(info, null, 2)}</pre>}
            </Tabs>
            <RawLink path={`extended/v1/contract/${id}`} />
          </>
        )}
      </Shown>
    </>
  );
}
