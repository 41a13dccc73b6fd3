// Draws the source of a contract: coloured, each line and contract linked, to be copied and downloaded.
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { splitContractId } from '#model/principal.ts';
import { principalOf, type SourceToken, sourceChunks } from '../clarity-tokens.ts';
import type { ContractInfo } from '../responses.ts';
import { isReturning } from '../visits.ts';
import { Copy } from './facts.tsx';

const REVOKE_AFTER_MS = 60_000;

export function Source({ info, line }: { info: ContractInfo; line: number | undefined }) {
  const { source_code: source, contract_id: id } = info;
  // A line that is chosen changes none of it.
  const chunks = useMemo(
    () => [...sourceChunks(source)].map((chunk) => ({ ...chunk, code: drawTokens(chunk.tokens, id) })),
    [source, id],
  );
  const isOpened = useRef(false);
  useEffect(() => {
    // A line that is chosen here is in sight, and whoever returns is taken to where the page was left.
    const block = isOpened.current ? 'nearest' : 'center';
    isOpened.current = true;
    if (line !== undefined && !isReturning()) document.getElementById(`L${line}`)?.scrollIntoView({ block });
  }, [line]);
  const download = () => {
    const url = URL.createObjectURL(new Blob([source], { type: 'text/plain' }));
    const file = { href: url, download: `${splitContractId(id).name}.clar` };
    Object.assign(document.createElement('a'), file).click();
    // Some browsers read it only after the click.
    setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS);
  };
  return (
    <>
      <p class="tools">
        <Copy text={source} label="Copy the source" />
        <button type="button" onClick={download} aria-label="Download the source">
          download
        </button>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keys */}
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
    </>
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
