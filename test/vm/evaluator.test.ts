// Tests the evaluation of tokens in the VM: their getters, their dependencies, and sources that the VM can run only in
// part.
import { expect, test } from 'vitest';
import { isFailure } from '#model/failure.ts';
import { SHARED_EVALUATOR } from '../support/index-options.ts';
import { evaluateWith, getters, separate, source } from './evaluate-with.ts';

const evaluateResults = (
  sourceCode: string,
  { clarityVersion = 2, ...options }: Parameters<typeof evaluateWith>[2] & { clarityVersion?: number } = {},
) => evaluateWith(SHARED_EVALUATOR, source('token', sourceCode, clarityVersion), options);

const evaluate = async (...args: Parameters<typeof evaluateResults>) => separate(await evaluateResults(...args));

test('returns a text per getter, and omits a supply that events define', async () => {
  expect(await evaluateResults(getters({ 'get-token-uri': '(ok (some u"https://example.org/\\u{e9}"))' }))).toEqual({
    results: [
      { getter: 'get-name', value: 'Live' },
      { getter: 'get-symbol', value: 'LIV' },
      { getter: 'get-decimals', value: '6' },
      { getter: 'get-token-uri', value: 'https://example.org/é' },
    ],
    partial: false,
    supplyAssets: ['coin'],
  });
});

test('omits only the value of a getter that fails or returns another type', async () => {
  const result = await evaluate(
    getters({
      'get-decimals': '(if true (err u6004) (ok u1))',
      'get-symbol': '(ok u5)',
      'get-total-supply': '(ok (+ u1 u2))',
    }),
  );
  expect(result).toEqual({
    values: { name: 'Live', totalSupply: '3' },
    failures: [
      { getter: 'get-symbol', code: 'getter-wrong-type', message: 'get-symbol returned u5.' },
      { getter: 'get-decimals', code: 'getter-error', message: 'get-decimals returned (err u6004).' },
    ],
    partial: false,
  });
});

test.each([
  ['a sum of supplies', '(ok (+ (ft-get-supply coin) (ft-get-supply locked)))', ['coin', 'locked']],
  ['something added', '(ok (+ (ft-get-supply coin) u1))', undefined],
  ['more than an ok', '(begin (ok (ft-get-supply coin)))', undefined],
])('finds the supply assets of %s', async (_, body, assets) => {
  const result = await evaluate(`(define-fungible-token locked)\n${getters({ 'get-total-supply': body })}`);
  expect(isFailure(result) ? result : result.supplyAssets).toEqual(assets);
});

test('omits only the top-level expressions that fail', async () => {
  const result = await evaluate(`
      (define-data-var name (string-ascii 16) "initial")
      (define-data-var symbol (string-ascii 8) "none")
      (var-set name "set at deploy")
      (unwrap-panic (stx-transfer? u1000000 tx-sender 'SP000000000000000000002Q6VF78))
      (contract-call? .missing-minter mint)
      (var-set symbol "LATE")
      (asserts! false (err u1))
      ${getters({
        'get-name': '(ok (var-get name))',
        'get-symbol': '(ok (var-get symbol))',
        'get-total-supply': '(ok (+ u1 (ft-get-supply coin)))',
      })}`);
  const message = expect.stringContaining('Only part of the contract');
  // The VM ran only a part of the source, so the chain never had this state. A supply that is not a sum of events is
  // then unknown.
  expect(result).toEqual({
    values: { name: 'set at deploy', symbol: 'LATE', decimals: 6 },
    failures: [{ getter: 'get-total-supply', code: 'supply-not-known', message }],
    partial: true,
  });
});

test('deploys only the definitions of getters if another one fails the analysis', async () => {
  const result = await evaluate(`
      (define-constant NAME "Needed")
      (define-public (swap) (contract-call? 'SP000000000000000000002Q6VF78.not-there swap))
      ${getters({ 'get-name': '(ok NAME)' })}`);
  expect(result).toMatchObject({ values: { name: 'Needed', symbol: 'LIV' }, partial: true, supplyAssets: ['coin'] });
});

