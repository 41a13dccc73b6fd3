// What a node posts: it is answered 200 when it is on the disk, and else comes again.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type OutgoingHttpHeaders, request } from 'node:http';
import { type AddressInfo, BlockList, connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type ObserverOptions, startObserver } from '#follow/observer-server.ts';
import { compressFile, Spool, spoolFiles } from '#follow/spool.ts';
import { isAllowed, readAllowed } from '#follow/who-may-post.ts';
import { silentReporter } from '#model/reporter.ts';
import { NODE_HEADERS } from '../support/follow-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

const NOW = new Date('2026-01-02T03:04:05.678Z');
const openSpool = (folder: string, maxFileBytes = 1_000_000) => Spool.open({ folder, maxFileBytes, now: () => NOW });
const linesOf = (folder: string) =>
  spoolFiles(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1));

describe('Spool', () => {
  test('default: lines of an archive, in the order in which they came', async () => {
    const folder = tempFolder();
    const spool = await openSpool(folder);
    await Promise.all([1, 2, 3].map((number) => spool.append('/new_block', Buffer.from(`{"n":${number}}`))));
    writeFileSync(join(folder, 'long'), '{"n":4}');
    await spool.append('/new_block', { file: join(folder, 'long') });
    await spool.close();
    expect(linesOf(folder)).toEqual([1, 2, 3, 4].map((n) => `${n}\t${NOW.toISOString()}\t/new_block\t{"n":${n}}`));
  });

  test('behavior: half a line is cut off when it is opened again, wherever a kill left it', async () => {
    const whole = `1\tt\t/a\t{}\n2\tt\t/a\t{"x":"${'y'.repeat(3_000_000)}"}\n`;
    for (const cut of [0, 5, 11, 12, 1_500_000, whole.length - 1, whole.length]) {
      const folder = tempFolder();
      writeFileSync(join(folder, 'events-00000001.tsv'), whole.slice(0, cut));
      const spool = await openSpool(folder, 10_000_000);
      await spool.append('/b', Buffer.from('{}'));
      await spool.close();
      const kept = whole.slice(0, whole.lastIndexOf('\n', cut - 1) + 1);
      const id = kept.split('\n').length;
      expect(readFileSync(join(folder, 'events-00000001.tsv'), 'utf8')).toBe(
        `${cut === 0 ? '' : kept}${cut === 0 ? 1 : id}\t${NOW.toISOString()}\t/b\t{}\n`,
      );
    }
  });

  test('behavior: half a line that could not be cut off at once is cut off before the next one', async ({ skip }) => {
    const folder = tempFolder();
    const file = join(folder, 'events-00000001.tsv');
    const spool = await openSpool(folder);
    await spool.append('/a', Buffer.from('{"n":1}'));
    // It can be appended to, and not be cut, as on a disk that fails.
    if (spawnSync('chattr', ['+a', file]).status !== 0) skip('no file can be made to grow alone here');
    try {
      await expect(spool.append('/b', { file: join(folder, 'gone') })).rejects.toThrow('ENOENT');
    } finally {
      spawnSync('chattr', ['-a', file]);
    }
    expect(readFileSync(file, 'utf8')).toMatch(/\/b\t$/);
    await spool.append('/c', Buffer.from('{"n":2}'));
    await spool.close();
    expect(linesOf(folder).map((line) => line.split('\t').slice(2))).toEqual([
      ['/a', '{"n":1}'],
      ['/c', '{"n":2}'],
    ]);
  });

  test('behavior: compressing that is cut short leaves nothing that takes room', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'events-00000001.tsv'), `1\tt\t/a\t{}\n`);
    await expect(compressFile(join(folder, 'events-00000001.tsv'), AbortSignal.abort())).rejects.toThrow('aborted');
    expect(readdirSync(folder)).toEqual(['events-00000001.tsv']);
  });

  test('behavior: a full file is followed by another; one that was compressed stays the same archive', async () => {
    const folder = tempFolder();
    const spool = await openSpool(folder, 100);
    for (let n = 0; n < 9; n++) await spool.append('/new_block', Buffer.from(`{"n":${n}}`));
    await spool.close();
    expect(spoolFiles(folder).length).toBeGreaterThan(2);
    const before = linesOf(folder);
    const [first = ''] = spoolFiles(folder);
    await compressFile(join(folder, first), new AbortController().signal);
    // As after a kill between the two.
    writeFileSync(join(folder, first), 'half');
    writeFileSync(join(folder, 'events-00000002.tsv.zst.part'), 'half');
    const again = await openSpool(folder, 100);
    await again.append('/new_block', Buffer.from('{"n":9}'));
    await again.close();
    expect(existsSync(join(folder, first))).toBe(false);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
    const rest = spoolFiles(folder).filter((name) => name.endsWith('.tsv'));
    const lines = rest.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1));
    expect(lines.slice(0, -1)).toEqual(before.slice(-lines.length + 1));
    expect(lines.at(-1)).toContain('{"n":9}');
  });
});

