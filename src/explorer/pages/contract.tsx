// Draws a contract: its deploy, its source with links, and its interface.
import type { ComponentChildren } from 'preact';
import { splitContractId } from '#model/principal.ts';
import { Copyable, Deployer, Fact } from '../parts/facts.tsx';
import { GraphOf } from '../parts/graph.tsx';
import { Height } from '../parts/height.tsx';
import { Interface } from '../parts/interface.tsx';
import { Heading, RawLink, Shown, TokenName } from '../parts/pieces.tsx';
import { Source } from '../parts/source.tsx';
import { hrefOfToken } from '../parts/token-link.tsx';
import { useResponse } from '../parts/use-response.ts';
import type { ContractInfo } from '../responses.ts';
import { TOKENS, type TokenRows } from '../search.ts';
import type { ContractTab } from '../view.ts';

const TABS: readonly (readonly [ContractTab, string])[] = [
  ['source', 'Source'],
  ['interface', 'Interface'],
  ['calls', 'Calls'],
  ['json', 'JSON'],
];

export function Contract({ id, tab, line }: { id: string; tab: ContractTab; line?: number }) {
  const asked = useResponse<ContractInfo>(`extended/v1/contract/${id}`);
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
            <dl class="facts">
              <Fact name="Deployed at height">
                <Height value={info.block_height} />
                {info.canonical ? '' : ', not canonical'}
              </Fact>
              <Fact name="Clarity">{info.clarity_version ?? undefined}</Fact>
              <Deployer address={address} />
              {info.abi?.includes('"get-token-uri"') && <TokenFact id={id} />}
              <Fact name="Transaction">
                <Copyable text={info.tx_id} short />
              </Fact>
            </dl>
            <Tabs contractId={id} chosen={tab}>
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
  const { answer, trouble } = useResponse<TokenRows>(TOKENS);
  // Its place is kept until it is known: what is below stays where it is.
  if (answer === undefined && trouble === undefined) return <Fact name="Token">…</Fact>;
  const row = answer?.find(([, own]) => own === id);
  if (row === undefined) return null;
  return (
    <Fact name={row[0] === 'ft' ? 'Token' : 'Collection'}>
      <a href={hrefOfToken(row)}>
        <TokenName name={row[0] === 'ft' ? row[2] : splitContractId(id).name} />
      </a>
    </Fact>
  );
}

interface TabsProps {
  readonly contractId: string;
  readonly chosen: ContractTab;
  readonly children: ComponentChildren;
}

/** Tabs are places: each has an address, and arrow keys go from one to the next. */
function Tabs({ contractId, chosen, children }: TabsProps) {
  const hrefOf = (tab: ContractTab) => `#/contract/${contractId}${tab === 'source' ? '' : `/${tab}`}`;
  /** From the tab that has the focus: the chosen one may be another until the page follows. */
  const choose = (event: KeyboardEvent, from: ContractTab) => {
    const at = TABS.findIndex(([id]) => id === from);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key];
    const [id] = (to === undefined ? undefined : TABS.at(to % TABS.length)) ?? [];
    if (id === undefined) return;
    event.preventDefault();
    // An arrow is no step that Back should undo.
    location.replace(hrefOf(id));
    document.getElementById(`tab-${id}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label="Parts of the contract">
        {TABS.map(([id, name]) => (
          <a
            key={id}
            role="tab"
            id={`tab-${id}`}
            href={hrefOf(id)}
            aria-selected={id === chosen}
            aria-controls={id === chosen ? 'panel' : undefined}
            tabIndex={id === chosen ? 0 : -1}
            onKeyDown={(event) => choose(event, id)}
          >
            {name}
          </a>
        ))}
      </div>
      <div id="panel" role="tabpanel" aria-labelledby={`tab-${chosen}`}>
        {children}
      </div>
    </>
  );
}
