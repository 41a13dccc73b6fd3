// Tests the event observer. It returns 200 when a payload is on the disk, and rejects requests that do not come from a
// node.
import { type OutgoingHttpHeaders, request } from 'node:http';
import { type AddressInfo, BlockList, connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type ObserverOptions, startObserver } from '#follow/observer-server.ts';
import { openSpool } from '#follow/spool.ts';
import { readAllowed } from '#follow/who-may-post.ts';
import { NODE_HEADERS, spooledLines } from '../support/run-cli.ts';
import { silentReporter } from '../support/silent-reporter.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { blockJson, bootJson, callJson, type Json } from '../support/transactions.ts';

const NOW = new Date('2026-01-02T03:04:05.678Z');
const spoolIn = (folder: string, maxFileBytes = 1_000_000) => openSpool({ folder, maxFileBytes, now: () => NOW });

const start = async (over: Partial<ObserverOptions> = {}) => {
  const folder = tempFolder();
  const spool = await spoolIn(folder);
  const payloads: unknown[] = [];
  const warnings: string[] = [];
  const refused: string[] = [];
  const server = await startObserver({
    host: '127.0.0.1',
    port: 0,
    allowed: readAllowed([]),
    names: ['follower.example.org'],
    spool,
    chainId: undefined,
    reporter: { ...silentReporter, warn: (text) => warnings.push(text) },
    metrics: () => 'the metrics',
    onPayload: (payload) => payloads.push(payload),
    onRefused: (reason) => refused.push(reason),
    ...over,
  });
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await spool.close();
  });
  const { port } = server.address() as AddressInfo;
  const post = async (path: string, body: string | Uint8Array<ArrayBuffer>) =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers: NODE_HEADERS, body })).status;
  /** Sends a POST with these headers, which may include Host, and with the unchanged path. */
  const postWith = (headers: OutgoingHttpHeaders, body = '{}', path = '/new_block') =>
    new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const options = { port, host: '127.0.0.1', method: 'POST', path, headers };
      const posted = request(options, async (response) =>
        resolve({ status: response.statusCode, text: (await response.setEncoding('utf8').toArray()).join('') }),
      );
      posted.on('error', reject).end(body);
    });
  return { folder, port, post, postWith, payloads, warnings, refused };
};

test('writes a payload to the disk on one line, and returns 200', async () => {
  const { folder, post, payloads } = await start();
  expect(await post('/new_block', '{\n "block_height": 7,\r\n "burn_block_time": 12, "x": "a\\nb"}')).toBe(200);
  expect(await post('//new_burn_block', '{}')).toBe(200);
  expect(spooledLines(folder)).toEqual([
    `1\t${NOW.toISOString()}\t/new_block\t{  "block_height": 7,   "burn_block_time": 12, "x": "a\\nb"}`,
    `2\t${NOW.toISOString()}\t/new_burn_block\t{}`,
  ]);
  expect(payloads[0]).toMatchObject({ path: '/new_block', block: { height: 7, burnBlockTime: 12 } });
});

/** Request targets that mean the path /new_block. */
const TARGETS = [
  'http://127.0.0.1:3700/new_block',
  'HTTP://localhost:3700//new_block/?a=b',
  '/stacks/new_block',
  '/a//b///new_block',
  '//new_block',
  '/new_block/',
  '/new_block?x=/',
  '/new_block#x',
  '/x/../new_block/.',
];
test('stores a block in the spool for each form of its request target', async () => {
  const { folder, postWith, payloads } = await start();
  for (const [index, target] of TARGETS.entries()) {
    const body = JSON.stringify(blockJson({ id: index, parent: index - 1, height: index }));
    expect([target, await postWith(NODE_HEADERS, body, target)]).toEqual([target, { status: 200, text: '' }]);
    expect(payloads.at(-1)).toMatchObject({ path: '/new_block', block: { height: index } });
  }
  expect(spooledLines(folder).map((line) => line.split('\t')[2])).toEqual(TARGETS.map(() => '/new_block'));
});

