// Tests the call graph of a small chain: its responses, and which files change when a contract is deployed.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findNames } from '#clarity/find-names.ts';
import { runBuild } from '#generator/run-build.ts';
import { graphBlockOf } from '#layout/data-files.ts';
import { packCode } from '#model/packed-code.ts';
import { contractGraph } from '#routes/contract-graph.ts';
import { replaceDeploy } from '#store/chain/deploys.ts';
import type { Store } from '#store/index-database.ts';
import { firstDifference, RenderedSite, renderFull } from '../reliability/ledger/rendered-site.ts';
import { indexText, newIndex } from '../support/archives.ts';
import { buildOptions } from '../support/build-options.ts';
import { COLLECTION_INTERFACE } from '../support/interfaces.ts';
import { readTree } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { ADDRESS, blockLine, deployJson, idOf } from '../support/transactions.ts';

/** Addresses of other people. */
const OTHERS = ['SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7', 'SP000000000000000000002Q6VF78'];

const ORACLE = '(define-read-only (get-oracle-price) (ok u1)) (define-public (set (x uint)) (ok x))';
const VAULT = `(impl-trait .traits.vault) (use-trait ft .traits.ft)
  ;; (contract-call? .oracle old)
  (define-public (pay (t <ft>)) (begin (try! (contract-call? t transfer u1)) (contract-call? .oracle set u1)))
  (define-read-only (price) (contract-call? .oracle get-oracle-price))`;

/**
 * Returns a function that deploys contracts in a new block and builds. It returns the built files, and which files of
 * the graph changed.
 */
async function world() {
  const store = await newIndex();
  const out = join(tempFolder(), 'dist');
  let height = 0;
  return async (...contracts: readonly (readonly [name: string, source: string, contractInterface?: object])[]) => {
    const transactions = contracts.map(([name, source, contractInterface]) =>
      deployJson(name, source, contractInterface && { interface: contractInterface }),
    );
    height++;
    await indexText(store, blockLine({ id: height, parent: height - 1, height, transactions }));
    const before = existsSync(out) ? readTree(out) : new Map<string, string>();
    await runBuild(store, buildOptions(out));
    const after = readTree(out);
    const changed = [...after].filter(([path, body]) => before.get(path) !== body).map(([path]) => path);
    return { changed: changed.filter((path) => path.startsWith('graph/')), tree: after };
  };
}

/** Returns the path of the file with the part of the graph that has this contract. */
const blockOf = (name: string) => `graph/${graphBlockOf(idOf(name))}.json`;
const graphOf = (tree: ReadonlyMap<string, string>, name: string) =>
  JSON.parse(tree.get(blockOf(name)) ?? '')[idOf(name)];
const NO_LIST = { count: 0, first: [] };

test('has calls, callers, traits and copies; updates blocks of called and copied contracts', async () => {
  const add = await world();
  const { tree } = await add(['oracle', ORACLE], ['vault', VAULT], ['idle', '(define-constant a u1)']);
  expect(graphOf(tree, 'vault')).toEqual({
    contract_id: idOf('vault'),
    calls: [[idOf('oracle'), 'get-oracle-price', 'set']],
    on_traits: ['transfer'],
    implements: [`${idOf('traits')}.vault`],
    uses: [`${idOf('traits')}.ft`],
    called_by: NO_LIST,
    original: null,
    copies: NO_LIST,
  });
  const row = [idOf('vault'), 'get-oracle-price', 'set'];
  expect(graphOf(tree, 'oracle').called_by).toEqual({ count: 1, first: [row] });

  const next = await add(['vault-copy', VAULT]);
  expect(next.changed.sort()).toEqual([blockOf('oracle'), blockOf('vault'), blockOf('vault-copy')].sort());
  expect(graphOf(next.tree, 'vault').copies).toEqual({ count: 1, first: [[idOf('vault-copy')]] });
  expect(graphOf(next.tree, 'vault-copy')).toMatchObject({ original: idOf('vault'), copies: NO_LIST });
});

test('lists the first thousand callers, and counts the others', async () => {
  const add = await world();
  await add(['oracle', ORACLE]);
  const callers = Array.from({ length: 1_000 }, (_, index): [string, string] => [
    `caller-${index}`,
    `(define-constant number u${index}) (define-public (f) (contract-call? .oracle set u${index}))`,
  ]);
  const first = callers.map(([name]) => [idOf(name), 'set']);
  expect(graphOf((await add(...callers)).tree, 'oracle').called_by).toEqual({ count: 1_000, first });
  const { changed, tree } = await add(['last', '(define-public (f) (contract-call? .oracle set u1))']);
  expect(changed.sort()).toEqual([blockOf('last'), blockOf('oracle')].sort());
  expect(graphOf(tree, 'oracle').called_by).toEqual({ count: 1_001, first });
});

