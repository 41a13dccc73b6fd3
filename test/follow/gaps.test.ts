// Tests a follower that has missed blocks. The node can send these blocks again.
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { fillGaps } from '#follow/fill-gaps.ts';
import { openSpool } from '#follow/spool.ts';
import { runIndex } from '#indexer/run-index.ts';
import { openIndex } from '#store/index-database.ts';
import { indexOptions } from '../support/index-options.ts';
import { TOKEN_INTERFACE } from '../support/interfaces.ts';
import { loopbackServer } from '../support/loopback-server.ts';
import { post, runWarm, spooledLines, startFollow } from '../support/run-cli.ts';
import { readTree } from '../support/sample.ts';
import { serverClient } from '../support/server-client.ts';
import { silentReporter } from '../support/silent-reporter.ts';
import { tempFolder } from '../support/temp-folder.ts';
import {
  addressOn,
  blockJson,
  callJson,
  deployJson,
  hashOf,
  type Json,
  line,
  mintEvent,
} from '../support/transactions.ts';

const AUTH = 'the token of the node';
const CHAIN = { chainId: 0x80000000 };
const BURN = { burn_block_height: 800_000, burn_block_time: 1_750_747_303 };
const contractOf = (name: string) => `${addressOn(CHAIN.chainId)}.${name}`;

/**
 * A chain of ten blocks. Blocks 1, 3, 5 and so on deploy a token, which the next block mints. Each of them also has a
 * failed deploy.
 */
const blocks = Array.from({ length: 10 }, (_, index): Json => {
  const height = index + 1;
  const name = `token-${height}`;
  const deploy = deployJson(name, `(define-fungible-token t-${height})`, {
    ...CHAIN,
    nonce: height,
    interface: TOKEN_INTERFACE,
  });
  const failed = {
    ...deployJson('broken', '(', { ...CHAIN, nonce: 100 + height }),
    status: 'abort_by_response',
    raw_result: '0x0809',
  };
  const call = callJson({ ...CHAIN, nonce: 200 + height });
  const event = mintEvent(call.txid, `${contractOf(`token-${height - 1}`)}::t-${height - 1}`, '21');
  const transactions = height % 2 === 1 ? [deploy, failed] : [call];
  return {
    ...blockJson({ id: height, parent: index, height, transactions, events: height % 2 === 1 ? [] : [event] }),
    ...BURN,
  };
});

/**
 * Returns a block in the form in which a node replays it. Some of its hashes have no 0x prefix, and its transactions
 * have results.
 */
function replayOf(block: Json): Json {
  const bare = (hash: unknown) => String(hash).slice(2);
  return {
    block_id: bare(block.index_block_hash),
    block_hash: bare(block.block_hash),
    block_height: block.block_height,
    parent_block_id: bare(block.parent_index_block_hash),
    consensus_hash: 'ab'.repeat(20),
    timestamp: 1,
    transactions: (block.transactions as Json[]).map((transaction, index) => ({
      txid: bare(transaction.txid),
      tx_index: index,
      data: { payload: {} },
      hex: bare(transaction.raw_tx),
      result_hex: transaction.raw_result,
      post_condition_aborted: false,
      events: (block.events as Json[]).filter((event) => event.txid === transaction.txid),
    })),
    valid_merkle_root: true,
  };
}

const openNode = async (has: (height: number) => boolean, change = (replay: Json, _id: string) => replay) => {
  const requests: string[] = [];
  const server = await loopbackServer((request, response) => {
    const url = request.url ?? '';
    requests.push(url);
    const respond = (status: number, json?: unknown) => response.writeHead(status).end(JSON.stringify(json) ?? 'no');
    const [, id] = /^\/v3\/blocks\/replay\/([0-9a-f]{64})$/.exec(url) ?? [];
    if (id !== undefined && request.headers.authorization !== AUTH) return respond(401);
    const block = blocks.find((block) => block.index_block_hash === `0x${id}` && has(Number(block.block_height)));
    if (id !== undefined) return block === undefined ? respond(404) : respond(200, change(replayOf(block), id));
    if (url.startsWith(`/v3/sortitions/consensus/${'ab'.repeat(20)}`))
      return respond(200, [{ burn_block_height: BURN.burn_block_height, burn_header_timestamp: BURN.burn_block_time }]);
    if (/^\/v2\/contracts\/interface\/[^/]+\/token-\d+$/.test(url)) return respond(200, TOKEN_INTERFACE);
    return respond(404);
  });
  return { requests, url: server.url };
};

const expectedTree = async () => {
  const cwd = tempFolder();
  writeFileSync(join(cwd, 'chain.tsv'), blocks.map((block) => line('/new_block', block, 'raw')).join(''));
  for (const args of [['index', '--archive', 'chain.tsv', '--offline', '--no-vm'], ['build']])
    expect(await runWarm(args, { cwd })).toMatchObject({ status: 0 });
  return readTree(join(cwd, 'dist'));
};

