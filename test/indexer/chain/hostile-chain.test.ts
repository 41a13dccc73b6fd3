import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runBuild } from '#generator/run-build.ts';
import { runIndex } from '#indexer/run-index.ts';
import { countBlocks } from '#store/chain/blocks.ts';
import { readChainFailures } from '#store/chain/chain-log.ts';
import { readHighestGap } from '#store/chain/gaps.ts';
import type { Store } from '#store/index-database.ts';
import { countContracts } from '#store/status/counts.ts';
import { indexText, newIndex } from '../../support/archives.ts';
import { buildOptions } from '../../support/build-options.ts';
import { indexOptions } from '../../support/index-options.ts';
import { TOKEN_INTERFACE } from '../../support/interfaces.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { tokenSource } from '../../support/token-source.ts';
import { ADDRESS, blockJson, burnEvent, callJson, deployJson, line, mintEvent } from '../../support/transactions.ts';

const indexOf = async (blocks: readonly unknown[]) => {
  const store = await newIndex();
  await indexText(store, blocks.map((block) => line('/new_block', block)).join(''));
  return store;
};
const codes = async (store: Store) => (await readChainFailures(store, 100)).map((failure) => failure.code);

test('skips only events with invalid indexes or forms', async () => {
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
  const store = await indexOf([{ ...block, transactions }]);
  expect(await countContracts(store)).toMatchObject({ contracts: 1 });
  expect(await codes(store)).toEqual(['event-invalid', 'event-invalid']);
});

test('reports a gap below a block that skips the heights of canonical blocks', async () => {
  const store = await indexOf([
    ...[0, 1, 2].map((height) => blockJson({ id: height, parent: height - 1, height })),
    blockJson({ id: 'b', parent: 0, height: 3 }),
  ]);
  expect(await countBlocks(store)).toEqual({ canonical: 4, orphaned: 0 });
  expect(await readHighestGap(store, { canonical: true })).toBe(3);
  expect(await codes(store)).toEqual(['block-gap']);
});

test('reports supply-out-of-range, and omits the supply from the response', async () => {
  const contractId = `${ADDRESS}.token`;
  const source = tokenSource({ 'get-total-supply': '(ok (ft-get-supply coin))' });
  const deploy = deployJson('token', source, { clarityVersion: 2, interface: TOKEN_INTERFACE });
  const events = [burnEvent(deploy.txid, `${contractId}::coin`, '500')];
  const store = await indexOf([blockJson({ id: 1, parent: 0, height: 0, transactions: [deploy], events })]);
  const message = `The indexed mints of ${contractId}::coin minus its burns are -500, so its supply is left out.`;
  expect(await readChainFailures(store, 100)).toMatchObject([
    { code: 'supply-out-of-range', message: `${message} Index the missing blocks.` },
  ]);
  await runIndex(store, indexOptions({ vm: true }));
  const out = join(tempFolder(), 'dist');
  await runBuild(store, buildOptions(out));
  const answer = JSON.parse(readFileSync(join(out, `metadata/v1/ft/${contractId}`), 'utf8')) as object;
  expect(answer).toMatchObject({ name: 'Live' });
  expect(answer).not.toHaveProperty('total_supply');
});
