// Statuses name the first token with the same symbol and with a similar name, through forks and incremental builds.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { findLookalikes } from '#indexer/find-lookalikes.ts';
import { blockOfDeploys, unsignedDeploy } from '../../scripts/unsigned-deploy.ts';
import { TOKEN_INTERFACE } from '../support/interfaces.ts';
import { okOf, runWarm } from '../support/run-warm.ts';
import { readTree } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ADDRESS = 'SP3Y74M5227FDVHREWPH773F5Y1W1ED8WXY3RAVG4';
const idOf = (name: string) => `${ADDRESS}.${name}`;

const deploy = (contract: string, name: string, symbol: string, index = 0) =>
  unsignedDeploy(
    idOf(contract),
    `(define-fungible-token t)
    (define-read-only (get-name) (ok u"${name}")) (define-read-only (get-symbol) (ok u"${symbol}"))
    (define-read-only (get-decimals) (ok u0)) (define-read-only (get-total-supply) (ok u0))
    (define-read-only (get-token-uri) (ok none))`,
    index,
    TOKEN_INTERFACE,
  );

test('default: names the first token by symbol and by similar name', async () => {
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
  const genesis = blockOfDeploys(0, [deploy('other', 'Other', 'OTHER')]);
  const first = [
    blockOfDeploys(1, [deploy('one', 'Bitcoin', 'BTC')]),
    blockOfDeploys(2, [
      deploy('two', 'Bitc\\u{43e}in', 'btc', 0),
      deploy('three', 'Three', 'BTC', 1),
      deploy('blank', ' ', '', 2),
      deploy('blank-too', ' ', '', 3),
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
    blockOfDeploys(1, [deploy('two', 'Bitc\\u{43e}in', 'btc')], 1),
    blockOfDeploys(2, [deploy('three', 'Three', 'BTC')], 1),
    blockOfDeploys(3, [deploy('four', 'BITCOIN', 'FOUR')], 1),
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

test('behavior: a changed symbol changes the statuses of later tokens in an incremental build', async () => {
  const cwd = tempFolder();
  writeFileSync(
    join(cwd, 'chain.tsv'),
    blockOfDeploys(0, [deploy('one', 'One', 'BTC'), deploy('two', 'Two', 'BTC', 1)]),
  );
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

test('behavior: compares ten thousand hostile names in linear time', () => {
  const name = `${'І'.repeat(200)}\u200b`;
  const tokens = Array.from({ length: 10_000 }, (_, index) => ({
    tokenId: index,
    name: `${name}${index}`,
    symbol: name,
  }));
  const start = performance.now();
  expect(findLookalikes(tokens).size).toBe(9_999);
  expect(performance.now() - start).toBeLessThan(5_000);
});
