// Draws a contract: its deploy, and its source, interface, calls and JSON in tabs.
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { ContractInterface } from '#model/contract-interface.ts';
import { splitContractId } from '#model/principal.ts';
import { formatCount } from '#text/format-count.ts';
import { parseJson } from '#text/parse-json.ts';
import { countLines } from '../clarity-tokens.ts';
import { STANDARDS } from '../find-tokens.ts';
import { shortAddress } from '../format.ts';
import { Badge, Crumbs, Deployer, Fact, Facts, Height, JsonText } from '../parts/basics.tsx';
import { GraphOf } from '../parts/graph.tsx';
import { cut, Heading, MAX_SHORT, Picture, TokenName } from '../parts/heading.tsx';
import { Copy, Id, TransactionId } from '../parts/id.tsx';
import { Interface } from '../parts/interface.tsx';
import { Note, Problem } from '../parts/note.tsx';
import { hrefOfToken } from '../parts/rows.tsx';
import { Bar, Shown } from '../parts/skeleton.tsx';
import { Source } from '../parts/source.tsx';
import { useGraph, useResponse } from '../parts/use-response.ts';
import type { ApiStatus, ContractInfo } from '../responses.ts';
import { TOKENS, type TokenRows } from '../search.ts';
import type { ContractTab } from '../view.ts';
import { NoToken } from './no-token.tsx';

const TABS: readonly (readonly [ContractTab, string])[] = [
  ['source', 'Source'],
  ['interface', 'Interface'],
  ['calls', 'Calls'],
  ['json', 'JSON'],
];

export function Contract({ id, tab, line }: { id: string; tab: ContractTab; line?: number }) {
  const path = `extended/v1/contract/${id}`;
  const loaded = useResponse<ContractInfo>(path);
  const info = loaded.content;
  const tip = useResponse<ApiStatus>('metadata/v1/index.json').content?.chain_tip?.block_height;
  // Deploys in unconfirmed microblocks have the height of the next block.
  const isUnconfirmed = info !== undefined && tip !== undefined && info.canonical && info.block_height > tip;
  const isOrphaned = info?.canonical === false;
  const { address, name } = splitContractId(id);
  const mayBeToken = info?.abi?.includes('"get-token-uri"') ?? false;
  const tokens = useResponse<TokenRows>(mayBeToken ? TOKENS : undefined);
  const row = tokens.content?.find(([, principal]) => principal === id);
  // Drawn at once, so that nothing moves when the token comes.
  const isSettled = info !== undefined && (!mayBeToken || (tokens.content ?? tokens.error) !== undefined);
  if (loaded.error?.status === 404) return <NoToken id={id} title="There is no contract here" isContract />;
  return (
    <>
      <Crumbs trail={[[shortAddress(address), `#/address/${address}`], [name]]} />
      <div class="title">
        <div>
          <div class="row">
            <Badge>Contract</Badge>
            {isSettled && row !== undefined && <Badge kind="std">{STANDARDS[row[0]] ?? row[0]}</Badge>}
            {isSettled && info.clarity_version && <Badge>{`Clarity ${info.clarity_version}`}</Badge>}
            {isOrphaned && <Badge kind="warn">Not on the chain</Badge>}
            {isUnconfirmed && <Badge kind="warn">Unconfirmed</Badge>}
          </div>
          <Heading title={`${name}: ${TABS.find(([key]) => key === tab)?.[1]}`} kind="mono" text={name}>
            {name}
          </Heading>
          <Id id={id} isFull />
        </div>
      </div>
      {loaded.error !== undefined && info === undefined ? (
        <div class="gap">
          <Problem {...loaded} title="This page could not be loaded" />
        </div>
      ) : (
        <>
          {isOrphaned && (
            <Note kind="warn" title="This contract is not on the chain">
              <p class="sm">Its deploy was in a block that the chain has left for another one. It cannot be called.</p>
            </Note>
          )}
          {isUnconfirmed && (
            <Note kind="warn" title="This contract is not confirmed yet">
              <p class="sm">
                Its deploy is in a microblock after the latest block of this site. The next block may leave it out.
              </p>
            </Note>
          )}
          <Facts>
            {isSettled && row !== undefined && (
              <Fact name={row[0] === 'ft' ? 'Token' : 'Collection'}>
                <a class="row" href={hrefOfToken(row)}>
                  <Picture uri={row[4]} id={id} size="s" />
                  {row[0] === 'ft' ? <TokenName name={cut(row[2] ?? '', MAX_SHORT)} /> : <bdi class="mono">{name}</bdi>}
                </a>
              </Fact>
            )}
            <Fact name="Deployed">
              {!isSettled ? (
                <Bar width="9rem" />
              ) : isUnconfirmed ? (
                `Not confirmed up to block ${formatCount(tip)}`
              ) : (
                <Height value={info.block_height} />
              )}
            </Fact>
            <Deployer address={address} />
            <Fact name="Transaction">{!isSettled ? <Bar width="9rem" /> : <TransactionId id={info.tx_id} />}</Fact>
          </Facts>
          <Tabs contractId={id} chosen={tab} info={info}>
            <Shown loaded={isSettled || info === undefined ? loaded : {}} name={name}>
              {(content) => <Panel info={content} tab={tab} line={line} path={path} />}
            </Shown>
          </Tabs>
        </>
      )}
    </>
  );
}