test('omits only the failing expressions of a top-level begin', async () => {
  const result = await evaluate(`
      (define-data-var uri (optional (string-utf8 64)) none)
      (begin
        (var-set uri (some u"https://example.org/set-at-deploy"))
        (try! (stx-transfer? u9000000000000000 tx-sender 'SP000000000000000000002Q6VF78))
        (ok true))
      ${getters({ 'get-token-uri': '(ok (var-get uri))' })}`);
  expect(result).toMatchObject({ values: { tokenUri: 'https://example.org/set-at-deploy' }, partial: true });
});

test('omits only the value of a getter or a dependency that fails the analysis', async () => {
  const broken = source(
    'names',
    `(use-trait missing 'SP000000000000000000002Q6VF78.not-there.trait)
       (define-public (other (contract <missing>)) (contract-call? contract other))
       (define-read-only (name) "from what is left")`,
  );
  const text = getters({
    'get-name': '(ok (contract-call? .names name))',
    'get-symbol': "(ok (contract-call? 'SP000000000000000000002Q6VF78.not-there symbol))",
  });
  expect(await evaluate(text, { dependencies: [broken] })).toMatchObject({
    values: { name: 'from what is left', decimals: 6 },
    failures: [{ getter: 'get-symbol', code: 'clarity-error' }],
    partial: true,
  });
});

test.each([
  ['with its own version and epoch', 1, '(define-read-only (height) block-height)'],
  ['with its definitions where it does not run', 2, '(unwrap-panic (if true none (some u1)))'],
])('deploys a dependency first, %s', async (_, version, more) => {
  const names = source('names', `(define-read-only (name) "from another")\n${more}`, version);
  const result = await evaluate(getters({ 'get-name': '(ok (contract-call? .names name))' }), {
    dependencies: [names],
  });
  expect(result).toMatchObject({ values: { name: 'from another' }, partial: false });
});

test('uses the values of mainnet for network keywords on mainnet', async () => {
  const text = getters({
    'get-name': '(ok (if is-in-mainnet "is-in-mainnet" "test"))',
    'get-decimals': '(ok (get chain-id { chain-id: chain-id }))',
  });
  expect(await evaluate(`;; chain-id\n${text}`, { chainId: 1 })).toMatchObject({
    values: { name: 'is-in-mainnet', decimals: 1 },
  });
  expect(await evaluate(text)).toMatchObject({ values: { name: 'test', decimals: 2147483648 } });
});

test('treats network keywords as ordinary names in Clarity 1', async () => {
  const text = `(define-constant chain-id "mine")\n${getters({ 'get-name': '(ok chain-id)' })}`;
  expect(await evaluate(text, { chainId: 1, clarityVersion: 1 })).toMatchObject({ values: { name: 'mine' } });
});

test('accepts functions of older contracts with the names of later keywords', async () => {
  const older = source('older', '(define-read-only (chain-id) "of a function")', 1);
  const text = getters({ 'get-name': '(ok (contract-call? .older chain-id))' });
  expect(await evaluate(text, { chainId: 1, dependencies: [older] })).toMatchObject({
    values: { name: 'of a function' },
  });
});

test('isolates evaluations from each other', async () => {
  const counter = source(
    'counter',
    `(define-data-var n uint u0)
      (define-public (inc) (ok (var-set n (+ u1 (var-get n)))))
      (define-read-only (read) (var-get n))`,
  );
  const text = `
      (define-data-var seen uint u0)
      (contract-call? .counter inc)
      (var-set seen (contract-call? .counter read))
      ${getters({ 'get-decimals': '(ok (var-get seen))' })}`;
  for (let round = 0; round < 3; round++) {
    expect(await evaluate(text, { dependencies: [counter] })).toMatchObject({
      values: { decimals: 1 },
      partial: false,
    });
  }
});

test('omits a dependency that crashes the VM', async () => {
  // The VM panics at an address with a wrong checksum. No chain has such an address.
  const crashing = {
    ...source('names', '(define-read-only (name) "x")'),
    contractId: 'SP2PABAF9FTAJYNFZH93XENAJ8FVY99RRM50D2JGX.names',
  };
  expect(await evaluate(getters(), { dependencies: [crashing] })).toMatchObject({ values: { name: 'Live' } });
});

test('reports clarity-error', async () => {
  expect(await evaluate('(define-read-only (get-name) (ok (undefined-function)))')).toMatchObject({
    code: 'clarity-error',
    retryable: false,
    message: expect.stringContaining('undefined-function'),
  });
});