const follow = async (heights: readonly number[], flags: readonly string[]) => {
  const cwd = tempFolder();
  const { child, url } = await startFollow(cwd, ['--build', ...flags], { STXPRESS_NO_VM: '1' });
  let printed = '';
  child.stderr?.on('data', (chunk) => {
    printed += chunk;
  });
  child.stdout?.resume();
  for (const height of heights)
    expect(await post(url, { path: '/new_block', body: JSON.stringify(blocks[height - 1]) })).toBe(true);
  const end = async (isDone: () => boolean) => {
    await vi.waitUntil(isDone, { timeout: 30_000, interval: 100 });
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    expect(await closed).toEqual([0, null]);
    return printed;
  };
  return { cwd, end };
};
const tokensIn = (cwd: string) => {
  const file = join(cwd, 'dist/metadata/v1/index.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).token_contracts['sip-010'] : 0;
};

test('requests the missed blocks, and builds the site of the complete chain', async () => {
  const node = await openNode(() => true);
  const { cwd, end } = await follow([1, 2, 9, 10], ['--node-url', node.url, '--node-auth', AUTH]);
  const printed = await end(() => tokensIn(cwd) === 5);
  expect(printed).toContain('Filled a gap below height 9: 6 blocks');
  expect([...readTree(join(cwd, 'dist'))]).toEqual([...(await expectedTree())]);
  // Each missed block was requested once. Blocks before the first known block were not requested.
  const replays = node.requests.filter((url) => url.includes('/replay/'));
  expect(replays).toEqual([8, 7, 6, 5, 4, 3].map((height) => `/v3/blocks/replay/${hashOf(height).slice(2)}`));
});

describe('fillGaps', () => {
  /**
   * Indexes blocks of these heights, and fills the gaps between them. Returns the messages, and the heights of blocks
   * that were added.
   */
  const fill = async (heights: readonly number[], node: { readonly url: string }, auth: string, times = 1) => {
    const cwd = tempFolder();
    const archive = join(cwd, 'chain.tsv');
    writeFileSync(archive, heights.map((height) => line('/new_block', blocks[height - 1], 'raw')).join(''));
    const store = await openIndex(join(cwd, 'index.sqlite'));
    await runIndex(store, indexOptions({ archives: [archive] }));
    const spool = await openSpool({ folder: cwd, maxFileBytes: 1_000_000 });
    const messages: string[] = [];
    const log = (message: string) => messages.push(message);
    const client = serverClient(node.url, { secretHeaders: { authorization: auth }, keyFlag: '--node-auth' });
    const { signal } = new AbortController();
    const reporter = { ...silentReporter, info: log, warn: log };
    const missing = new Set<string>();
    for (let time = 0; time < times; time++) await fillGaps({ store, spool, client, reporter, signal, missing });
    await spool.close();
    await store.destroy();
    const lines = spooledLines(cwd);
    const filled = lines.map((text) => JSON.parse(text.split('\t')[3] ?? '').block_height as number);
    expect(existsSync(join(cwd, 'incoming'))).toBe(false);
    return { messages, filled };
  };

  test('warns once about a block that the node lacks, and adds the blocks above it', async () => {
    const node = await openNode((height) => height > 4);
    const { messages, filled } = await fill([1, 2, 9], node, AUTH);
    expect(filled).toEqual([5, 6, 7, 8]);
    expect(messages).toEqual([
      `The block ${hashOf(4)} below height 9 is missing, and the node did not replay it: The node does not have it.`,
      'Filled a gap below height 9: 4 blocks',
    ]);
    const unfilled = await fill([1, 2, 9], await openNode(() => false), AUTH, 2);
    expect([unfilled.filled, unfilled.messages.length]).toEqual([[], 1]);
    // Blocks before the first indexed block are not a gap.
    expect(await fill([8, 9], await openNode(() => true), AUTH)).toEqual({ messages: [], filled: [] });
  });

  test('adds the blocks of a gap once', async () => {
    const { filled } = await fill([1, 2, 9], await openNode(() => true), AUTH, 3);
    expect(filled).toEqual([3, 4, 5, 6, 7, 8]);
  });

  test('writes no file outside of the spool', async () => {
    const victim = join(tempFolder(), 'victim.txt');
    writeFileSync(victim, 'text');
    for (const name of ['', 'gap-']) {
      const parent_block_id = `${name}${'ab'.repeat(32)}/../../../../../../../../../..${victim}`;
      const node = await openNode(
        () => true,
        (replay) => ({ ...replay, parent_block_id }),
      );
      const { messages, filled } = await fill([1, 2, 9], node, AUTH);
      expect([filled, messages]).toEqual([
        [],
        [expect.stringContaining('in a format that this version does not know')],
      ]);
    }
    expect(readFileSync(victim, 'utf8')).toBe('text');
  });

  test('stops at a block that is not below the block above it, or that was not requested', async () => {
    const bare = (height: number) => hashOf(height).slice(2);
    const stays = await openNode(
      () => true,
      (replay) => ({ ...replay, block_height: 8 }),
    );
    const first = await fill([1, 2, 9], stays, AUTH, 3);
    expect([first.filled, stays.requests.length]).toEqual([[8], 3]);
    expect(first.messages[0]).toContain(`returned block ${hashOf(7)} at height 8, not block ${hashOf(7)} below 8.`);
    const other = await openNode(
      () => true,
      (replay) => ({ ...replay, block_id: bare(3) }),
    );
    expect((await fill([1, 2, 9], other, AUTH)).filled).toEqual([]);
    const circle = await openNode(
      () => true,
      (replay, id) => ({ ...replay, block_id: id, parent_block_id: id }),
    );
    expect((await fill([1, 2, 9], circle, AUTH)).filled).toEqual([8]);
  });

  test('the node rejects the token', async () => {
    const { messages, filled } = await fill([1, 9], await openNode(() => true), 'another token');
    expect(filled).toEqual([]);
    expect(messages).toEqual([expect.stringContaining('responded with status 401: no. Check --node-auth.')]);
  });
});