test.each([
  ['/blocks', JSON.stringify(blockJson({ id: 1, parent: 0, height: 1 }))],
  ['/?/new_block', JSON.stringify(blockJson({ id: 1, parent: 0, height: 1 }))],
  ['/new_block.', '{"index_block_hash":'],
  ['/new_block;a', '{"transactions":[]}'],
  ['http://%/new_block', '{"transactions":[]}'],
  ['/New_Block', '{"transactions":[]}'],
  ['/new_block%FF', '{"index\\u005fblock_hash":"0x00"}'],
  ['/new_blocks', '{"transa\\u0063tions":[{}]}'],
])('rejects a block with 404 at the unknown path %s', async (target, body) => {
  const { folder, postWith, payloads, refused, warnings } = await start();
  const { status, text } = await postWith(NODE_HEADERS, body, target);
  expect([status, text]).toEqual([404, expect.stringContaining('is unknown, but has blocks; set the endpoint')]);
  expect([spooledLines(folder), payloads, refused]).toEqual([[], [], ['path']]);
  expect(warnings).toEqual([`A request was rejected: ${text.trimEnd()}.`]);
});

const otherChain = (chain: string) =>
  `A request was rejected: it has blocks of chain ${chain}, and this archive has chain 0x00000001.`;

test('rejects the boot transactions of another chain', async () => {
  const genesis = (boot: Json, more: readonly Json[] = []) =>
    JSON.stringify(blockJson({ id: 0, parent: 'none', height: 0, transactions: [boot, ...more] }));
  const [mainnet, testnet] = [bootJson('pox', '(print 1)', 1), bootJson('pox', '(print 1)', 0x80000000)];
  const { folder, post, refused, warnings } = await start({ chainId: 1 });
  expect(await post('/new_block', genesis(testnet))).toBe(409);
  expect(await post('/new_block', genesis(mainnet, [testnet]))).toBe(409);
  expect([spooledLines(folder), refused]).toEqual([[], Array(2).fill('other-chain')]);
  expect(warnings).toEqual([otherChain('testnet')]);
  expect(await post('/new_block', genesis(mainnet, [callJson()]))).toBe(200);

  // The genesis block of a test chain does not tell its chain id.
  const fresh = await start();
  expect(await fresh.post('/new_block', genesis(testnet))).toBe(200);
  expect(await fresh.post('/new_block', genesis(mainnet))).toBe(409);
  expect(await fresh.post('/new_block', genesis(testnet, [callJson({ chainId: 0x80000005 })]))).toBe(200);
  expect(await fresh.post('/new_block', genesis(callJson({ chainId: 0x80000000 })))).toBe(409);
});

test('rejects a block whose chain is not the chain of the index or of the first block', async () => {
  const block = (...chainIds: number[]) =>
    JSON.stringify({ transactions: [{ raw_tx: '0x00' }, ...chainIds.map((chainId) => callJson({ chainId }))] });
  const { folder, post, refused, warnings } = await start();
  for (const body of [block(), block(1), block(), block(1, 1)]) expect(await post('/new_block', body)).toBe(200);
  expect(await post('/new_block', block(0x80000000))).toBe(409);
  expect(await post('/new_microblocks', block(0x80000000))).toBe(409);
  expect(spooledLines(folder)).toHaveLength(4);
  expect(refused).toEqual(['other-chain', 'other-chain']);
  expect(warnings).toEqual([otherChain('0x80000000')]);
  const testnet = await start({ chainId: 0x80000000 });
  expect(await testnet.post('/new_block', block(1))).toBe(409);
});

test('counts payloads for an unknown path, and returns 200', async () => {
  const { folder, post, payloads, warnings } = await start();
  expect(await post('/new_thing', 'x')).toBe(200);
  expect(spooledLines(folder)).toEqual([]);
  expect(await post('/new_thing', 'y')).toBe(200);
  expect(payloads).toEqual([
    { path: 'unknown', block: undefined },
    { path: 'unknown', block: undefined },
  ]);
  expect(warnings).toEqual([expect.stringContaining('The path "/new_thing" is unknown')]);
});

test('rejects a payload that is too large, or that an index run could not read', async () => {
  const { folder, post, warnings, refused } = await start({ maxBytes: 1_000 });
  for (let time = 0; time < 5; time++) {
    expect(await post('/new_block', '{"cut":')).toBe(400);
    expect(await post('/new_block', '{"transactions":[null]}')).toBe(400);
    expect(await post('/new_microblocks', Buffer.from([0x22, 0xff, 0x22]))).toBe(400);
    expect(await post('/new_mempool_tx', 'x'.repeat(2_000))).toBe(413);
  }
  expect([spooledLines(folder), warnings.length]).toEqual([[], 4]);
  expect(warnings).toContain(
    'A request was rejected: a payload for /new_block is invalid: a transaction is not an object.',
  );
  expect(warnings).toContain('A request was rejected: a payload for "/new_mempool_tx" has more than 1000 bytes.');
  expect(refused).toEqual(Array(5).fill(['not-json', 'not-json', 'not-json', 'too-large']).flat());
});

