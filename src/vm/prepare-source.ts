// Rewrites a source for the VM: replaces expressions that depend on chain data or on the network by values from the
// chain.
import { atomOf, type Group, isKey, parseSource, type SourceRange, type Token } from '#clarity/parse-source.ts';
import { MAINNET_CHAIN_ID } from '#model/chain.ts';

/** The address of the contract {@link FACTS_SOURCE}. No transaction on chain can have this address. */
export const FACTS_ADDRESS = 'ST000000000000000000002AMW42H';
export const FACTS_NAME = 'stxpress-facts';
/**
 * The source of a contract that stores the chain data of the current step. It uses Clarity 1, so that sources of every
 * epoch can call the contract.
 */
export const FACTS_SOURCE = `
(define-data-var stacks uint u0)
(define-data-var block uint u0)
(define-data-var burn uint u0)
(define-read-only (stacks-height) (var-get stacks))
(define-read-only (block-height-then) (var-get block))
(define-read-only (burn-height) (var-get burn))
(define-public (enter (stacks-then uint) (block-then uint) (burn-then uint))
  (begin (var-set stacks stacks-then) (var-set block block-then) (ok (var-set burn burn-then))))`;

const factCall = (functionName: string) => `(contract-call? '${FACTS_ADDRESS}.${FACTS_NAME} ${functionName})`;
const fromFacts = (functionName: string) => () => factCall(functionName);

interface Keyword {
  /** Returns the expression that replaces the keyword; undefined if the keyword has the right value in the VM. */
  readonly text: (chainId: number | undefined) => string | undefined;
  /** The Clarity versions in which the word is a keyword. In other versions, it is an ordinary name. */
  readonly versions: readonly [first: number, last: number];
}

const ANY = [1, Number.POSITIVE_INFINITY] as const;
const FROM_2 = [2, Number.POSITIVE_INFINITY] as const;
const KEYWORDS: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ['is-in-mainnet', { text: (chainId) => (chainId === MAINNET_CHAIN_ID ? 'true' : undefined), versions: FROM_2 }],
  ['chain-id', { text: (chainId) => (chainId === undefined ? undefined : `u${chainId}`), versions: FROM_2 }],
  ['block-height', { text: fromFacts('block-height-then'), versions: [1, 2] }],
  ['tenure-height', { text: fromFacts('block-height-then'), versions: [3, Number.POSITIVE_INFINITY] }],
  ['stacks-block-height', { text: fromFacts('stacks-height'), versions: [3, Number.POSITIVE_INFINITY] }],
  ['burn-block-height', { text: fromFacts('burn-height'), versions: ANY }],
]);

const PREFIX = 'stxpress-';
/** A Clarity expression that tests for mainnet. A principal outside the VM's network may belong to neither network. */
const IS_MAINNET = '(or (is-eq (get version stxpress-own) 0x16) (is-eq (get version stxpress-own) 0x14))';
const constructed = (args: string) => `(match (principal-construct? ${args})
  stxpress-foreign (err {error_code: u0, value: (some stxpress-foreign)})
  stxpress-failed (match (get value stxpress-failed) stxpress-value
    (match (principal-destruct? stxpress-value) stxpress-foreign (err stxpress-failed)
      stxpress-own (if ${IS_MAINNET} (ok stxpress-value) (err stxpress-failed)))
    (err stxpress-failed)))`;
const CONSTRUCT_CONTRACT = 'principal-construct-contract?';

/**
 * Functions since Clarity 2 whose results on mainnet and on the VM's test network differ. Each has the parameters and
 * the body of a replacement.
 */
const NETWORK_FUNCTIONS: ReadonlyMap<string, readonly [parameters: string, body: string]> = new Map([
  [
    'is-standard',
    [
      '(stxpress-who principal)',
      `(match (principal-destruct? stxpress-who) stxpress-foreign false stxpress-own ${IS_MAINNET})`,
    ],
  ],
  [
    'principal-destruct?',
    [
      '(stxpress-who principal)',
      `(match (principal-destruct? stxpress-who) stxpress-foreign (err stxpress-foreign)
  stxpress-own (if ${IS_MAINNET} (ok stxpress-own) (err stxpress-own)))`,
    ],
  ],
  [
    'principal-construct?',
    ['(stxpress-version (buff 1)) (stxpress-hash (buff 20))', constructed('stxpress-version stxpress-hash')],
  ],
  [
    CONSTRUCT_CONTRACT,
    [
      '(stxpress-version (buff 1)) (stxpress-hash (buff 20)) (stxpress-name (string-ascii 40))',
      constructed('stxpress-version stxpress-hash stxpress-name'),
    ],
  ],
  [
    'principal-of?',
    [
      '(stxpress-key (buff 33))',
      // The VM returns a mainnet principal as an error, which this code turns into a success.
      `(match (principal-of? stxpress-key)
  stxpress-foreign (ok (unwrap-panic (get value (unwrap-err-panic (principal-construct? 0x16
    (get hash-bytes (unwrap-panic (principal-destruct? stxpress-foreign))))))))
  stxpress-failed (err stxpress-failed))`,
    ],
  ],
]);