interface PanelProps {
  readonly info: ContractInfo;
  readonly tab: ContractTab;
  readonly line: number | undefined;
  readonly path: string;
}

function Panel({ info, tab, line, path }: PanelProps) {
  const { contract_id: id, abi, source_code: source } = info;
  if (tab === 'source') return <Source info={info} line={line} />;
  if (tab === 'interface') return <Interface contractId={id} abi={abi} source={source} />;
  if (tab === 'calls') return <GraphOf contractId={id} />;
  const json = JSON.stringify(info, null, 2);
  return (
    <div class="card">
      <div class="tools">
        <a class="uri mono" href={path}>
          /{path}
        </a>
        <Copy text={json} what="JSON" />
      </div>
      <JsonText>{json}</JsonText>
    </div>
  );
}

interface TabsProps {
  readonly contractId: string;
  readonly chosen: ContractTab;
  readonly info: ContractInfo | undefined;
  readonly children: ComponentChildren;
}

/** Tabs are places: each has an address, and arrow keys move between them. */
function Tabs({ contractId, chosen, info, children }: TabsProps) {
  const counts = useCounts(contractId, info);
  const hrefOf = (tab: ContractTab) => `#/contract/${contractId}${tab === 'source' ? '' : `/${tab}`}`;
  /** Starts from the tab with the focus, since the chosen tab may follow later. */
  const choose = (event: KeyboardEvent, from: ContractTab) => {
    const at = TABS.findIndex(([key]) => key === from);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key];
    const [key] = (to === undefined ? undefined : TABS.at(to % TABS.length)) ?? [];
    if (key === undefined) return;
    event.preventDefault();
    // Back does not undo an arrow key.
    location.replace(hrefOf(key));
    document.getElementById(`tab-${key}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label="Parts of the contract">
        {TABS.map(([key, name]) => (
          <a
            key={key}
            id={`tab-${key}`}
            role="tab"
            href={hrefOf(key)}
            aria-selected={key === chosen}
            aria-controls="panel"
            tabIndex={key === chosen ? 0 : -1}
            onKeyDown={(event) => choose(event, key)}
          >
            {name} {counts[key] !== undefined && <small class="num">{counts[key]}</small>}
          </a>
        ))}
      </div>
      <div id="panel" role="tabpanel" aria-labelledby={`tab-${chosen}`}>
        {children}
      </div>
    </>
  );
}

/** Counts the lines of source, the functions and the callers for the tabs. */
function useCounts(
  contractId: string,
  info: ContractInfo | undefined,
): Partial<Record<ContractTab, ComponentChildren>> {
  // The calls are counted after the contract is drawn.
  const { content: graph } = useGraph(info === undefined ? undefined : contractId);
  const { abi, source_code: source } = info ?? {};
  const functions = useMemo(() => (parseJson(abi ?? '') as ContractInterface | undefined)?.functions.length, [abi]);
  if (source === undefined) return {};
  const lines = countLines(source);
  return {
    source: (
      <>
        {formatCount(lines)} <span class="wide">{lines === 1 ? 'line' : 'lines'}</span>
      </>
    ),
    ...(functions === undefined ? {} : { interface: formatCount(functions) }),
    ...(graph ? { calls: formatCount(graph.called_by.count) } : {}),
  };
}
