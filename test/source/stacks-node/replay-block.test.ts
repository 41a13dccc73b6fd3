// Tests reading a complete block from a node, whose response may be hostile.
import { expect, test } from 'vitest';
import { parsePayload } from '#source/observer/parse-payload.ts';
import { reducePayload } from '#source/observer/reduce-payload.ts';
import { replayBlock } from '#source/stacks-node/replay-block.ts';
import { loopbackServer } from '../../support/loopback-server.ts';
import { serverClient } from '../../support/server-client.ts';
import { ADDRESS, callJson, deployJson, hashOf, type Json, nftEvent } from '../../support/transactions.ts';

const CONSENSUS_HASH = 'ab'.repeat(20);
const BURN = [{ burn_block_height: 800_000, burn_header_timestamp: 1_750_747_303 }];

const transactionOf = ({ txid, raw_tx, raw_result }: Json, events: readonly Json[] = []) => ({
  ...{ txid, hex: raw_tx, result_hex: raw_result, tx_index: 7, post_condition_aborted: false },
  events: events.map((event, event_index) => ({ ...event, txid, event_index })),
});

/** Reads block 5 from a node whose response has these members. */
const read = async (over: Json = {}, burn: unknown = BURN) => {
  const requests: string[] = [];
  const replay = {
    ...{ block_id: hashOf(5), block_hash: hashOf('b'), block_height: 5, parent_block_id: hashOf(4) },
    ...{ consensus_hash: CONSENSUS_HASH, transactions: [], ...over },
  };
  const { url } = await loopbackServer((request, response) => {
    requests.push(request.url ?? '');
    if (request.url?.startsWith('/v2/')) response.writeHead(404).end('none');
    else response.end(JSON.stringify(request.url?.includes('/replay/') ? replay : burn));
  });
  return { block: await replayBlock(serverClient(url), hashOf(5), 6), requests };
};

test('numbers transactions and events within the block', async () => {
  const [first, second] = [callJson({ nonce: 1 }), callJson({ nonce: 2 })];
  const other = { type: 'stx_transfer_event', committed: true };
  const transactions = [
    transactionOf(first, [other, nftEvent('mint', undefined, ADDRESS, 1n)]),
    transactionOf(second, [nftEvent('burn', undefined, ADDRESS, 1n)]),
  ];
  const { block } = await read({ transactions });
  if (block === undefined || !('payload' in block)) throw new Error('no block');
  const payload = JSON.parse(block.payload) as { transactions: Json[]; events: Json[] };
  expect(payload.transactions.map(({ tx_index }) => tx_index)).toEqual([0, 1]);
  expect(payload.events.map(({ event_index }) => event_index)).toEqual([0, 1, 2]);
  const event = reducePayload(parsePayload(Buffer.from(block.payload)), 'block');
  expect(event).toMatchObject({ tokenEvents: [{ tokenNumber: '1', minted: true, burned: true }] });
});

const call = transactionOf(callJson());
test.each<[string, Json]>([
  ['block_hash', { block_hash: '/new_block' }],
  ['parent_block_id', { parent_block_id: `${'ab'.repeat(32)}/../../../../x` }],
  ['parent_block_id', { parent_block_id: 'AB'.repeat(32) }],
  ['parent_block_id', { parent_block_id: `${hashOf(4)}\n` }],
  ['consensus_hash', { consensus_hash: '../../v2/info?' }],
  ['block_height', { block_height: -1 }],
  ['block_height', { block_height: 4.5 }],
  ['txid', { transactions: [{ ...call, txid: '../x' }] }],
  ['hex', { transactions: [{ ...call, hex: '0x0"' }] }],
  ['result_hex', { transactions: [{ ...call, result_hex: 'none' }] }],
  ['events', { transactions: [{ ...call, events: [null] }] }],
])('rejects an invalid %s before further requests', async (_, over) => {
  const { block, requests } = await read(over);
  expect(block).toMatchObject({ code: 'source-invalid', message: expect.stringContaining('in a format that this') });
  expect(requests).toHaveLength(1);
});

test('rejects a block that was not requested, or is not below the block above it', async () => {
  for (const over of [{ block_id: hashOf(4) }, { block_height: 6 }, { block_height: 7 }])
    expect((await read(over)).block).toMatchObject({
      code: 'source-invalid',
      message: expect.stringContaining(`, not block ${hashOf(5)} below 6.`),
    });
});

test('rejects a burn block without a height', async () => {
  for (const burn_block_height of [-1, 0.5, '1', 2 ** 40])
    expect((await read({}, [{ ...BURN[0], burn_block_height }])).block).toMatchObject({ code: 'source-invalid' });
});

test('requests no interface under a name that contracts cannot have', async () => {
  const names = ['token', '../../info', 'a/b', 'a?b', 'ü'];
  const transactions = names.map((name, nonce) => transactionOf(deployJson(name, '(print 1)', { nonce })));
  const { block, requests } = await read({ transactions });
  expect(block).toMatchObject({ height: 5, parent: hashOf(4) });
  expect(requests.slice(2)).toEqual([`/v2/contracts/interface/${ADDRESS}/token`]);
});
