// Tests the local server with clients that stop reading, that send part of a request, or that send many requests at
// once.
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { serveFolder } from '../support/served-sample.ts';
import { contractPath, tokenPath, writeSmallSite } from '../support/small-site.ts';
import { tempFolderForFile } from '../support/temp-folder.ts';
import { runInOwnProcess } from './own-process.ts';

const dist = join(tempFolderForFile(), 'dist');
const [TOKEN, HUGE] = [tokenPath('token'), contractPath('huge')];
const HUGE_BYTES = 8_000_000;
let served: Awaited<ReturnType<typeof runInOwnProcess>>;
let sockets: Socket[] = [];

beforeAll(async () => {
  writeSmallSite(dist, { [TOKEN]: '{"name":"Token"}', [HUGE]: `"${'x'.repeat(HUGE_BYTES - 2)}"` });
  served = await runInOwnProcess(dist);
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});
afterAll(() => served.stop());

const request = (path: string, method = 'GET') => `${method} /${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

/** Opens connections. Each client sends these bytes and does not read the response. */
async function open(count: number, sent: string): Promise<void> {
  for (let index = 0; index < count; index++) {
    const socket = connect(served.port, '127.0.0.1').on('error', () => {});
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write(sent);
  }
}

const expectResponse = async () => {
  const response = await fetch(`${served.base}/${TOKEN}`);
  expect([response.status, await response.text()]).toEqual([200, '{"name":"Token"}']);
};
const isLinux = process.platform === 'linux';

test.runIf(isLinux)('holds only a piece of a file for a reader that stops', async () => {
  await expectResponse();
  const before = served.residentMb();
  await open(200, request(HUGE));
  await setTimeout(1_000);
  await expectResponse();
  // The requested files have 1,600 MB in total, so the server does not hold them in memory.
  expect(served.residentMb() - before).toBeLessThan(60);
});

test.runIf(isLinux)('holds one response for a client that sends many requests and never reads', async () => {
  const before = served.residentMb();
  await open(50, request(HUGE).repeat(50));
  await setTimeout(1_000);
  await expectResponse();
  expect(served.residentMb() - before).toBeLessThan(60);
});

test.runIf(isLinux)('closes the files of disconnected readers', async () => {
  const folder = `/proc/${served.pid}/fd`;
  const openFiles = () =>
    readdirSync(folder).filter((name) => {
      try {
        return readlinkSync(`${folder}/${name}`).endsWith(HUGE);
      } catch {
        // The server closed this file after the folder was listed.
        return false;
      }
    }).length;
  await expect.poll(openFiles, { timeout: 10_000 }).toBe(0);
  await open(50, request(HUGE));
  await expect.poll(openFiles, { timeout: 10_000 }).toBe(50);
  for (const socket of sockets) socket.destroy();
  await expect.poll(openFiles, { timeout: 10_000 }).toBe(0);
});

test('responds while other clients have sent half a request', async () => {
  await open(200, request(TOKEN).slice(0, -2));
  await expectResponse();
});

test('responds to many pipelined requests in order', async () => {
  const paths = Array.from({ length: 300 }, (_, index) => (index % 3 === 0 ? TOKEN : `nothing/${index}`));
  const socket = connect(served.port, '127.0.0.1');
  sockets.push(socket);
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk;
  });
  socket.write(paths.map((path) => request(path)).join(''));
  const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
  await expect.poll(() => statuses().length, { timeout: 10_000 }).toBe(300);
  expect(statuses()).toEqual(paths.map((path) => (path === TOKEN ? 200 : 404)));
});

test('closes a connection that sends thousands of requests ahead, and continues', async () => {
  await open(30, request(HUGE).repeat(2_000));
  await expect.poll(() => sockets.filter((socket) => socket.destroyed).length, { timeout: 20_000 }).toBeGreaterThan(0);
  await expectResponse();
});

test('closes a connection whose client stops reading', async () => {
  const { server, port } = await serveFolder(dist);
  // Node closes a connection after one or two intervals. A client may pause for less than a minute.
  expect(2 * server.timeout).toBeLessThan(60_000);
  server.timeout = 200;
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  sockets.push(socket);
  socket.write(request(HUGE));
  const count = () => new Promise((resolve) => server.getConnections((_, connections) => resolve(connections)));
  await expect.poll(count).toBe(1);
  await expect.poll(count, { timeout: 10_000 }).toBe(0);
  server.close();
});

test.runIf(isLinux)('returns 503 while the process has no file handle left', async () => {
  const limited = await runInOwnProcess(dist, 64);
  try {
    const first = connect(limited.port, '127.0.0.1');
    let text = '';
    first.setEncoding('latin1').on('data', (chunk) => {
      text += chunk;
    });
    const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
    const ask = async () => {
      const count = statuses().length;
      first.write(request(TOKEN));
      await expect.poll(() => statuses().length, { timeout: 10_000 }).toBe(count + 1);
      return statuses().at(-1);
    };
    sockets.push(first);
    expect(await ask()).toBe(200);
    for (let count = 0; count < 100; count++) sockets.push(connect(limited.port, '127.0.0.1').on('error', () => {}));
    await expect.poll(ask, { timeout: 10_000 }).toBe(503);
    // The command checks its memory once a second, so this waits for a check.
    await setTimeout(1_500);
    expect(await ask()).toBe(503);
    for (const socket of sockets.slice(1)) socket.destroy();
    await expect.poll(ask, { timeout: 10_000 }).toBe(200);
  } finally {
    await limited.stop();
  }
});

test('sends a large file completely to a slow reader', async () => {
  const socket = connect(served.port, '127.0.0.1');
  sockets.push(socket);
  socket.write(request(HUGE).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  const chunks: Buffer[] = [];
  for await (const chunk of socket) {
    chunks.push(chunk as Buffer);
    if (chunks.length % 20 === 0) await setTimeout(5);
  }
  const received = Buffer.concat(chunks);
  expect(received.subarray(-HUGE_BYTES).equals(readFileSync(join(dist, HUGE)))).toBe(true);
});