/**
 * Built-in functions that take a function, such as `is-standard` or `principal-destruct?`, which have one parameter.
 */
const TAKES_FUNCTION: ReadonlySet<string> = new Set(['map', 'filter']);

/** The index at which a built-in function has a name instead of a value as its argument. */
const NAME_AT: ReadonlyMap<string, number> = new Map([
  ['get', 1],
  ['contract-call?', 2],
]);

const WORDS = [...KEYWORDS.keys(), ...NETWORK_FUNCTIONS.keys()];

type Edit = SourceRange & { readonly text: string };
/** A list or tuple in the source, or the complete source. */
type Parent = Pick<Group, 'items'> & { readonly kind: string };

/** Returns the rewritten source. `usesFacts` is true if the source calls the contract {@link FACTS_SOURCE}. */
export function prepareSource(
  source: string,
  { clarityVersion, chainId }: { readonly clarityVersion: number; readonly chainId?: number | undefined },
): { readonly sourceCode: string; readonly usesFacts: boolean } {
  const edits: Edit[] = [];
  if (WORDS.some((word) => source.includes(word)))
    for (const edit of editWords(source, clarityVersion, chainId)) edits.push(edit);
  let sourceCode = '';
  let at = 0;
  for (const { start, end, text } of edits.sort((left, right) => left.start - right.start || left.end - right.end)) {
    sourceCode += source.slice(at, start) + text;
    at = end;
  }
  sourceCode += source.slice(at);
  return { sourceCode, usesFacts: sourceCode.includes(FACTS_NAME) };
}

function editWords(source: string, clarityVersion: number, chainId: number | undefined): Edit[] {
  const edits: Edit[] = [];
  const called = new Set<string>();
  const pending: Parent[] = [{ kind: 'source', items: parseSource(source) }];
  for (let group = pending.pop(); group !== undefined; group = pending.pop()) {
    for (const [index, item] of group.items.entries()) {
      if ('items' in item) {
        pending.push(item);
        if (chainId !== MAINNET_CHAIN_ID || clarityVersion < FROM_2[0]) continue;
        for (const { atom, name } of functionsIn(item)) {
          if (!NETWORK_FUNCTIONS.has(name)) continue;
          edits.push({ start: atom.start, end: atom.end, text: `${PREFIX}${name}` });
          called.add(name);
        }
      } else if (item.kind === 'atom' && !isName(group, index)) {
        const keyword = KEYWORDS.get(item.text);
        const text = keyword?.text(chainId);
        if (keyword === undefined || text === undefined) continue;
        const [first, last] = keyword.versions;
        if (first <= clarityVersion && clarityVersion <= last) edits.push({ ...item, text });
      }
    }
  }
  const end = source.length;
  for (const name of called) {
    const [parameters, body] = NETWORK_FUNCTIONS.get(name) ?? [];
    edits.push({ start: end, end, text: `\n(define-private (${PREFIX}${name} ${parameters}) ${body})` });
  }
  return edits;
}

/** Yields the function that a list calls, and a function that is its first argument. */
function* functionsIn({ kind, items }: Group): Generator<{ readonly atom: Token; readonly name: string }> {
  const [head, argument] = items;
  if (kind !== 'list' || head?.kind !== 'atom') return;
  const hasContractName = head.text === 'principal-construct?' && items[3] !== undefined;
  yield { atom: head, name: hasContractName ? CONSTRUCT_CONTRACT : head.text };
  if (TAKES_FUNCTION.has(head.text) && argument?.kind === 'atom') yield { atom: argument, name: argument.text };
}

/**
 * True for a name of a function or a key, as in `(contract-call? .a chain-id)`, `{chain-id: u1}` and `(get chain-id
 * m)`.
 */
function isName(group: Parent, index: number): boolean {
  if (group.kind === 'list' && index === 0) return true;
  return isKey(group, index) || NAME_AT.get(atomOf(group.items[0]) ?? '') === index;
}
