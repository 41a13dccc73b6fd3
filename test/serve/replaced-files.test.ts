// The local server while its files are replaced, taken away, or hidden behind links.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bodyText, send } from '../conformance/send.ts';
import { askRaw } from '../support/raw-http.ts';
import { serveFolder } from '../support/served-sample.ts';
import { contractPath, tokenPath, writeSmallSite } from '../support/small-site.ts';
import { tempFolder } from '../support/temp-folder.ts';

const TOKEN = tokenPath('token');
const UNAVAILABLE = [503, '{"error":"Service Unavailable"}'];
/** Larger than the buffers of a connection. */
const LARGE_BYTES = 20_000_000;
const NO_TOKEN = [404, '{"error":"Token not found"}'];

async function serve(folder: string) {
  const { server, port, base, errors } = await serveFolder(folder);
  onTestFinished(() => void server.close());
  const ask = async (path: string): Promise<[number, string]> => {
    const answered = await send(base, { path: `/${path}` });
    return [answered.status, bodyText(answered)];
  };
  return { port, errors, ask };
}

// Larger than what is kept in memory, kept there, and small; the length says which version it is.
test.each([
  ['large', 5_000_000],
  ['compressed', 70_000],
  ['small', 300],
])('behavior: a %s answer is whole while its file is replaced', async (_, least) => {
  const dist = join(tempFolder(), 'dist');
  const version = (number: number) => `{"version":${number},"text":"${'x'.repeat(least + number)}"}`;
  let number = 0;
  writeSmallSite(dist, { [TOKEN]: version(0) });
  const replace = () => {
    number++;
    const staged = join(dist, 'staged');
    writeFileSync(staged, version(number));
    renameSync(staged, join(dist, TOKEN));
  };
  const { port, errors } = await serve(dist);
  const seen = new Set<number>();
  const client = async (accepted: string, rounds: number) => {
    for (let round = 0; round < rounds; round++) {
      const request = `GET /${TOKEN} HTTP/1.1\r\nHost: a\r\nAccept-Encoding: ${accepted}\r\n`;
      // Three on one connection: an answer that is too long or too short spoils the next one.
      const answering = askRaw(port, `${`${request}\r\n`.repeat(2)}${request}Connection: close\r\n\r\n`);
      replace();
      const answers = await answering;
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      for (const { headers, body } of answers) {
        const text = bodyText({ status: 200, headers, body });
        const parsed = JSON.parse(text) as { version: number };
        expect(text).toBe(version(parsed.version));
        const encoding = headers['content-encoding'];
        const hash = createHash('sha1').update(text).digest('hex');
        // A large file has no ETag right after a change: a further change may have the same time.
        const tag = least > 1_000_000 ? undefined : `"${hash}${encoding === undefined ? '' : `-${encoding}`}"`;
        expect(headers.etag).toBe(tag);
        seen.add(parsed.version);
      }
    }
  };
  const rounds = least > 1_000_000 ? 2 : 20;
  await Promise.all(['identity', 'gzip', 'br'].map((accepted) => client(accepted, rounds)));
  expect(errors).toEqual([]);
  expect(seen.size).toBeGreaterThan(rounds / 2);
  expect(Math.max(...seen)).toBeGreaterThanOrEqual(number - 3);
});

test('behavior: what is changed in place is answered as it is now', async () => {
  const dist = join(tempFolder(), 'dist');
  writeSmallSite(dist, { [TOKEN]: '{"version":0}' });
  const { ask } = await serve(dist);
  for (let version = 1; version < 50; version++) {
    writeFileSync(join(dist, TOKEN), `{"version":${version}}`);
    expect(await ask(TOKEN)).toEqual([200, `{"version":${version}}`]);
  }
});

