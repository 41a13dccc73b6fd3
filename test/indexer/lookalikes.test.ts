// Statuses name the first token with the same symbol and with a similar name, through forks and incremental builds.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { findLookalikes } from '#indexer/find-lookalikes.ts';
import { TOKEN_INTERFACE } from '../support/interfaces.ts';
import { expectLinear } from '../support/linear-time.ts';
import { okOf, runWarm } from '../support/run-cli.ts';
import { readTree } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { deployJson, idOf, lineAt } from '../support/transactions.ts';

const deploy = (contract: string, name: string, symbol: string) =>
  deployReturning(contract, `(ok u"${name}")`, `(ok u"${symbol}")`);

/** Returns a deploy of a token whose getters have these bodies. */
const deployReturning = (contract: string, name: string, symbol: string, json: object | null = TOKEN_INTERFACE) =>
  deployJson(
    contract,
    `(define-fungible-token t)
    (define-read-only (get-name) ${name}) (define-read-only (get-symbol) ${symbol})
    (define-read-only (get-decimals) (ok u0)) (define-read-only (get-total-supply) (ok u0))
    (define-read-only (get-token-uri) (ok none)) (define-read-only (get-balance (who principal)) (ok u0))
    (define-public (transfer (amount uint) (from principal) (to principal) (memo (optional (buff 34)))) (ok true))`,
    { interface: json },
  );

test('names the first token by symbol and by similar name', async () => {
  const cwd = tempFolder();
  const build = async (archive: string, out = 'dist') => {
    okOf(await runWarm(['index', '--archive', archive, '--offline'], { cwd }));
    okOf(await runWarm(['build', '--out', out], { cwd }));
    const tree = readTree(join(cwd, out));
    return (name: string): unknown => {
      const status = JSON.parse(tree.get(`metadata/v1/status/${idOf(name)}`) ?? '{}') as Record<string, unknown>;
      return [status.first_with_symbol, status.first_with_similar_name];
    };
  };
  const genesis = lineAt(0, [deploy('other', 'Other', 'OTHER')]);
  const first = [
    lineAt(1, [deploy('one', 'Bitcoin', 'BTC')]),
    lineAt(2, [
      deploy('two', 'Bitc\\u{43e}in', 'btc'),
      deploy('three', 'Three', 'BTC'),
      deploy('blank', ' ', ''),
      deploy('blank-too', ' ', ''),
    ]),
  ];
  writeFileSync(join(cwd, 'first.tsv'), [genesis, ...first].join(''));
  const before = await build('first.tsv');
  expect(['other', 'one', 'two', 'three', 'blank', 'blank-too'].map(before)).toEqual([
    [undefined, undefined],
    [undefined, undefined],
    [idOf('one'), idOf('one')],
    [idOf('one'), undefined],
    [undefined, undefined],
    [undefined, undefined],
  ]);
  // A longer fork does not contain the first token, so the second one becomes the first.
  const fork = [
    lineAt(1, [deploy('two', 'Bitc\\u{43e}in', 'btc')], { forkedAt: 1 }),
    lineAt(2, [deploy('three', 'Three', 'BTC')], { forkedAt: 1 }),
    lineAt(3, [deploy('four', 'BITCOIN', 'FOUR')], { forkedAt: 1 }),
  ];
  writeFileSync(join(cwd, 'fork.tsv'), [genesis, ...fork].join(''));
  const after = await build('fork.tsv');
  expect(['two', 'three', 'four'].map(after)).toEqual([
    [undefined, undefined],
    [idOf('two'), undefined],
    [undefined, idOf('two')],
  ]);
  okOf(await runWarm(['build', '--out', 'full'], { cwd }));
  expect(readTree(join(cwd, 'dist'))).toEqual(readTree(join(cwd, 'full')));
});

const NAME = '(ok "Coin")';
const SYMBOL = '(ok "COIN")';
const ERROR = '(err u404)';
/** The VM refuses this body, although the chain accepted it. */
const REFUSED = '(ok (newer-than-the-vm))';