describe('startObserver', () => {
  const start = async (over: Partial<ObserverOptions> = {}) => {
    const folder = tempFolder();
    const spool = await openSpool(folder);
    const payloads: unknown[] = [];
    const said: string[] = [];
    const refused: string[] = [];
    const server = await startObserver({
      host: '127.0.0.1',
      port: 0,
      allowed: readAllowed([]),
      names: ['follower.example.org'],
      spool,
      folder,
      reporter: { ...silentReporter, warn: (text) => said.push(text) },
      describe: (path) => (path === '/' ? { type: 'application/json', text: '{}' } : undefined),
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
    /** As anything but a node may ask: with these headers, a Host among them. */
    const postWith = (headers: OutgoingHttpHeaders, body = '{}') =>
      new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
        const options = { port, host: '127.0.0.1', method: 'POST', path: '/new_block', headers };
        const asked = request(options, async (response) =>
          resolve({ status: response.statusCode, text: (await response.setEncoding('utf8').toArray()).join('') }),
        );
        asked.on('error', reject).end(body);
      });
    return { folder, port, post, postWith, payloads, said, refused };
  };

  test('default: on the disk, on one line, and 200', async () => {
    const { folder, post, payloads } = await start();
    expect(await post('/new_block', '{\n "block_height": 7,\r\n "burn_block_time": 12, "x": "a\\nb"}')).toBe(200);
    expect(await post('//new_burn_block', '{}')).toBe(200);
    expect(linesOf(folder)).toEqual([
      `1\t${NOW.toISOString()}\t/new_block\t{  "block_height": 7,   "burn_block_time": 12, "x": "a\\nb"}`,
      `2\t${NOW.toISOString()}\t/new_burn_block\t{}`,
    ]);
    expect(payloads[0]).toMatchObject({ path: '/new_block', block: { height: 7, burnBlockTime: 12 } });
  });

  test('behavior: a long payload goes by way of a file', async () => {
    const { folder, post } = await start();
    const long = `{"events":["${'x'.repeat(20_000_000)}"]}`;
    expect(await post('/new_block', long)).toBe(200);
    const [line = ''] = linesOf(folder);
    expect(line.slice(line.indexOf('{')) === long).toBe(true);
    expect(readdirSync(join(folder, 'incoming'))).toEqual([]);
  });

  test('behavior: a path that is not known is counted, and stops no node', async () => {
    const { folder, post, payloads, said } = await start();
    expect(await post('/new_thing', 'x')).toBe(200);
    expect(linesOf(folder)).toEqual([]);
    expect(await post('/new_thing', 'y')).toBe(200);
    expect(payloads).toEqual([
      { path: '/new_thing', block: undefined },
      { path: '/new_thing', block: undefined },
    ]);
    expect(said).toEqual([expect.stringContaining('The path /new_thing is not known')]);
  });

  test('behavior: what is no JSON, or too large, comes again, and is put aside the third time', async () => {
    const { folder, post, said, refused } = await start({ maxBytes: 1_000 });
    const tries = async (body: string | Uint8Array<ArrayBuffer>) => [
      await post('/new_block', body),
      await post('/new_block', body),
      await post('/new_block', body),
    ];
    expect(await tries('{"cut":')).toEqual([500, 500, 200]);
    expect(await tries(Buffer.from([0x22, 0xff, 0x22]))).toEqual([500, 500, 200]);
    expect(await tries('x'.repeat(2_000))).toEqual([500, 500, 200]);
    const aside = readdirSync(join(folder, 'refused'));
    const lengths = aside.map((name) => readFileSync(join(folder, 'refused', name)).length);
    expect(lengths.toSorted((a, b) => a - b)).toEqual([3, 7, 2_000]);
    expect(said.at(-1)).toContain('is too large, 3 times: it is put aside');
    expect(refused).toEqual([...Array(6).fill('not-json'), ...Array(3).fill('too-large')]);
    // The third time of another payload is another.
    expect(await post('/new_block', '{"cut":')).toBe(500);
    expect(linesOf(folder)).toEqual([]);
  });

  test('behavior: a sender that breaks off leaves nothing, and others get their answers', async () => {
    const { folder, port, post } = await start();
    const socket = connect(port, '127.0.0.1');
    socket.write(
      'POST /new_block HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"half":',
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await post('/new_block', '{"whole":1}')).toBe(200);
    socket.destroy();
    expect(await post('/new_block', '{"whole":2}')).toBe(200);
    expect(linesOf(folder).map((line) => line.split('\t')[3])).toEqual(['{"whole":1}', '{"whole":2}']);
  });

  test('behavior: what is too large is read to its end, so that the sender gets to the answer', async () => {
    const { folder, port } = await start({ maxBytes: 20_000_000 });
    const [head, body] = [`{"events":["`, Buffer.alloc(30_000_000, 'x')];
    // As a node does: all is written before the answer is read.
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
    expect([await send(), await send(), await send()]).toEqual(['500', '500', '200']);
    const [aside = ''] = readdirSync(join(folder, 'refused'));
    expect(statSync(join(folder, 'refused', aside)).size).toBe(head.length + body.length);
    expect([linesOf(folder), readdirSync(join(folder, 'incoming'))]).toEqual([[], []]);
  });

  test('error: a page in a browser gets nothing in, by whatever name it came here', async () => {
    const { folder, postWith, refused, said } = await start();
    const json = { 'Content-Type': 'application/json' };
    expect(await postWith({ 'Content-Type': 'text/plain;charset=UTF-8' })).toEqual({
      status: 415,
      text: 'content-type is text/plain;charset=UTF-8, and not application/json\n',
    });
    expect(await postWith({})).toMatchObject({ status: 415 });
    expect(await postWith({ 'Content-Type': 'text/plain, application/json' })).toMatchObject({ status: 415 });
    expect(await postWith({ ...json, Origin: 'http://page.example' })).toEqual({
      status: 403,
      text: 'a page in a browser may not post (http://page.example)\n',
    });
    for (const site of ['cross-site', 'same-origin'])
      expect(await postWith({ ...json, 'Sec-Fetch-Site': site })).toMatchObject({ status: 403 });
    for (const host of ['page.example', 'page.example:3700', '1.2.3.4.page.example', ':3700', '[x.example]'])
      expect([host, await postWith({ ...json, Host: host })]).toMatchObject([host, { status: 403 }]);
    expect(linesOf(folder)).toEqual([]);
    const counts = Object.groupBy(refused, (reason) => reason);
    expect([counts['content-type']?.length, counts.page?.length, counts.host?.length]).toEqual([3, 3, 5]);
    expect(said.length).toBe(new Set(said).size);
  });

  test('behavior: a node gets in by an address, a name without a dot, or one that was given', async () => {
    const { folder, postWith } = await start();
    const hosts = [
      '127.0.0.1:3700',
      '[::1]:3700',
      '10.1.2.3',
      'localhost',
      'stxpress:3700',
      'Follower.example.org:3700',
    ];
    for (const host of hosts)
      expect([host, await postWith({ 'Content-Type': 'Application/JSON; charset=utf-8', Host: host })]).toEqual([
        host,
        { status: 200, text: '' },
      ]);
    expect(linesOf(folder).length).toBe(hosts.length);
  });

  test('behavior: anyone else gets nothing in, and may not hold more than a few connections', async () => {
    const { folder, port, postWith, refused } = await start({ allowed: new BlockList() });
    expect(await postWith(NODE_HEADERS)).toEqual({
      status: 403,
      text: '127.0.0.1 may not post; allow it with --allow-from\n',
    });
    expect([linesOf(folder), refused]).toEqual([[], ['address']]);
    const sockets = Array.from({ length: 100 }, () => connect(port, '127.0.0.1').on('error', () => {}));
    await vi.waitFor(() => expect(sockets.filter(({ closed }) => closed).length).toBe(36));
    for (const socket of sockets) socket.destroy();
  });
});

