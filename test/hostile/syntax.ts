// Finds the regular expressions in the syntax tree of a source file, and makes texts that each expression may search
// slowly.
import { parseAst } from 'vitest/node';

export interface FoundPattern {
  /** The source text of the literal or of the `RegExp` call. */
  readonly text: string;
  /** The expression of the literal; undefined for a `RegExp` call. */
  readonly pattern: RegExp | undefined;
}

/** Yields regular expression literals and calls of `RegExp` in the order of the source. */
export function* patternsOf(source: string, isJsx: boolean): Generator<FoundPattern> {
  for (const { type, regex, callee, start, end } of nodesOf(source, isJsx)) {
    const text = source.slice(start, end);
    if (type === 'Literal' && regex !== undefined) {
      const { pattern, flags } = regex as { pattern: string; flags: string };
      yield { text, pattern: new RegExp(pattern, flags) };
    } else if ((type === 'NewExpression' || type === 'CallExpression') && nameOf(callee) === 'RegExp') {
      yield { text: text.replaceAll(/\s+/g, ' '), pattern: undefined };
    }
  }
}

type SyntaxNode = Readonly<Record<string, unknown>> & { readonly start: number; readonly end: number };

/** Yields all nodes of the syntax tree, parents before their children. */
export function* nodesOf(source: string, isJsx: boolean): Generator<SyntaxNode> {
  const open: unknown[] = [parseAst(source, { lang: isJsx ? 'tsx' : 'ts' })];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    yield node as SyntaxNode;
    for (const child of Object.values(node).toReversed()) open.push(child);
  }
}

function nameOf(callee: unknown): unknown {
  return (callee as { name?: unknown } | undefined)?.name;
}

/** A part of a regular expression that matches one character: an escape, a class or a literal. */
interface Part {
  /** One or two characters that the part matches. */
  readonly samples: readonly string[];
  /** The minimum number of repetitions of the part. */
  readonly least: number;
}

const PART =
  /\[(?:\\.|[^\]\\])*\]|\\[pP]\{\w+\}|\\u\{[0-9a-f]+\}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[^bBkpP]|\(\?(?:[:=!]|<[=!]|<\w+>)|\{\d+(?:,\d*)?\}|[^\\]/gi;
const CANDIDATES = [...' a0A./-_"\';:<>(){}[]=?&%#@!+*,\\|~^$`\n\r\t\u0000éfghipsxzS'];
/** Suffixes of hard texts. The second one prevents a match at the end. */
const ENDS = ['', '\u0000'];

/**
 * Yields texts that repeat each part, or each pair of adjacent parts. Each text comes with and without the preceding
 * parts.
 */
export function* hardTexts({ source, flags }: RegExp, length: number): Generator<string> {
  const parts = partsOf(source, flags);
  const pumps = parts.flatMap(({ samples }, at) => {
    const next = parts[at + 1]?.samples[0];
    const before = parts.slice(0, at).map((part) => (part.samples[0] ?? '').repeat(part.least));
    return [...samples, ...(next === undefined ? [] : [`${samples[0]}${next}`])].flatMap((repeated) =>
      [...new Set(['', before.join('')])].map((prefix) => prefix + repeated.repeat(length / repeated.length)),
    );
  });
  for (const pump of new Set(pumps)) for (const end of ENDS) yield pump + end;
}

function partsOf(source: string, flags: string): Part[] {
  const parts: Part[] = [];
  for (const [token] of source.matchAll(PART)) {
    if (token.startsWith('(?') || /^[()|^$]$/.test(token)) continue;
    const last = parts.at(-1);
    if (/^(?:[*+?]|\{\d)/.test(token)) {
      const least = Number(/^\{(\d+)/.exec(token)?.[1] ?? 1);
      if (last !== undefined) parts.splice(-1, 1, { ...last, least });
      continue;
    }
    const set = new RegExp(`^${token}$`, flags.replaceAll(/[gy]/g, ''));
    const samples = CANDIDATES.filter((candidate) => set.test(candidate)).slice(0, 2);
    if (samples.length === 0) samples.push(literalOf(token));
    parts.push({ samples, least: 1 });
  }
  return parts;
}

/** Returns the character that an escape or a literal stands for. */
function literalOf(token: string): string {
  const code = /^\[?\\(?:u\{?|x)([0-9a-f]+)/i.exec(token)?.[1];
  return code === undefined ? token.slice(0, 1) : String.fromCodePoint(Number.parseInt(code, 16));
}