// The size of the first, and the time of the second, stay the same.
test.each<[string, (file: string) => void]>([
  ['is written again', (file) => writeFileSync(file, 'y'.repeat(LARGE_BYTES))],
  ['grows', (file) => appendFileSync(file, 'y')],
])('behavior: closes the connection when a large file %s while it is sent', async (change, write) => {
  const dist = join(tempFolder(), 'dist');
  writeSmallSite(dist, { [TOKEN]: 'x'.repeat(LARGE_BYTES) });
  const file = join(dist, TOKEN);
  utimesSync(file, 1_000, 1_000);
  const { port } = await serve(dist);
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write(`GET /${TOKEN} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  await once(socket, 'readable');
  write(file);
  if (change === 'grows') utimesSync(file, 1_000, 1_000);
  let received = 0;
  socket.on('data', ({ length }) => {
    received += length;
  });
  await once(socket, 'close');
  expect(received).toBeGreaterThan(0);
  expect(received).toBeLessThan(LARGE_BYTES);
});

test('behavior: a link inside the folder is not followed, wherever it is', async () => {
  const folder = tempFolder();
  const [dist, outside] = [join(folder, 'dist'), join(folder, 'outside')];
  writeSmallSite(dist, { [TOKEN]: '{"name":"Token"}', [contractPath('linked')]: '{}' });
  writeSmallSite(outside, { [TOKEN]: '{"name":"Outside"}', [tokenPath('other')]: '{"name":"Outside"}' });
  const { ask, errors } = await serve(dist);
  expect(await ask(TOKEN)).toEqual([200, '{"name":"Token"}']);
  // The file, to the inside and to the outside, and to nothing.
  symlinkSync(join(outside, TOKEN), join(dist, tokenPath('absolute')));
  symlinkSync('./SP000000000000000000002Q6VF78.token', join(dist, tokenPath('relative')));
  symlinkSync('nothing', join(dist, tokenPath('dangling')));
  symlinkSync('SP000000000000000000002Q6VF78.loop', join(dist, tokenPath('loop')));
  for (const name of ['absolute', 'relative', 'dangling', 'loop']) expect(await ask(tokenPath(name))).toEqual(NO_TOKEN);
  // Each folder on the way to it: elsewhere, or where the same file is now.
  for (const part of ['metadata/v1/ft', 'metadata/v1', 'metadata']) {
    renameSync(join(dist, part), join(folder, 'moved'));
    for (const target of [join(outside, part), join(folder, 'moved')]) {
      symlinkSync(target, join(dist, part));
      expect([part, await ask(TOKEN), await ask(tokenPath('other'))]).toEqual([part, NO_TOKEN, NO_TOKEN]);
      rmSync(join(dist, part));
    }
    renameSync(join(folder, 'moved'), join(dist, part));
    expect(await ask(TOKEN)).toEqual([200, '{"name":"Token"}']);
  }
  expect(errors).toEqual([]);
});

test('behavior: the folder itself may be a link, and is what it links to at each request', async () => {
  const folder = tempFolder();
  for (const site of ['site-1', 'site-2']) writeSmallSite(join(folder, site), { [TOKEN]: `{"name":"${site}"}` });
  symlinkSync('site-1', join(folder, 'current'));
  const { ask } = await serve(join(folder, 'current'));
  expect(await ask(TOKEN)).toEqual([200, '{"name":"site-1"}']);
  symlinkSync('site-2', join(folder, 'next'));
  renameSync(join(folder, 'next'), join(folder, 'current'));
  expect(await ask(TOKEN)).toEqual([200, '{"name":"site-2"}']);
  rmSync(join(folder, 'site-1'), { recursive: true });
  expect(await ask(TOKEN)).toEqual([200, '{"name":"site-2"}']);
});

test('behavior: 503 while there is no build, and the answers of the next one', async () => {
  const dist = join(tempFolder(), 'dist');
  const { ask, errors } = await serve(dist);
  expect(await ask(TOKEN)).toEqual(UNAVAILABLE);
  mkdirSync(dist);
  expect(await ask(TOKEN)).toEqual(UNAVAILABLE);
  writeSmallSite(dist, { [TOKEN]: '{"name":"first"}' });
  expect(await ask(TOKEN)).toEqual([200, '{"name":"first"}']);
  renameSync(dist, `${dist}-old`);
  expect(await ask(TOKEN)).toEqual(UNAVAILABLE);
  writeSmallSite(dist, { [TOKEN]: '{"name":"second"}' });
  expect(await ask(TOKEN)).toEqual([200, '{"name":"second"}']);
  rmSync(join(dist, TOKEN));
  expect(await ask(TOKEN)).toEqual(NO_TOKEN);
  expect(errors).toEqual([]);
});