test('the search of tokens counts each address that calls a token once', async () => {
  const add = await world();
  const coin: readonly [string, string, object] = ['coin', ORACLE, COLLECTION_INTERFACE];
  const call = `(define-public (f) (contract-call? '${idOf('coin')} set u1))`;
  const callersOfOthers = OTHERS.map((address): [string, string] => [`${address}.one`, call]);
  const spam = Array.from({ length: 20 }, (_, index): [string, string] => [`spam-${index}`, `${call} ;; ${index}`]);
  const { tree } = await add(coin, ...spam, ...callersOfOthers);
  const rows = JSON.parse(tree.get('search/tokens/index.json') ?? '') as string[][];
  expect(rows.map(([kind, id, , , , callers]) => [kind, id, callers])).toEqual([['nft', idOf('coin'), '3']]);
});

test('the newest contracts are one of each address, and one of each series of names', async () => {
  const add = await world();
  const series = OTHERS.map((address, index): [string, string] => [`${address}.bns-16${index}-v1`, '(ok u1)']);
  await add(['old', '(ok u1)']);
  const { tree } = await add(['new', '(ok u2)'], ...series, [`${OTHERS[0]}.older`, '(ok u3)']);
  const { newest_contracts: newest } = JSON.parse(tree.get('metadata/v1/index.json') ?? '');
  const [first, second] = OTHERS;
  expect(newest.map(({ contract_id: id }: { contract_id: string }) => id)).toEqual([
    `${first}.older`,
    `${second}.bns-161-v1`,
    idOf('new'),
  ]);
});

test('limits the files that one contract changes, and says that its calls are partial', async () => {
  const add = await world();
  const called = Array.from({ length: 1_200 }, (_, index) => `called-${index}`);
  await add(...called.map((name): [string, string] => [name, `(define-constant name "${name}")`]));
  const calls = called.map((name) => `(contract-call? .${name} f)`);
  const { changed, tree } = await add(
    ['few', `(define-public (f) (begin ${calls.slice(0, 999).join(' ')}))`],
    ['many', `(define-public (f) (begin ${calls.join(' ')}))`],
  );
  expect(graphOf(tree, 'few')).not.toHaveProperty('partial');
  const { partial, calls: rows } = graphOf(tree, 'many');
  expect([partial, rows.length]).toEqual([true, 1_000]);
  expect(changed.length).toBeLessThanOrEqual(1_002);
  expect(graphOf(tree, 'called-999').called_by.count).toBe(1);
  expect(graphOf(tree, 'called-1000').called_by.count).toBe(0);
});

const CALLER = '(define-public (g) (contract-call? .called f))';
const deploys = (...names: readonly string[]) =>
  names.map((name) => deployJson(name, name === 'called' ? '(define-public (f) (ok u1))' : CALLER));

test.each<[string, (store: Store) => Promise<unknown>]>([
  [
    'two deploys change places on a fork',
    async (store) => {
      await indexText(store, blockLine({ id: 'fork', parent: 1, height: 2, transactions: deploys('copy', 'caller') }));
      await indexText(store, blockLine({ id: 3, parent: 'fork', height: 3, transactions: [] }));
    },
  ],
  [
    'a deploy turns out to have another source',
    (store) =>
      store.transaction().execute(async (transaction) => {
        const deploy = transaction.selectFrom('deploy').selectAll().where('contract_id', '=', idOf('caller'));
        const { deploy_id: deployId, tx_id: txId } = await deploy.executeTakeFirstOrThrow();
        const source = '(define-public (g) (ok u2))';
        await replaceDeploy(transaction, deployId, {
          ...{ txId: `0x${txId.toString('hex')}`, contractId: idOf('caller'), senderAddress: ADDRESS },
          ...{ clarityVersion: undefined, epoch: undefined, standard: undefined },
          code: packCode(source, undefined),
          references: findNames(Buffer.from(source), ADDRESS),
        });
      }),
  ],
])('an incremental build equals a full build after %s', async (_, change) => {
  const store = await newIndex();
  await indexText(store, blockLine({ id: 1, parent: 0, height: 1, transactions: deploys('called') }));
  await indexText(store, blockLine({ id: 2, parent: 1, height: 2, transactions: deploys('caller', 'copy') }));
  const routes = [contractGraph];
  const site = new RenderedSite(routes);
  await site.update(store);
  const before = site.files;
  await change(store);
  await site.update(store);
  expect(firstDifference(site.files, await renderFull(store, routes))).toBeUndefined();
  expect(firstDifference(site.files, before)).toBeDefined();
});
