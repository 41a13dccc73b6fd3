// Draws a contract: its deploy, its source with links, and its interface.
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { splitContractId } from '#model/principal.ts';
import { formatCount } from '#text/format-count.ts';
import { principalOf, type SourceToken, sourceChunks } from '../clarity-tokens.ts';
import { Functions } from '../parts/functions.tsx';
import { Copyable, Fact, Facts, RawLink, Shown } from '../parts/pieces.tsx';
import { useAnswer } from '../parts/use-answer.ts';

interface ContractInfo {
  readonly tx_id: string;
  readonly canonical: boolean;
  readonly contract_id: string;
  readonly block_height: number;
  readonly clarity_version: number | null;
  readonly source_code: string;
  readonly abi: string | null;
}

const TABS = [
  ['source', 'Source'],
  ['interface', 'Interface'],
  ['json', 'JSON'],
] as const;
type Tab = (typeof TABS)[number][0];

export function Contract({ id, line }: { id: string; line: number | undefined }) {
  const asked = useAnswer<ContractInfo>(`extended/v1/contract/${id}`);
  const [tab, setTab] = useState<Tab>('source');
  const { address, name } = splitContractId(id);
  return (
    <>
      <h1>{name}</h1>
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
            <div class="tabs" role="tablist">
              {TABS.map(([one, label]) => (
                <button
                  key={one}
                  type="button"
                  role="tab"
                  id={`tab-${one}`}
                  aria-selected={tab === one}
                  aria-controls="panel"
                  onClick={() => setTab(one)}
                >
                  {label}
                </button>
              ))}
            </div>
            <div id="panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
              {tab === 'source' && <Source info={info} line={line} />}
              {tab === 'interface' && (
                <Functions contractId={id} abi={info.abi} source={info.source_code} onOpen={() => setTab('source')} />
              )}
              {tab === 'json' && <pre class="json">{JSON.stringify(info, null, 2)}</pre>}
            </div>
            <RawLink path={`extended/v1/contract/${id}`} />
          </>
        )}
      </Shown>
    </>
  );
}

function Source({ info, line }: { info: ContractInfo; line: number | undefined }) {
  const { source_code: source, contract_id: id } = info;
  // A line that is chosen changes none of it.
  const chunks = useMemo(
    () => [...sourceChunks(source)].map((chunk) => ({ ...chunk, code: drawTokens(chunk.tokens, id) })),
    [source, id],
  );
  useEffect(() => {
    if (line !== undefined) document.getElementById(`L${line}`)?.scrollIntoView({ block: 'center' });
  }, [line]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keys
    <section class="source" aria-label="Source code" tabIndex={0}>
      {chunks.map(({ first, lines, code }) => (
        <div class="chunk" key={first} style={`--lines: ${lines}`}>
          <div class="lines">
            {Array.from({ length: lines }, (_, index) => first + index).map((number) => (
              <a
                key={number}
                id={`L${number}`}
                tabIndex={-1}
                href={`#/contract/${id}/${number}`}
                class={line === number ? 'at' : ''}
              >
                {number}
              </a>
            ))}
          </div>
          <pre>
            <code>{code}</code>
          </pre>
        </div>
      ))}
    </section>
  );
}

/** Coloured, and linked where it names a contract; what is neither is one text, since a source may have 400 KB. */
function drawTokens(tokens: readonly SourceToken[], contractId: string): ComponentChildren[] {
  const drawn: ComponentChildren[] = [];
  let plain = '';
  for (const { kind, text } of tokens) {
    if (kind === 'other' || kind === 'name') {
      plain += text;
      continue;
    }
    drawn.push(plain);
    plain = '';
    const linked = kind === 'principal' ? principalOf(text, contractId) : undefined;
    drawn.push(linked === undefined ? <span class={kind}>{text}</span> : <a href={`#/contract/${linked}`}>{text}</a>);
  }
  return [...drawn, plain];
}