test.each([
  ['a token without a symbol', [deployReturning('old', '(ok "Old")', ERROR)], 'first'],
  ['an older token that the VM refuses', [deployReturning('old', REFUSED, REFUSED)], undefined],
  ['an older token without an interface', [deployReturning('old', REFUSED, REFUSED, null)], undefined],
  [
    'an unread token after the first',
    [deploy('oldest', 'Coin', 'coin'), deployReturning('old', REFUSED, REFUSED)],
    'oldest',
  ],
])('names the first token in spite of copies: %s', async (_, older, first) => {
  const cwd = tempFolder();
  const copies = ['first', 'second', 'third'].map((name) => deployReturning(name, NAME, SYMBOL));
  writeFileSync(join(cwd, 'chain.tsv'), lineAt(0, older) + lineAt(1, copies));
  okOf(await runWarm(['index', '--archive', 'chain.tsv', '--offline'], { cwd }));
  okOf(await runWarm(['build'], { cwd }));
  const tree = readTree(join(cwd, 'dist'));
  for (const name of ['second', 'third']) {
    const status = JSON.parse(tree.get(`metadata/v1/status/${idOf(name)}`) ?? '') as Record<string, unknown>;
    const expected = first === undefined ? undefined : idOf(first);
    expect([status.first_with_symbol, status.first_with_similar_name]).toEqual([expected, expected]);
  }
});

test('changes the statuses of later tokens after a changed symbol, in an incremental build', async () => {
  const cwd = tempFolder();
  writeFileSync(join(cwd, 'chain.tsv'), lineAt(0, [deploy('one', 'One', 'BTC'), deploy('two', 'Two', 'BTC')]));
  const run = async (...args: string[]) => okOf(await runWarm(args, { cwd }));
  const firstOf = () =>
    (JSON.parse(readTree(join(cwd, 'dist')).get(`metadata/v1/status/${idOf('two')}`) ?? '') as Record<string, unknown>)
      .first_with_symbol;
  await run('index', '--archive', 'chain.tsv', '--offline');
  await run('build');
  expect(firstOf()).toBe(idOf('one'));
  const sqlite = new Database(join(cwd, 'data/index.sqlite'));
  sqlite.prepare(`update reading set value = 'OTHER' where getter = 'get-symbol' and token_id = 1`).run();
  sqlite.close();
  await run('index', '--archive', 'chain.tsv', '--offline');
  await run('build');
  expect(firstOf()).toBeUndefined();
});

test.each([
  ['an override', '\u202eCTBs', true],
  ['an override in an isolate', '\u2067\u202eCTBs\u202c\u2069', true],
  ['an override of a part', 's\u202eCTB\u202c', true],
  ['an embedding', '\u202bs BTC', true],
  ['a mark', '\u200fTCsB', true],
  ['no control', 'CTBs', false],
  ['other characters', '\u202eCTBz', false],
])('compares texts that are drawn from right to left: %s', (_, text, isAlike) => {
  for (const names of [
    ['Zulu', 'sBTC', text],
    ['Zulu', text, 'sBTC'],
  ]) {
    const tokens = names.map((name, tokenId) => ({ tokenId, name, symbol: name }));
    expect(findLookalikes(tokens).get(2)).toEqual(isAlike ? { symbolOf: 1, nameOf: 1 } : undefined);
  }
});

test('compares brackets that are mirrored', () => {
  const tokens = ['<sBTC', '\u202eCTBs>'].map((name, tokenId) => ({ tokenId, name, symbol: '' }));
  expect(findLookalikes(tokens)).toEqual(new Map([[1, { symbolOf: undefined, nameOf: 0 }]]));
});

test('compares hostile names in linear time', async () => {
  const name = `${'І'.repeat(200)}\u200b`;
  await expectLinear((count) => {
    const tokens = Array.from({ length: count }, (_, tokenId) => ({
      tokenId,
      name: `${name}${tokenId}`,
      symbol: name,
    }));
    expect(findLookalikes(tokens).size).toBe(count - 1);
  }, 2_500);
});
