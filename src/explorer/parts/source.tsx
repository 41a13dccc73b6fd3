// Draws the source of a contract: lines with numbers, colours and links, to copy, wrap and download.
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { splitContractId } from '#model/principal.ts';
import { formatCount } from '#text/format-count.ts';
import { readStored, writeStored } from '../browser-storage.ts';
import { countLines, principalOf, type SourceToken, sourceChunks } from '../clarity-tokens.ts';
import type { ContractInfo } from '../responses.ts';
import { isReturning } from '../visits.ts';
import { Icon } from './icon.tsx';
import { Copy } from './id.tsx';

const REVOKE_AFTER_MS = 60_000;
const WRAP_KEY = 'stxpress-wrap';
/** Narrower windows wrap long lines by default. */
const WIDE = '(width >= 48rem)';
/** Classes of the style sheet for the kinds of tokens. */
const CLASSES: Readonly<Record<string, string>> = { comment: 'c', text: 't', number: 'n', keyword: 'k' };

export function Source({ info, line }: { info: ContractInfo; line: number | undefined }) {
  const { source_code: source, contract_id: id } = info;
  const { name } = splitContractId(id);
  // The chunks stay the same when another line is chosen.
  const chunks = useMemo(
    () => [...sourceChunks(source)].map(({ first, tokens }) => ({ first, lines: drawLines(tokens, id) })),
    [source, id],
  );
  const count = useMemo(() => countLines(source), [source]);
  const [isWrapped, setWrapped] = useState(() => (readStored('localStorage', WRAP_KEY) ?? defaultWrap()) === 'on');
  useScroll(line);
  const wrap = () => {
    writeStored('localStorage', WRAP_KEY, isWrapped ? 'off' : 'on');
    setWrapped(!isWrapped);
  };
  return (
    <div class="card">
      <p class="tools">
        <span>
          {formatCount(count)} {count === 1 ? 'line' : 'lines'}, {(source.length / 1_000).toFixed(1)} kB
        </span>
        <button
          type="button"
          class="ic"
          aria-pressed={isWrapped}
          aria-label="Wrap long lines"
          title="Wrap long lines"
          onClick={wrap}
        >
          <Icon name="wrap" />
        </button>
        <Copy text={source} what="source" />
        <button
          type="button"
          class="ic"
          aria-label={`Download ${name}.clar`}
          title="Download"
          onClick={() => download(source, name)}
        >
          <Icon name="down" />
        </button>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must scroll by keys */}
      <section class={isWrapped ? 'src wrapped' : 'src'} aria-label="Source code" tabIndex={0}>
        {chunks.map(({ first, lines }) => (
          <ol class="chunk" key={first} start={first} style={{ '--lines': lines.length }}>
            {lines.map((code, index) => {
              const number = first + index;
              return (
                <li key={number} id={`L${number}`} class={line === number ? 'at' : ''}>
                  <a tabIndex={-1} href={`#/contract/${id}/${number}`}>
                    {number}
                  </a>
                  <code>{code}</code>
                </li>
              );
            })}
          </ol>
        ))}
      </section>
    </div>
  );
}

function defaultWrap(): 'on' | 'off' {
  return matchMedia(WIDE).matches ? 'off' : 'on';
}

/** Scrolls to a line when the page opens, and as little as possible when another line is chosen. */
function useScroll(line: number | undefined): void {
  const isOpened = useRef(false);
  useEffect(() => {
    const block = isOpened.current ? 'nearest' : 'center';
    isOpened.current = true;
    if (line !== undefined && !isReturning()) document.getElementById(`L${line}`)?.scrollIntoView({ block });
  }, [line]);
}

function download(source: string, name: string): void {
  const url = URL.createObjectURL(new Blob([source], { type: 'text/plain' }));
  Object.assign(document.createElement('a'), { href: url, download: `${name}.clar` }).click();
  // Some browsers read the file only after the click.
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS);
}

/** Returns the children of each line. Tokens without a colour or a link are joined: a source may have 400 KB. */
function drawLines(tokens: readonly SourceToken[], contractId: string): ComponentChildren[][] {
  const lines: ComponentChildren[][] = [];
  let line: ComponentChildren[] = [];
  let plain = '';
  const endPlain = () => {
    if (plain !== '') line.push(plain);
    plain = '';
  };
  for (const token of tokens) {
    for (const [index, text] of token.text.split('\n').entries()) {
      if (index > 0) {
        endPlain();
        lines.push(line);
        line = [];
      }
      const drawn = text === '' ? undefined : drawToken(token.kind, text, contractId);
      if (drawn === undefined) plain += text;
      else {
        endPlain();
        line.push(drawn);
      }
    }
  }
  endPlain();
  // A chunk ends with a line break, except for the last one.
  if (line.length > 0 || lines.length === 0) lines.push(line);
  return lines;
}

function drawToken(kind: SourceToken['kind'], text: string, contractId: string): ComponentChildren | undefined {
  const linked = kind === 'principal' ? principalOf(text, contractId) : undefined;
  if (linked !== undefined) return <a href={`#/contract/${linked}`}>{text}</a>;
  const style = CLASSES[kind];
  return style === undefined ? undefined : <span class={style}>{text}</span>;
}
