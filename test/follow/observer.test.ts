// What a node posts: it is answered 200 when it is on the disk, and else comes again.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, BlockList, connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { compressFile } from '#follow/compress-file.ts';
import { type ObserverOptions, startObserver } from '#follow/observer-server.ts';
import { Spool, spoolFiles } from '#follow/spool.ts';
import { silentReporter } from '#model/reporter.ts';
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

  test('behavior: a file that is full is followed by another; one that was compressed stays the same archive', async () => {
    const folder = tempFolder();
    const spool = await openSpool(folder, 100);
    for (let n = 0; n < 9; n++) await spool.append('/new_block', Buffer.from(`{"n":${n}}`));
    await spool.close();
    expect(spoolFiles(folder).length).toBeGreaterThan(2);
    const before = linesOf(folder);
    const [first = ''] = spoolFiles(folder);
    await compressFile(join(folder, first));
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
  const everybody = () => {
    const list = new BlockList();
    list.addSubnet('127.0.0.0', 8, 'ipv4');
    return list;
  };
  const start = async (over: Partial<ObserverOptions> = {}) => {
    const folder = tempFolder();
    const spool = await openSpool(folder);
    const payloads: unknown[] = [];
    const said: string[] = [];
    const server = await startObserver({
      host: '127.0.0.1',
      port: 0,
      allowed: everybody(),
      spool,
      folder,
      reporter: { ...silentReporter, warn: (text) => said.push(text) },
      describe: (path) => (path === '/' ? { type: 'application/json', text: '{}' } : undefined),
      onPayload: (payload) => payloads.push(payload),
      ...over,
    });
    onTestFinished(async () => {
      server.close();
      server.closeAllConnections();
      await spool.close();
    });
    const { port } = server.address() as AddressInfo;
    const post = async (path: string, body: string | Uint8Array<ArrayBuffer>) =>
      (await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body })).status;
    return { folder, port, post, payloads, said };
  };

  test('default: on the disk, on one line, and 200', async () => {
    const { folder, post, payloads } = await start();
    expect(await post('/new_block', '{\n "block_height": 7,\r\n "burn_block_time": 12, "x": "a\\nb"}')).toBe(200);
    expect(await post('/new_burn_block', '{}')).toBe(200);
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
    const { folder, post, payloads } = await start();
    expect(await post('/new_thing', 'x')).toBe(200);
    expect(linesOf(folder)).toEqual([]);
    expect(payloads).toEqual([{ path: '/new_thing', bytes: 1, block: undefined }]);
  });

  test('behavior: what is no JSON, or too large, comes again, and is put aside the third time', async () => {
    const { folder, post, said } = await start({ maxBytes: 1_000 });
    const tries = async (body: string | Uint8Array<ArrayBuffer>) => [
      await post('/new_block', body),
      await post('/new_block', body),
      await post('/new_block', body),
    ];
    expect(await tries('{"cut":')).toEqual([500, 500, 200]);
    expect(await tries(Buffer.from([0x22, 0xff, 0x22]))).toEqual([500, 500, 200]);
    expect(await tries('x'.repeat(2_000))).toEqual([500, 500, 200]);
    const aside = readdirSync(join(folder, 'refused'));
    expect(aside.map((name) => readFileSync(join(folder, 'refused', name)).length).toSorted()).toEqual([3, 7]);
    expect(said.at(-1)).toContain('it is left out');
    // The third time of another payload is another.
    expect(await post('/new_block', '{"cut":')).toBe(500);
    expect(linesOf(folder)).toEqual([]);
  });

  test('behavior: a sender that breaks off leaves nothing, and others get their answers', async () => {
    const { folder, port, post } = await start();
    const socket = connect(port, '127.0.0.1');
    socket.write('POST /new_block HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"half":');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await post('/new_block', '{"whole":1}')).toBe(200);
    socket.destroy();
    expect(await post('/new_block', '{"whole":2}')).toBe(200);
    expect(linesOf(folder).map((line) => line.split('\t')[3])).toEqual(['{"whole":1}', '{"whole":2}']);
  });

  test('behavior: on a full disk the node keeps what it sends', async () => {
    const full = { append: () => Promise.reject(Object.assign(new Error('no room'), { code: 'ENOSPC' })) };
    const { post, said } = await start({ spool: full as unknown as Spool });
    expect(await post('/new_block', '{}')).toBe(503);
    expect(said).toEqual([expect.stringContaining('The disk is full')]);
  });

  test('behavior: anyone else gets nothing in', async () => {
    const { folder, port } = await start({ allowed: new BlockList() });
    const status = await new Promise((resolve) => {
      const asked = request({ port, host: '127.0.0.1', method: 'POST', path: '/new_block' }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      asked.end('{}');
    });
    expect(status).toBe(403);
    expect(linesOf(folder)).toEqual([]);
  });
});
