// Tests the table of Clarity's functions and keywords against the VM: it is complete, and a result that it calls
// independent of the session is the same in sessions with other blocks and other balances of STX.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { beforeAll, expect, test } from 'vitest';
import { BUILTINS, CHAIN_READS, namesOf } from '#clarity/builtins.ts';
import { readEffects } from '#clarity/read-effects.ts';
import { source } from './evaluate-with.ts';
import { runInThread } from './run-in-thread.ts';

const HASH = `0x${'11'.repeat(32)}`;
const KEY = '0x03adb8de4bfb65db2cfd6120d55c6526ae9c52e675db7e47308636534ba7786110';
const OWN = '(is-ok (nft-mint? thing u1 tx-sender))';
const SOME = '(some u1)';

/** An expression for each name. A row with a version needs this version of Clarity; all others run with version 2. */
const EXAMPLES: Readonly<Record<string, string | readonly [expression: string, clarityVersion: number]>> = {
  ...Object.fromEntries(
    ['+', '-', '*', '/', '>=', '<=', '<', '>', 'mod', 'pow', 'xor'].map((name) => [name, `(${name} u7 u2)`]),
  ),
  ...Object.fromEntries(
    ['bit-and', 'bit-or', 'bit-xor', 'bit-shift-left', 'bit-shift-right'].map((name) => [name, `(${name} u6 u3)`]),
  ),
  ...Object.fromEntries(
    ['hash160', 'sha256', 'sha512', 'sha512/256', 'keccak256'].map((name) => [name, `(${name} 0x01)`]),
  ),
  ...Object.fromEntries(
    ['buff-to-int-le', 'buff-to-uint-le', 'buff-to-int-be', 'buff-to-uint-be'].map((name) => [
      name,
      `(${name} 0x0102)`,
    ]),
  ),
  ...Object.fromEntries(['none', 'true', 'false', 'tx-sender', 'contract-caller'].map((name) => [name, name])),
  ...Object.fromEntries(['is-in-mainnet', 'is-in-regtest', 'chain-id'].map((name) => [name, name])),
  'to-int': '(to-int u1)',
  'to-uint': '(to-uint 1)',
  sqrti: '(sqrti u9)',
  log2: '(log2 u9)',
  or: '(or true false)',
  and: '(and true false)',
  not: '(not true)',
  'bit-not': '(bit-not 3)',
  'is-eq': '(is-eq u1 u1)',
  if: '(if true u1 u2)',
  let: '(let ((a u1)) a)',
  map: '(map + (list u1) (list u2))',
  fold: '(fold + (list u1 u2) u0)',
  filter: '(filter not (list true false))',
  append: '(append (list u1) u2)',
  concat: '(concat "a" "b")',
  'as-max-len?': '(as-max-len? "a" u3)',
  len: '(len "abc")',
  'element-at': '(element-at "abc" u1)',
  'element-at?': '(element-at? "abc" u1)',
  'index-of': '(index-of "abc" "b")',
  'index-of?': '(index-of? "abc" "b")',
  'is-standard': '(is-standard tx-sender)',
  'principal-destruct?': '(principal-destruct? tx-sender)',
  'principal-construct?': `(principal-construct? 0x1a 0x${'01'.repeat(20)})`,
  'principal-of?': `(principal-of? ${KEY})`,
  'string-to-int?': '(string-to-int? "5")',
  'string-to-uint?': '(string-to-uint? "5")',
  'int-to-ascii': '(int-to-ascii u5)',
  'int-to-utf8': '(int-to-utf8 u5)',
  list: '(list u1 u2)',
  tuple: '(tuple (a u1))',
  get: '(get a {a: u1})',
  merge: '(merge {a: u1} {b: u2})',
  begin: '(begin u1 u2)',
  'secp256k1-recover?': `(secp256k1-recover? ${HASH} 0x${'00'.repeat(65)})`,
  'secp256k1-verify': `(secp256k1-verify ${HASH} 0x${'00'.repeat(65)} ${KEY})`,
  'secp256r1-verify': [`(secp256r1-verify ${HASH} 0x${'00'.repeat(64)} ${KEY})`, 4],
  'ed25519-verify': [`(ed25519-verify 0x${'00'.repeat(32)} 0x${'00'.repeat(64)} 0x${'00'.repeat(32)})`, 6],
  'secp256k1-decompress?': [`(secp256k1-decompress? ${KEY})`, 6],
  'verify-merkle-proof': [`(verify-merkle-proof ${HASH} ${HASH} u0 u1 (list ${HASH}))`, 6],
  'get-bitcoin-tx-output?': ['(get-bitcoin-tx-output? 0x00 u0)', 6],
  print: '(print u1)',
  'contract-call?': '(contract-call? .callee answer)',
  'as-contract': '(as-contract tx-sender)',
  'contract-of': '(ask .callee)',
  err: '(if true (err u1) (ok u1))',
  ok: '(if true (ok u1) (err u1))',
  some: SOME,
  'default-to': `(default-to u0 ${SOME})`,
  'asserts!': '(begin (asserts! true (err u1)) u1)',
  'unwrap!': `(unwrap! ${SOME} (err u1))`,
  'unwrap-err!': '(unwrap-err! (if true (err u1) (ok u1)) (err u2))',
  'unwrap-panic': `(unwrap-panic ${SOME})`,
  'unwrap-err-panic': '(unwrap-err-panic (if true (err u1) (ok u1)))',
  match: `(match ${SOME} a a u0)`,
  'try!': '(try! (if true (ok u1) (err u1)))',
  'is-ok': '(is-ok (if true (ok u1) (err u1)))',
  'is-err': '(is-err (if true (ok u1) (err u1)))',
  'is-none': `(is-none ${SOME})`,
  'is-some': `(is-some ${SOME})`,
  'slice?': '(slice? "abc" u0 u1)',
  'to-consensus-buff?': '(to-consensus-buff? u1)',
  'from-consensus-buff?': '(from-consensus-buff? uint 0x0100000000000000000000000000000001)',
  'replace-at?': '(replace-at? "abc" u0 "z")',
  'to-ascii?': ['(to-ascii? u5)', 4],
  'restrict-assets?': ['(restrict-assets? tx-sender () u1)', 4],
  'as-contract?': ['(as-contract? () u1)', 4],
  'with-stx': ['(as-contract? ((with-stx u1)) u1)', 4],
  'with-ft': ['(as-contract? ((with-ft current-contract "coin" u1)) u1)', 4],
  'with-nft': ['(as-contract? ((with-nft current-contract "thing" (list u1))) u1)', 4],
  'with-stacking': ['(as-contract? ((with-stacking u1)) u1)', 4],
  'with-staking': ['(as-contract? ((with-staking u1)) u1)', 6],
  'with-pox': ['(as-contract? ((with-pox)) u1)', 6],
  'with-all-assets-unsafe': ['(as-contract? ((with-all-assets-unsafe)) u1)', 4],
  'current-contract': ['current-contract', 4],
  'var-get': '(var-get variable)',
  'var-set': '(begin (var-set variable u5) (var-get variable))',
  'map-get?': '(map-get? entries u1)',
  'map-set': '(begin (map-set entries u1 u2) (map-get? entries u1))',
  'map-insert': '(map-insert entries u1 u2)',
  'map-delete': '(map-delete entries u1)',
  'nft-get-owner?': `(begin ${OWN} (nft-get-owner? thing u1))`,
  'ft-get-balance': '(ft-get-balance coin tx-sender)',
  'ft-get-supply': '(ft-get-supply coin)',
  'ft-mint?': '(ft-mint? coin u1 tx-sender)',
  'ft-burn?': '(ft-burn? coin u1 tx-sender)',
  'ft-transfer?': '(ft-transfer? coin u1 tx-sender .callee)',
  'nft-mint?': '(nft-mint? thing u1 tx-sender)',
  'nft-burn?': `(begin ${OWN} (nft-burn? thing u1 tx-sender))`,
  'nft-transfer?': `(begin ${OWN} (nft-transfer? thing u1 tx-sender .callee))`,
  'stx-transfer?': '(stx-transfer? u5 tx-sender .callee)',
  'stx-transfer-memo?': '(stx-transfer-memo? u5 tx-sender .callee 0x01)',
  'stx-burn?': '(stx-burn? u5 tx-sender)',
  'stx-get-balance': '(stx-get-balance tx-sender)',
  'stx-account': '(stx-account tx-sender)',
  'stx-liquid-supply': 'stx-liquid-supply',
  'at-block': `(at-block ${HASH} u1)`,
  'get-block-info?': '(get-block-info? time u7)',
  'get-burn-block-info?': '(get-burn-block-info? header-hash u7)',
  'get-stacks-block-info?': ['(get-stacks-block-info? time u7)', 3],
  'get-tenure-info?': ['(get-tenure-info? time u7)', 3],
  'stacks-block-time': ['stacks-block-time', 4],
  'contract-hash?': ['(contract-hash? .callee)', 4],
  'tx-sponsor?': 'tx-sponsor?',
  'stacks-block-height': ['stacks-block-height', 3],
  'block-height': 'block-height',
  'tenure-height': ['tenure-height', 3],
  'burn-block-height': 'burn-block-height',
};

