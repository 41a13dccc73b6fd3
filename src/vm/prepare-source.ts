// Rewrites a source so that the VM answers as the chain did: with data that it lacks, and with guards to be lifted.
import { type Group, headOf, parseSource, type SourceRange } from '#clarity/parse-source.ts';

/** Address at which {@link WORLD_SOURCE} is deployed; no transaction can have it. */
export const WORLD_ADDRESS = 'ST000000000000000000002AMW42H';
export const WORLD_NAME = 'stxpress-world';
/** Clarity 1 source, so that sources of every epoch can call it. */
export const WORLD_SOURCE = `
(define-data-var stacks uint u0)
(define-data-var block uint u0)
(define-data-var burn uint u0)
(define-data-var sponsor (optional principal) none)
(define-data-var unguarded bool false)
(define-read-only (stacks-height) (var-get stacks))
(define-read-only (block-height-then) (var-get block))
(define-read-only (burn-height) (var-get burn))
(define-read-only (tx-sponsor) (var-get sponsor))
(define-read-only (is-unguarded) (var-get unguarded))
(define-public (enter (stacks-then uint) (block-then uint) (burn-then uint) (sponsor-then (optional principal))
    (is-unguarded-then bool))
  (begin (var-set stacks stacks-then) (var-set block block-then) (var-set burn burn-then)
    (var-set sponsor sponsor-then) (ok (var-set unguarded is-unguarded-then))))`;

const ask = (functionName: string) => `(contract-call? '${WORLD_ADDRESS}.${WORLD_NAME} ${functionName})`;

interface Keyword {
  readonly text: string;
  /** Versions in which it is a keyword; in others it is an ordinary name. */
  readonly versions: readonly [first: number, last: number];
  readonly onMainnetOnly?: boolean;
}

const ANY = [1, Number.POSITIVE_INFINITY] as const;
const FROM_2 = [2, Number.POSITIVE_INFINITY] as const;
const KEYWORDS: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ['is-in-mainnet', { text: 'true', versions: FROM_2, onMainnetOnly: true }],
  ['chain-id', { text: 'u1', versions: FROM_2, onMainnetOnly: true }],
  ['block-height', { text: ask('block-height-then'), versions: [1, 2] }],
  ['tenure-height', { text: ask('block-height-then'), versions: [3, Number.POSITIVE_INFINITY] }],
  ['stacks-block-height', { text: ask('stacks-height'), versions: [3, Number.POSITIVE_INFINITY] }],
  ['burn-block-height', { text: ask('burn-height'), versions: ANY }],
  ['tx-sponsor?', { text: ask('tx-sponsor'), versions: FROM_2 }],
]);

/** Functions from Clarity 2 on whose mainnet result is another than that on the VM's test network. */
const NETWORK_FUNCTIONS: ReadonlyMap<string, readonly [before: string, after: string]> = new Map([
  ['is-standard', ['(not ', ')']],
  ['principal-destruct?', ['(match ', ' stxpress-ok (err stxpress-ok) stxpress-err (ok stxpress-err))']],
  [
    'principal-construct?',
    [
      '(match ',
      ' stxpress-ok (err {error_code: u0, value: (some stxpress-ok)}) stxpress-err ' +
        '(match (get value stxpress-err) stxpress-value (ok stxpress-value) (err stxpress-err)))',
    ],
  ],
  [
    'principal-of?',
    [
      '(match ',
      // The VM calls a principal of mainnet an error, and returns it there.
      ' stxpress-ok (ok (unwrap-panic (get value (unwrap-err-panic (principal-construct? 0x16 ' +
        '(get hash-bytes (unwrap-panic (principal-destruct? stxpress-ok)))))))) stxpress-err (err stxpress-err))',
    ],
  ],
]);

/** Built-in functions that take another one: of these `is-standard` and `principal-destruct?`, of one principal. */
const TAKES_FUNCTION: ReadonlySet<string> = new Set(['map', 'filter']);

const PREFIX = 'stxpress-';
const WORDS = [...KEYWORDS.keys(), ...NETWORK_FUNCTIONS.keys()];

type Edit = SourceRange & { readonly text: string };
/** A group, or the source itself. */
type Parent = Pick<Group, 'items'> & { readonly kind: string };

/** Returns the source, and whether it calls {@link WORLD_SOURCE}. */
export function prepareSource(
  source: string,
  { clarityVersion, mainnet }: { readonly clarityVersion: number; readonly mainnet: boolean },
  guards: readonly SourceRange[] = [],
): { readonly sourceCode: string; readonly asksWorld: boolean } {
  const edits: Edit[] = guards.flatMap(({ start, end }) => [
    { start, end: start, text: `(or ${ask('is-unguarded')} ` },
    { start: end, end, text: ')' },
  ]);
  if (WORDS.some((word) => source.includes(word))) edits.push(...editWords(source, clarityVersion, mainnet));
  let sourceCode = '';
  let at = 0;
  for (const { start, end, text } of edits.sort((left, right) => left.start - right.start || left.end - right.end)) {
    sourceCode += source.slice(at, start) + text;
    at = end;
  }
  sourceCode += source.slice(at);
  return { sourceCode, asksWorld: sourceCode.includes(WORLD_NAME) };
}

function editWords(source: string, clarityVersion: number, mainnet: boolean): Edit[] {
  const edits: Edit[] = [];
  const passed = new Set<string>();
  const open: Parent[] = [{ kind: 'source', items: parseSource(source) }];
  for (let group = open.pop(); group !== undefined; group = open.pop()) {
    for (const [index, item] of group.items.entries()) {
      if ('items' in item) {
        open.push(item);
        if (!mainnet || clarityVersion < FROM_2[0]) continue;
        const [, argument] = item.items;
        const taken = TAKES_FUNCTION.has(headOf(item) ?? '') && argument?.kind === 'atom' ? argument : undefined;
        if (taken !== undefined && NETWORK_FUNCTIONS.has(taken.text)) {
          edits.push({ ...taken, text: `${PREFIX}${taken.text}` });
          passed.add(taken.text);
        }
        const around = NETWORK_FUNCTIONS.get(headOf(item) ?? '');
        if (around === undefined) continue;
        edits.push({ start: item.start, end: item.start, text: around[0] });
        edits.push({ start: item.end, end: item.end, text: around[1] });
      } else if (item.kind === 'atom' && !isName(source, group, index)) {
        const keyword = KEYWORDS.get(item.text);
        if (keyword === undefined || (keyword.onMainnetOnly === true && !mainnet)) continue;
        const [first, last] = keyword.versions;
        if (first <= clarityVersion && clarityVersion <= last) edits.push({ ...item, text: keyword.text });
      }
    }
  }
  const end = source.length;
  for (const name of passed) edits.push({ start: end, end, text: defineAround(name) });
  return edits;
}

/** A function that answers as one on mainnet, to be passed instead of it. */
function defineAround(name: string): string {
  const [before = '', after = ''] = NETWORK_FUNCTIONS.get(name) ?? [];
  return `\n(define-private (${PREFIX}${name} (stxpress-who principal)) ${before}(${name} stxpress-who)${after})`;
}

/** True if an atom is a function or a key, as in `{chain-id: u1}`, `(tuple (chain-id u1))`, `(get chain-id m)`. */
function isName(source: string, { kind, items }: Parent, index: number): boolean {
  if (kind === 'list' && index === 0) return true;
  const previous = items[index - 1];
  const isGot = index === 1 && previous?.kind === 'atom' && previous.text === 'get';
  return isGot || /^\s*:/.test(source.slice(items[index]?.end, (items[index]?.end ?? 0) + 20));
}
