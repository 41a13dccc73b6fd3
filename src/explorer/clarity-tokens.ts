// Splits Clarity source into tokens for colours and links, and finds its definitions.

import { SourceScanner } from '#clarity/source-scanner.ts';

export interface SourceToken {
  /** `other`: brackets and white space, up to the end of a line. */
  readonly kind: 'comment' | 'text' | 'principal' | 'number' | 'name' | 'keyword' | 'other';
  readonly text: string;
}

/** Matches a comment, or the text up to the next comment or the end of the line. */
const BETWEEN = /;[^\n]*|[^;\n]+\n?|\n/g;
const PRINCIPAL = /^(?:'S[0-9A-HJKMNP-TV-Z]{28,40})?(?:\.[a-zA-Z][a-zA-Z0-9_-]*)*$/;
const NUMBER = /^(?:u?-?\d+|0x[0-9a-fA-F]*)$/;
const NAME = /^[a-zA-Z!?+<>=/*&|_-]/;

/** Words that are coloured: forms of definitions, and frequent functions and variables. */
const KEYWORDS = new Set(
  `define-constant define-data-var define-fungible-token define-map define-non-fungible-token define-private
  define-public define-read-only define-trait impl-trait use-trait let if begin match asserts! try! unwrap! unwrap-panic
  unwrap-err! unwrap-err-panic ok err some none true false and or not is-eq var-get var-set map-get? map-set map-insert
  map-delete contract-call? as-contract fold map filter print default-to get merge tuple list concat append len
  tx-sender contract-caller block-height burn-block-height stacks-block-height`.split(/\s+/),
);

/** Yields tokens whose texts, joined, are the entire source. */
export function* clarityTokens(source: string): Generator<SourceToken> {
  const scanner = new SourceScanner(source);
  for (let at = 0; ; ) {
    const kind = scanner.next();
    if (kind !== 'atom' && kind !== 'string' && kind !== undefined) continue;
    for (const [text] of source.slice(at, scanner.start).matchAll(BETWEEN))
      yield { kind: text.startsWith(';') ? 'comment' : 'other', text };
    if (kind === undefined) return;
    yield { kind: kind === 'string' ? 'text' : kindOf(scanner.text), text: scanner.text };
    at = scanner.end;
  }
}

function kindOf(atom: string): SourceToken['kind'] {
  if (KEYWORDS.has(atom)) return 'keyword';
  if (PRINCIPAL.test(atom)) return 'principal';
  if (NUMBER.test(atom)) return 'number';
  return NAME.test(atom) ? 'name' : 'other';
}

interface SourceChunk {
  /** Number of its first line. */
  readonly first: number;
  readonly lines: number;
  readonly tokens: readonly SourceToken[];
}

const CHUNK_LINES = 100;

/** Yields the source in chunks of about a hundred lines, so that browsers draw only the visible ones. */
export function* sourceChunks(source: string): Generator<SourceChunk> {
  let tokens: SourceToken[] = [];
  let first = 1;
  let lines = 0;
  for (const token of clarityTokens(source)) {
    tokens.push(token);
    lines += countBreaks(token.text);
    if (lines < CHUNK_LINES || token.kind !== 'other' || !token.text.endsWith('\n')) continue;
    yield { first, lines, tokens };
    [first, lines, tokens] = [first + lines, 0, []];
  }
  yield { first, lines: lines + 1, tokens };
}

/** Counts the lines of a source, except for an empty last one. */
export function countLines(source: string): number {
  return countBreaks(source) + (source.endsWith('\n') ? 0 : 1);
}

function countBreaks(text: string): number {
  return text.split('\n').length - 1;
}

/** Returns the contract id of a principal literal. A relative literal belongs to the address of `contractId`. */
export function principalOf(text: string, contractId: string): string | undefined {
  const named = text.startsWith('.') ? `${contractId.split('.')[0]}${text}` : text.slice(1);
  const [address, name] = named.split('.');
  return name === undefined ? undefined : `${address}.${name}`;
}

export interface Definition {
  /** `define-map`, or `impl-trait`. */
  readonly form: string;
  /** The defined name. For a used or implemented trait, the literal of its contract and name. */
  readonly name: string;
  readonly line: number;
}

const FORM = /^(?:define-[a-z-]+|impl-trait|use-trait)$/;

/** Returns the definitions and the named traits of a source, in order. Skips comments and strings. */
export function findDefinitions(source: string): Definition[] {
  const definitions: Definition[] = [];
  let line = 1;
  let open: { readonly form: string; readonly line: number } | undefined;
  for (const { kind, text } of clarityTokens(source)) {
    const isName = kind === 'name' || kind === 'keyword' || kind === 'principal';
    if (isName && open === undefined) open = FORM.test(text) ? { form: text, line } : undefined;
    else if (isName && open !== undefined && (open.form !== 'use-trait' || kind === 'principal')) {
      definitions.push({ ...open, name: text });
      open = undefined;
    }
    line += countBreaks(text);
  }
  return definitions;
}
