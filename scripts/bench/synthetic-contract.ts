// Makes contracts that resemble mainnet's in sizes, kinds and calls. The same random numbers produce the same bytes.
import { EMPTY_INTERFACE, TOKEN_INTERFACE } from '../../test/support/interfaces.ts';
import { tokenSource } from '../../test/support/token-source.ts';

const MEDIAN_BYTES = 4_500;
/**
 * The standard deviation of a log-normal distribution with 77 KB at the 99th percentile: ln(77,000 / 4,500) / 2.326.
 */
const SPREAD = 1.22;
const LARGEST_BYTES = 416_000;
/** The number of contracts per fungible token. Mainnet has about 5,600 such tokens. */
const CONTRACTS_PER_TOKEN = 20;
/**
 * The frequent kinds of contracts on mainnet: markets for names, keepers and wrappers. `share` is the share of all
 * contracts, and `callees` has the indexes of the contracts that each calls. On mainnet, 59,716 contracts call the
 * names contract, and 11,315 the keepers' helper.
 */
const KINDS = [
  { name: 'market', share: 0.54, bytes: 4_460, callees: [0] },
  { name: 'keeper', share: 0.11, bytes: 11_700, callees: [1] },
  { name: 'wrapper', share: 0.06, bytes: 1_770, callees: [0, 2, 3] },
] as const;
const HUBS = 4;
/** The number of contracts per contract that plain contracts may call. On mainnet, 6,144 such contracts are called. */
const CONTRACTS_PER_CALLED = 20;
/** The number of tokens per token whose supply is stored by another contract, a registry. */
const TOKENS_PER_REGISTRY = 10;

/** Returns a random length, distributed like the sources of mainnet. */
export function sourceBytes(random: () => number): number {
  // The Box-Muller transform makes a normally distributed number from two uniform ones.
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.min(LARGEST_BYTES, MEDIAN_BYTES * Math.exp(SPREAD * normal));
}

/**
 * Returns the contract with this index. Its size is multiplied by `share`, and it calls only contracts with lower
 * indexes.
 */
export function contractOf(
  index: number,
  { idOf, random, share, mark }: { idOf: (index: number) => string; random: () => number; share: number; mark: string },
) {
  const callee = (at: number) => ({ contractId: idOf(at), prefix: prefixOf(at) });
  const comment = `contract ${index}${mark}`;
  if (index < HUBS) return plainContract({ comment, prefix: prefixOf(index), bytes: 20_000 * share, random });
  if (index % CONTRACTS_PER_TOKEN === 0) {
    const registry = index % (CONTRACTS_PER_TOKEN * TOKENS_PER_REGISTRY) === 0 ? callee(0) : undefined;
    return tokenContract(comment, registry, random);
  }
  const isCalled = index % CONTRACTS_PER_CALLED === 1;
  let draw = random();
  for (const { name, share: part, bytes, callees } of KINDS) {
    if (!isCalled && draw < part) {
      return plainContract({ comment, prefix: name, bytes: bytes * share, callees: callees.map(callee), random });
    }
    draw -= part;
  }
  const callees = Array.from({ length: Math.floor(1 / (1 - random())) % 20 }, () => {
    // The higher the number `rank`, the less often its contract is called.
    const rank = Math.floor((index / CONTRACTS_PER_CALLED) ** random());
    return callee(rank === 0 ? 0 : (rank - 1) * CONTRACTS_PER_CALLED + 1);
  });
  return plainContract({ comment, prefix: prefixOf(index), bytes: share * sourceBytes(random), callees, random });
}

/** Returns the prefix of the functions that other contracts may call. Names differ between contracts, as on mainnet. */
function prefixOf(index: number): string {
  return `of-${index % 1_000}`;
}

interface PlainContract {
  readonly comment: string;
  readonly prefix: string;
  readonly bytes: number;
  readonly callees?: readonly { contractId: string; prefix: string }[];
  readonly random: () => number;
}

/**
 * Returns a contract with a variable, a map, and functions until it has `bytes`. Half of the functions write. Each
 * callee is called.
 */
export function plainContract({ comment, prefix, bytes, callees = [], random }: PlainContract) {
  const parts = [
    `;; ${comment}\n(define-trait payer ((pay (uint) (response uint uint))))\n`,
    '(define-data-var total uint u0)\n(define-map amounts principal uint)\n',
    `(define-read-only (${prefix}-get) (ok (var-get total)))\n`,
  ];
  const functions = [interfaceFunction(`${prefix}-get`, [])];
  let length = parts.join('').length;
  for (let at = 0; at < 2 || at < callees.length || length < bytes; at++) {
    const number = Math.floor(random() * 1e6);
    const callee = callees[at % (callees.length + 2)];
    const paid = callee === undefined ? 'u0' : `(try! (contract-call? '${callee.contractId} ${callee.prefix}-0 u1))`;
    const part =
      at % 2 === 0
        ? `(define-public (${prefix}-${at} (amount uint))\n  (let ((paid ${paid}))\n    (asserts! (> amount u${number}) (err u${at}))\n    (map-set amounts tx-sender (+ paid amount))\n    (var-set total (+ (var-get total) amount))\n    (ok amount)))\n`
        : `(define-public (${prefix}-${at} (to <payer>) (amount uint))\n  (contract-call? to pay (+ amount ${paid} u${number} (default-to u0 (map-get? amounts tx-sender)))))\n`;
    parts.push(part);
    length += part.length;
    functions.push(interfaceFunction(`${prefix}-${at}`, at % 2 === 0 ? ['amount'] : ['to', 'amount']));
  }
  return { source: parts.join(''), contractInterface: { ...EMPTY_INTERFACE, functions } };
}

function interfaceFunction(name: string, args: readonly string[]): unknown {
  return {
    name,
    access: args.length === 0 ? 'read_only' : 'public',
    args: args.map((arg) => ({ name: arg, type: arg === 'to' ? 'trait_reference' : 'uint128' })),
    outputs: { type: { response: { ok: 'uint128', error: 'uint128' } } },
  };
}

/**
 * Returns a token. Its deployer may change its name and URI. Its supply is minted or, with a `registry`, stored by that
 * contract.
 */
function tokenContract(
  comment: string,
  registry: { contractId: string; prefix: string } | undefined,
  random: () => number,
) {
  const supply =
    registry === undefined
      ? '(ok (ft-get-supply coin))'
      : `(contract-call? '${registry.contractId} ${registry.prefix}-get)`;
  const source = `;; ${comment}
(define-data-var name (string-ascii 32) "Token ${Math.floor(random() * 1e6)}")
(define-data-var uri (optional (string-utf8 256)) none)
(define-constant owner tx-sender)
(define-public (set-uri (new (string-utf8 256)))
  (begin (asserts! (is-eq tx-sender owner) (err u1)) (ok (var-set uri (some new)))))
(define-public (set-name (new (string-ascii 32)))
  (begin (asserts! (is-eq tx-sender owner) (err u1)) (ok (var-set name new))))
(define-public (mint (amount uint)) (begin (asserts! (is-eq tx-sender owner) (err u1)) (ft-mint? coin amount tx-sender)))
${tokenSource({ 'get-name': '(ok (var-get name))', 'get-token-uri': '(ok (var-get uri))', 'get-total-supply': supply })}`;
  return { source, contractInterface: TOKEN_INTERFACE };
}
