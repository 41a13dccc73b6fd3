// Makes an archive of random contracts and calls whose values may depend on more than their source: registries that
// deploys and calls change, deploys that need such a change, shared and broken dependencies, and supplies of all kinds.
import { Cl } from '@stacks/transactions';
import { EMPTY_INTERFACE, TOKEN_INTERFACE } from '../../support/interfaces.ts';
import type { Random } from '../../support/random.ts';
import { blockLine, call, deployJson, type Json } from '../../support/transactions.ts';
import { withTrueInterfaces } from '../../support/true-interfaces.ts';

const REGISTRIES = 8;
const PER_BLOCK = 12;
const CALLS_PER_BLOCK = 3;
const FIRST_BURN_HEIGHT = 800_000;

const registry = `
(define-map names principal (string-ascii 32))
(define-data-var count uint u0)
(define-data-var open bool false)
(define-public (register (name (string-ascii 32)))
  (begin (map-set names contract-caller name) (var-set count (+ u1 (var-get count))) (ok true)))
(define-public (unlock) (ok (var-set open true)))
(define-read-only (is-open) (var-get open))
(define-read-only (name-of (who principal)) (default-to "none" (map-get? names who)))
(define-read-only (how-many) (var-get count))`;

/** A contract whose definitions the VM rejects in part, as one of them needs a contract that the archive lacks. */
const broken = (index: number) => `
(define-read-only (label) "broken ${index}")
(define-read-only (ask) (contract-call? .absent ask))
(define-read-only (scale) u${index})`;

/** Returns the source of a token. `at` is its number, and `earlier` are the names of tokens that were deployed before. */
function tokenSource(random: Random, at: number, earlier: readonly string[]): string {
  const anyRegistry = () => `.registry-${random.below(REGISTRIES)}`;
  const anyBroken = () => `.broken-${random.below(REGISTRIES)}`;
  const other = earlier.length === 0 ? undefined : random.pick(earlier);
  const name = random.pick([
    `"Token ${at}"`,
    '(var-get name)',
    `(contract-call? ${anyRegistry()} name-of (as-contract tx-sender))`,
    `(if (> (contract-call? ${anyRegistry()} how-many) u${random.below(9)}) "many" "few")`,
    `(contract-call? ${anyBroken()} label)`,
    ...(other === undefined ? [] : [`(unwrap-panic (contract-call? .${other} get-name))`]),
  ]);
  const decimals = random.pick(['u6', 'u0', '(mod block-height u9)', '(mod burn-block-height u7)', '(var-get places)']);
  const supply = random.pick([
    '(ft-get-supply coin)',
    '(+ (ft-get-supply coin) (ft-get-supply coin))',
    '(var-get places)',
    'u1000',
    'stx-liquid-supply',
    '(stx-get-balance tx-sender)',
    'block-height',
    '(default-to u0 (get-block-info? time u1))',
    `(contract-call? ${anyRegistry()} how-many)`,
    ...(other === undefined ? [] : [`(unwrap-panic (contract-call? .${other} get-total-supply))`]),
  ]);
  const atDeploy = random.pick([
    '',
    '',
    `(unwrap-panic (contract-call? ${anyRegistry()} register "name ${at}"))`,
    `(unwrap-panic (contract-call? ${anyRegistry()} unlock))`,
    `(unwrap-panic (if (contract-call? ${anyRegistry()} is-open) (some u1) none))`,
    `(unwrap-panic (if (> (contract-call? ${anyRegistry()} how-many) u2) (some u1) none))`,
    `(var-set places (contract-call? ${anyRegistry()} how-many))`,
    '(var-set places (mod stx-liquid-supply u10))',
    '(unwrap-panic (ft-mint? coin u1000 tx-sender))',
    "(unwrap-panic (stx-transfer? u5 tx-sender 'SP000000000000000000002Q6VF78))",
    '(unwrap-panic (if (> (stx-get-balance tx-sender) u0) (some u1) none))',
    ...(other === undefined ? [] : [`(unwrap-panic (contract-call? .${other} set-name "by ${at}"))`]),
  ]);
  const access = random.pick(['define-read-only', 'define-read-only', 'define-public']);
  return `(define-fungible-token coin)
(define-data-var name (string-ascii 32) "Token ${at}")
(define-data-var places uint u${random.below(9)})
(define-data-var uri (optional (string-utf8 64)) none)
(${access} (get-name) (ok ${name}))
(define-read-only (get-symbol) (ok "T${random.below(50)}"))
(define-read-only (get-decimals) (ok ${decimals}))
(define-read-only (get-total-supply) (ok ${supply}))
(define-read-only (get-token-uri) (ok (var-get uri)))
(define-read-only (get-balance (who principal)) (ok (ft-get-balance coin who)))
(define-public (transfer (amount uint) (from principal) (to principal) (memo (optional (buff 34))))
  (ft-transfer? coin amount from to))
(define-public (set-name (new (string-ascii 32))) (ok (var-set name new)))
(define-public (set-uri (new (string-utf8 64))) (ok (var-set uri (some new))))
${atDeploy}`;
}

/** Returns the lines of an archive, one for each block, with this number of contracts. */
export function makeChain(random: Random, contracts: number): string[] {
  let nonce = 0;
  const deploy = (name: string, source: string, contractInterface: unknown) =>
    deployJson(name, source, { interface: contractInterface, nonce: nonce++ });
  const first = Array.from({ length: REGISTRIES }, (_, index) => [
    deploy(`registry-${index}`, registry, EMPTY_INTERFACE),
    deploy(`broken-${index}`, broken(index), EMPTY_INTERFACE),
  ]).flat();
  const lines: string[] = [];
  const add = (transactions: readonly Json[]) => {
    const height = lines.length;
    const at = { id: height, parent: height - 1, height, burnHeight: FIRST_BURN_HEIGHT + height };
    lines.push(withTrueInterfaces(blockLine({ ...at, transactions }, 'raw')));
  };
  add(first);
  const tokens: string[] = [];
  while (tokens.length < contracts - first.length) {
    const transactions: Json[] = [];
    for (let index = 0; index < PER_BLOCK && tokens.length < contracts - first.length; index++) {
      const name = `token-${tokens.length}`;
      transactions.push(deploy(name, tokenSource(random, tokens.length, tokens), TOKEN_INTERFACE));
      tokens.push(name);
    }
    for (let index = 0; index < CALLS_PER_BLOCK; index++) {
      const on = random.pick(tokens);
      transactions.push(
        random.pick([
          () => call('set-name', [Cl.stringAscii(`called ${lines.length}`)], { on }),
          () => call('set-uri', [Cl.stringUtf8(`a:${lines.length}`)], { on }),
          () => call('unlock', [], { on: `registry-${random.below(REGISTRIES)}` }),
          () => call('register', [Cl.stringAscii('someone')], { on: `registry-${random.below(REGISTRIES)}` }),
        ])(),
      );
    }
    add(transactions);
  }
  return lines;
}
