// A contract: its deploy, its source with links, and its interface.
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { formatCount } from '#model/format-count.ts';
import { splitContractId } from '#model/principal.ts';
import { definitionLines, principalOf, type SourceToken, sourceChunks } from '../clarity-tokens.ts';
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

interface Interface {
  readonly functions: readonly InterfaceFunction[];
}

interface InterfaceFunction {
  readonly name: string;
  readonly access: 'public' | 'read_only' | 'private';
  readonly args: readonly { readonly name: string; readonly type: unknown }[];
  readonly outputs: { readonly type: unknown };
}

export function Contract({ id, line }: { id: string; line: number | undefined }) {
  const asked = useAnswer<ContractInfo>(`extended/v1/contract/${id}`);
  const [tab, setTab] = useState<'source' | 'interface'>('source');
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
              {(['source', 'interface'] as const).map((one) => (
                <button
                  key={one}
                  type="button"
                  role="tab"
                  id={`tab-${one}`}
                  aria-selected={tab === one}
                  aria-controls="panel"
                  onClick={() => setTab(one)}
                >
                  {one === 'source' ? 'Source' : 'Interface'}
                </button>
              ))}
            </div>
            <div id="panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
              {tab === 'source' ? (
                <Source info={info} line={line} />
              ) : (
                <Functions info={info} onOpen={() => setTab('source')} />
              )}
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

function Functions({ info, onOpen }: { info: ContractInfo; onOpen: () => void }) {
  const { abi, source_code: source, contract_id: id } = info;
  const functions = useMemo(() => readFunctions(abi), [abi]);
  const lines = useMemo(() => definitionLines(source), [source]);
  if (functions.length === 0) return <p class="soft">No interface is known.</p>;
  return (
    <>
      {(['read_only', 'public'] as const).map((access) => {
        const own = functions.filter((one) => one.access === access);
        return own.length === 0 ? null : (
          <section key={access}>
            <h2>{access === 'public' ? 'Public functions' : 'Read-only functions'}</h2>
            <ul class="functions">
              {own.map(({ name, args, outputs }) => (
                <li key={name}>
                  <code>
                    (<Definition name={name} line={lines.get(name)} contractId={id} onOpen={onOpen} />
                    {args.map((one) => (
                      <>
                        {' '}
                        ({one.name} <span class="soft">{typeText(one.type)}</span>)
                      </>
                    ))}
                    ) → <span class="soft">{typeText(outputs.type)}</span>
                  </code>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </>
  );
}

/** A function's name, which leads to its definition. */
function Definition(props: { name: string; line: number | undefined; contractId: string; onOpen: () => void }) {
  const { name, line, contractId, onOpen } = props;
  if (line === undefined) return <>{name}</>;
  return (
    <a href={`#/contract/${contractId}/${line}`} onClick={onOpen}>
      {name}
    </a>
  );
}

function readFunctions(abi: string | null): readonly InterfaceFunction[] {
  try {
    return (JSON.parse(abi ?? 'null') as Interface | null)?.functions ?? [];
  } catch {
    return [];
  }
}

/** A type of an interface as Clarity writes it. */
function typeText(type: unknown): string {
  if (typeof type === 'string') return type === 'uint128' ? 'uint' : type === 'int128' ? 'int' : type;
  const [[form, of]] = Object.entries(type as Record<string, unknown>) as [[string, unknown]];
  const inner = of as Record<string, unknown>;
  switch (form) {
    case 'buffer':
      return `(buff ${inner.length})`;
    case 'string-ascii':
    case 'string-utf8':
      return `(${form} ${inner.length})`;
    case 'list':
      return `(list ${inner.length} ${typeText(inner.type)})`;
    case 'optional':
      return `(optional ${typeText(of)})`;
    case 'response':
      return `(response ${typeText(inner.ok)} ${typeText(inner.error)})`;
    case 'tuple':
      return `{${(of as readonly { name: string; type: unknown }[]).map((one) => `${one.name}: ${typeText(one.type)}`).join(', ')}}`;
    default:
      return form;
  }
}