describe('readAllowed', () => {
  test.each([
    ['10.9.0.0/16', ['10.9.255.255'], ['10.10.0.0']],
    ['10.9.0.7', ['10.9.0.7'], ['10.9.0.8']],
    ['0.0.0.0/0', ['1.2.3.4'], ['2001:db8::1']],
    ['fd00:1::/32', ['fd00:1::7'], ['fd00:2::7', '10.9.0.7']],
    ['fd00:1::7', ['fd00:1::7'], ['fd00:1::8']],
    ['fe80::/64', ['fe80::7%eth0'], ['fe81::7%eth0']],
  ])('behavior: %s', (range, inside, outside) => {
    const allowed = readAllowed([range]);
    expect(inside.filter((address) => !isAllowed(allowed, address))).toEqual([]);
    expect(outside.filter((address) => isAllowed(allowed, address))).toEqual([]);
    expect(isAllowed(allowed, '::ffff:127.0.0.1')).toBe(true);
    // Of a connection that is gone.
    expect(isAllowed(allowed, undefined)).toBe(false);
  });

  test.each([
    '10.9.0.0/',
    '10.9.0.0/33',
    '10.9.0.0/-1',
    '10.9.0.0/ 8',
    '10.9.0.0/8 ',
    '10.9.0.0/08',
    '10.9.0.0/8/8',
    '10.9.0.0/255.255.0.0',
    '10.9/16',
    '010.9.0.0/16',
    '10.9.0.1/16',
    '10.9.0.1/0',
    'fd00::/129',
    'fd00::/',
    'fd00::1/64',
    'fe80::1%eth0/64',
    '::1::/64',
    '/8',
    '',
    'localhost',
  ])('error: %s', (range) => {
    expect(() => readAllowed([range])).toThrow(
      expect.objectContaining({
        failure: expect.objectContaining({
          code: 'usage',
          message: expect.stringContaining(`--allow-from is ${JSON.stringify(range)}`),
        }),
      }),
    );
  });

  test('error: a range that does not begin with its first address names it', () => {
    expect(() => readAllowed(['10.9.0.1/16'])).toThrow('10.9.0.0/16, or 10.9.0.1 alone');
    expect(() => readAllowed(['fd00::1/64'])).toThrow('fd00::/64, or fd00::1 alone');
  });
});