let results: ReadonlyMap<string, readonly unknown[]>;
beforeAll(async () => {
  results = (await runInThread('./run-examples.ts', EXAMPLES)) as typeof results;
});

const marked = new Set([...CHAIN_READS.keys(), ...namesOf('stx-writes')]);
const all = (Object.keys(BUILTINS) as (keyof typeof BUILTINS)[]).flatMap(namesOf);

test.each(all.filter((name) => !marked.has(name)))('%s has the same result in every session', (name) => {
  const [first, second] = results.get(name) ?? [];
  expect([name, first]).toEqual([name, expect.objectContaining({ value: expect.anything() })]);
  expect(second).toEqual(first);
});

/** Sessions invent the same for these: a block without state, hashes of burn blocks, the deployed code, and no sponsor. */
const INVENTED_ALIKE = ['at-block', 'get-burn-block-info?', 'contract-hash?', 'tx-sponsor?'];

test.each([...marked].filter((name) => !INVENTED_ALIKE.includes(name)))('%s differs between sessions', (name) => {
  const [first, second] = results.get(name) ?? [];
  expect(first).toBeDefined();
  expect(second).not.toEqual(first);
});

test.each([
  ...[...CHAIN_READS].map(([name, mark]) => [name, 'reads', mark] as const),
  ...namesOf('stx-writes').map((name) => [name, 'writes', '$stx'] as const),
])('%s %s the state %s', (name, access, mark) => {
  const [expression] = [EXAMPLES[name] ?? ''].flat();
  const effects = readEffects(`(define-public (run) ${expression})`, source('token', '').contractId);
  expect([...(effects.get('run')?.[access] ?? [])]).toContain(mark);
});

test('the table has each function and keyword of the package', () => {
  const require = createRequire(import.meta.resolve('@stacks/clarinet-sdk'));
  const wasm = readFileSync(require.resolve('@stacks/clarinet-sdk-wasm/clarinet_sdk_bg.wasm')).toString('latin1');
  // The package stores the names one after the other.
  for (const [first, last] of [
    ['+-*/>=<=<>to-int', 'secp256k1-decompress?'],
    ['contract-callertx-sender', 'current-contract'],
  ] as const) {
    const start = wasm.indexOf(first);
    const text = wasm.slice(start, start + 4_000);
    const found = readNames(text);
    expect(found.names).toContain(last);
    // A name that the table lacks would come next.
    expect(text.slice(found.end, found.end + 40)).toMatch(/^[^a-z]/);
  }
});

/** Reads names of the table from the beginning of a text, the longest that leaves a name to read after it. */
function readNames(text: string): { readonly names: readonly string[]; readonly end: number } {
  const names: string[] = [];
  const longestFirst = all.toSorted((left, right) => right.length - left.length);
  let end = 0;
  for (;;) {
    const next = longestFirst.find((name) => text.startsWith(name, end));
    if (next === undefined) return { names, end };
    names.push(next);
    end += next.length;
  }
}