test('serves only the metrics', async () => {
  const { port } = await start();
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return [response.status, await response.text()];
  };
  expect(await get('/metrics')).toEqual([200, 'the metrics']);
  expect(await get('/')).toEqual([404, 'not found\n']);
});

test('drops an incomplete payload, and accepts other payloads meanwhile', async () => {
  const { folder, port, post } = await start();
  const socket = connect(port, '127.0.0.1');
  socket.write(
    'POST /new_block HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"half":',
  );
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await post('/new_block', '{"whole":1}')).toBe(200);
  socket.destroy();
  expect(await post('/new_block', '{"whole":2}')).toBe(200);
  expect(spooledLines(folder).map((line) => line.split('\t')[3])).toEqual(['{"whole":1}', '{"whole":2}']);
});

test('reads an oversized payload to its end, so that the sender reads the response', async () => {
  const { folder, port } = await start({ maxBytes: 20_000_000 });
  const [head, body] = [`{"events":["`, Buffer.alloc(30_000_000, 'x')];
  // Like a node, this client sends its entire request before it reads the response.
  const send = async () => {
    const socket = connect(port, '127.0.0.1');
    const bytes = head.length + body.length;
    socket.write(`POST /new_block HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n`);
    socket.write(`Connection: close\r\nContent-Length: ${bytes}\r\n\r\n${head}`);
    await new Promise<void>((resolve, reject) => {
      socket.on('error', reject).write(body, () => resolve());
    });
    return (await socket.setEncoding('latin1').toArray()).join('').slice(9, 12);
  };
  expect([await send(), await send()]).toEqual(['413', '413']);
  expect(spooledLines(folder)).toEqual([]);
});

test('rejects web pages, under any host name', async () => {
  const { folder, postWith, refused, warnings } = await start();
  const json = { 'Content-Type': 'application/json' };
  expect(await postWith({ 'Content-Type': 'text/plain;charset=UTF-8' })).toEqual({
    status: 415,
    text: 'the content type is text/plain;charset=UTF-8, not application/json\n',
  });
  expect(await postWith({})).toMatchObject({ status: 415 });
  expect(await postWith({ 'Content-Type': 'text/plain, application/json' })).toMatchObject({ status: 415 });
  expect(await postWith({ ...json, Origin: 'http://page.example' })).toEqual({
    status: 403,
    text: 'web pages may not post (http://page.example)\n',
  });
  for (const site of ['cross-site', 'same-origin'])
    expect(await postWith({ ...json, 'Sec-Fetch-Site': site })).toMatchObject({ status: 403 });
  for (const host of ['page.example', 'page.example:3700', '1.2.3.4.page.example', ':3700', '[x.example]'])
    expect([host, await postWith({ ...json, Host: host })]).toMatchObject([host, { status: 403 }]);
  expect(spooledLines(folder)).toEqual([]);
  const counts = Object.groupBy(refused, (reason) => reason);
  expect([counts['content-type']?.length, counts.page?.length, counts.host?.length]).toEqual([3, 3, 5]);
  expect(warnings.length).toBe(new Set(warnings).size);
});

test('accepts an address, a name without a dot, and an allowed name as Host', async () => {
  const { folder, postWith } = await start();
  const hosts = ['127.0.0.1:3700', '[::1]:3700', '10.1.2.3', 'localhost', 'stxpress:3700', 'Follower.example.org:3700'];
  for (const host of hosts)
    expect([host, await postWith({ 'Content-Type': 'Application/JSON; charset=utf-8', Host: host })]).toEqual([
      host,
      { status: 200, text: '' },
    ]);
  expect(spooledLines(folder).length).toBe(hosts.length);
});

test('rejects other machines, and limits their connections', async () => {
  const { folder, port, postWith, refused } = await start({ allowed: new BlockList() });
  expect(await postWith(NODE_HEADERS)).toEqual({
    status: 403,
    text: '127.0.0.1 may not post; allow it with --allow-from\n',
  });
  expect([spooledLines(folder), refused]).toEqual([[], ['address']]);
  const sockets = Array.from({ length: 100 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  await vi.waitFor(() => expect(sockets.filter(({ closed }) => closed).length).toBe(36));
  for (const socket of sockets) socket.destroy();
});
