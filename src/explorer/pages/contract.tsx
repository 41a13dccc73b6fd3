// A contract: its deploy, its source with links, and its interface.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { clarityTokens, principalOf } from '../clarity-tokens.ts';
import { formatCount } from '../format.ts';
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
  const [address = '', name = ''] = id.split('.');
  return (
    <>
      <h1 class="long">{name}</h1>
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
              {tab === 'source' ? <Source info={info} line={line} /> : <Functions abi={info.abi} />}
            </div>
            <RawLink path={`extended/v1/contract/${id}`} />
          </>
        )}
      </Shown>
    </>
  );
}

function Source({
  info: { source_code: source, contract_id: id },
  line,
}: {
  info: ContractInfo;
  line: number | undefined;
}) {
  const lines = useMemo(() => source.split('\n').length, [source]);
  const tokens = useMemo(() => [...clarityTokens(source)], [source]);
  useEffect(() => {
    if (line !== undefined) document.getElementById(`L${line}`)?.scrollIntoView({ block: 'center' });
  }, [line]);
  return (
    <section class="source" aria-label="Source code">
      <div class="lines">
        {Array.from({ length: lines }, (_, index) => (
          <a
            key={index}
            id={`L${index + 1}`}
            href={`#/contract/${id}/${index + 1}`}
            class={line === index + 1 ? 'at' : ''}
          >
            {index + 1}
          </a>
        ))}
      </div>
      <pre>
        <code>
          {tokens.map(({ kind, text }, index) => {
            const linked = kind === 'principal' ? principalOf(text, id) : undefined;
            if (linked !== undefined)
              return (
                <a key={index} href={`#/contract/${linked}`}>
                  {text}
                </a>
              );
            return kind === 'other' || kind === 'name' ? (
              text
            ) : (
              <span key={index} class={kind}>
                {text}
              </span>
            );
          })}
        </code>
      </pre>
    </section>
  );
}

function Functions({ abi }: { abi: string | null }) {
  const functions = useMemo(() => readFunctions(abi), [abi]);
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
                    ({name}
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

function readFunctions(abi: string | null): readonly InterfaceFunction[] {
  try {
    return (JSON.parse(abi ?? 'null') as Interface | null)?.functions ?? [];
  } catch {
    return [];
  }
}

/** A type of an interface as Clarity writes it. */
export function typeText(type: unknown): string {
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
