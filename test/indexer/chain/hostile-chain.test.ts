import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { indexArchive } from '#indexer/chain/index-archive.ts';
import { runIndex } from '#indexer/run-index.ts';
import { runBuild } from '#press/run-build.ts';
import { readTip } from '#store/chain/blocks.ts';
import { readChainFailures } from '#store/chain/chain-log.ts';
import { openIndex, type Store } from '#store/index-database.ts';
import { countContracts } from '#store/status/count-contracts.ts';
import { buildOptions } from '../../support/build-options.ts';
import { indexOptions } from '../../support/index-options.ts';
import {
  addressOf,
  blockJson,
  burnEvent,
  callJson,
  deployJson,
  line,
  mintEvent,
  TEST_KEY,
} from '../../support/observer-lines.ts';
import { silentReporter } from '../../support/silent-reporter.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const index = async (lines: readonly unknown[], use: (store: Store, folder: string) => Promise<void>) => {
  const folder = tempFolder();
  const path = join(folder, 'chain.tsv');
  writeFileSync(path, lines.map((payload) => line('/new_block', payload)).join(''));
  const store = await openIndex(join(folder, 'index.sqlite'));
  await indexArchive(store, {
    path,
    skipBroken: false,
    nft: 'uris',
    maxNftTokens: 50_000,
    maxCalls: 1_000,
    reporter: silentReporter,
    signal: new AbortController().signal,
  });
  await use(store, folder);
  await store.destroy();
};
const codes = async (store: Store) => (await readChainFailures(store, 100)).map((failure) => failure.code);

describe('a hostile chain', () => {
  test("behavior: a block that is its own parent, and two that are each other's, are gaps", async () => {
    const blocks = [
      blockJson({ id: 'first', parent: 'nothing', height: 5 }),
      blockJson({ id: 'self', parent: 'self', height: 4 }),
      blockJson({ id: 'on self', parent: 'self', height: 6 }),
      blockJson({ id: 'x', parent: 'y', height: 3 }),
      blockJson({ id: 'y', parent: 'x', height: 3 }),
      blockJson({ id: 'on x', parent: 'x', height: 7 }),
    ];
    await index(blocks, async (store) => {
      expect(await readTip(store)).toMatchObject({ height: 7 });
      expect(await codes(store)).toContain('block-gap');
    });
  });

  test('behavior: indexes that are none, and events of odd forms, cost nothing else', async () => {
    const call = callJson();
    const deploy = { ...deployJson('kept', '(define-constant a u1)', { nonce: 1 }) };
    const block = blockJson({
      id: 1,
      parent: 0,
      height: 0,
      transactions: [call, deploy],
      events: [
        mintEvent(call.txid, 'SP000000000000000000002Q6VF78.a::a', '1', { event_index: 0.5 }),
        mintEvent(call.txid, 'SP000000000000000000002Q6VF78.a::a', '1', { ft_mint_event: { amount: 7 } }),
        { ...mintEvent(call.txid, 'a', '1'.repeat(40)) },
        null as never,
      ],
    });
    const transactions = (block.transactions as object[]).map((transaction) => ({ ...transaction, tx_index: 1e300 }));
    await index([{ ...block, transactions }], async (store) => {
      expect(await countContracts(store)).toMatchObject({ contracts: 1 });
      expect(await codes(store)).toEqual(['event-invalid', 'event-invalid']);
    });
  });

  test('error: supply-out-of-range, and no supply is answered', async () => {
    const contractId = `${addressOf(TEST_KEY)}.token`;
    const source = `(define-fungible-token t)
      (define-read-only (get-name) (ok "T")) (define-read-only (get-symbol) (ok "T"))
      (define-read-only (get-decimals) (ok u0))
      (define-read-only (get-token-uri) (ok none)) (define-read-only (get-total-supply) (ok (ft-get-supply t)))`;
    const fn = (name: string, ...types: unknown[]) => ({
      name,
      access: 'read_only',
      args: types.map((type) => ({ name: 'a', type })),
      outputs: { type: 'bool' },
    });
    const functions = [
      fn('transfer', 'uint128', 'principal', 'principal', { optional: { buffer: { length: 34 } } }),
      ...['get-name', 'get-symbol', 'get-decimals', 'get-total-supply', 'get-token-uri'].map((name) => fn(name)),
      fn('get-balance', 'principal'),
    ];
    const contractInterface = {
      functions,
      variables: [],
      maps: [],
      fungible_tokens: [{ name: 't' }],
      non_fungible_tokens: [],
    };
    const deploy = deployJson('token', source, { clarityVersion: 2, interface: contractInterface });
    const blocks = [
      blockJson({
        id: 1,
        parent: 0,
        height: 0,
        transactions: [deploy],
        events: [burnEvent(deploy.txid, `${contractId}::t`, '500')],
      }),
    ];
    await index(blocks, async (store, folder) => {
      expect(await codes(store)).toEqual(['supply-out-of-range']);
      await runIndex(store, indexOptions({ vm: true }));
      const out = join(folder, 'dist');
      await runBuild(store, buildOptions(out));
      const answer = JSON.parse(readFileSync(join(out, `metadata/v1/ft/${contractId}`), 'utf8')) as object;
      expect(answer).toMatchObject({ name: 'T' });
      expect(answer).not.toHaveProperty('total_supply');
    });
  });
});
