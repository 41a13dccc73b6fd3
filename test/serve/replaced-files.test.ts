// Tests the local server while files of the site are replaced, removed or turned into links.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bodyText, send } from '../conformance/send.ts';
import { requestRaw } from '../support/raw-http.ts';
import { serveFolder } from '../support/served-sample.ts';
import { contractPath, tokenPath, writeSmallSite } from '../support/small-site.ts';
import { tempFolder } from '../support/temp-folder.ts';

const TOKEN = tokenPath('token');
const UNAVAILABLE = [503, '{"error":"Service Unavailable"}'];
/** The size of a file that does not fit into the buffers of a connection, in bytes. */
const LARGE_BYTES = 20_000_000;
const NO_TOKEN = [404, '{"error":"Token not found"}'];

async function serve(folder: string) {
  const { server, port, base, errors } = await serveFolder(folder);
  onTestFinished(() => void server.close());
  const ask = async (path: string): Promise<[number, string]> => {
    const response = await send(base, { path: `/${path}` });
    return [response.status, bodyText(response)];
  };
  return { port, errors, ask };
}

// Three kinds of files: sent in pieces, compressed, and read entirely. Each version has another length.
test.each([
  ['large', 5_000_000],
  ['compressed', 50_000],
  ['small', 300],
])('sends a complete %s response while its file is replaced', async (_, minimumBytes) => {
  const dist = join(tempFolder(), 'dist');
  const version = (number: number) => `{"version":${number},"text":"${'x'.repeat(minimumBytes + number)}"}`;
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
  const tagged = new Map<string, number>();
  const client = async (accepted: string, rounds: number) => {
    for (let round = 0; round < rounds; round++) {
      const request = `GET /${TOKEN} HTTP/1.1\r\nHost: a\r\nAccept-Encoding: ${accepted}\r\n`;
      // Three requests use one connection. If a response had the wrong length, the next response could not be parsed.
      const pending = requestRaw(port, `${`${request}\r\n`.repeat(2)}${request}Connection: close\r\n\r\n`);
      replace();
      const responses = await pending;
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
      for (const { headers, body } of responses) {
        const text = bodyText({ status: 200, headers, body });
        const parsed = JSON.parse(text) as { version: number };
        expect(text).toBe(version(parsed.version));
        const encoding = headers['content-encoding'];
        const hash = createHash('sha1').update(text).digest('hex');
        const tag = `"${hash}${encoding === undefined ? '' : `-${encoding}`}"`;
        if (minimumBytes < 1_000_000) expect(headers.etag).toBe(tag);
        // A large file that has just changed has no ETag, since a further change may leave the same time.
        else if (headers.etag !== undefined) expect(tagged.get(headers.etag) ?? parsed.version).toBe(parsed.version);
        tagged.set(headers.etag ?? '', parsed.version);
        seen.add(parsed.version);
      }
    }
  };
  const rounds = minimumBytes > 1_000_000 ? 2 : 20;
  await Promise.all(['identity', 'gzip', 'br'].map((accepted) => client(accepted, rounds)));
  expect(errors).toEqual([]);
  expect(seen.size).toBeGreaterThan(rounds / 2);
  expect(Math.max(...seen)).toBeGreaterThanOrEqual(number - 3);
});

test('serves the current content of a file that changed in place', async () => {
  const dist = join(tempFolder(), 'dist');
  writeSmallSite(dist, { [TOKEN]: '{"version":0}' });
  const { ask } = await serve(dist);
  for (let version = 1; version < 50; version++) {
    writeFileSync(join(dist, TOKEN), `{"version":${version}}`);
    expect(await ask(TOKEN)).toEqual([200, `{"version":${version}}`]);
  }
});

// Changes of a large file: one keeps the size and changes the time, the other keeps the time and changes the size.
test.each<[string, (file: string) => void]>([
  ['is written again', (file) => writeFileSync(file, 'y'.repeat(LARGE_BYTES))],
  ['grows', (file) => appendFileSync(file, 'y')],
])('closes the connection when a large file %s while it is sent', async (change, write) => {
  const dist = join(tempFolder(), 'dist');
  writeSmallSite(dist, { [TOKEN]: 'x'.repeat(LARGE_BYTES) });
  const file = join(dist, TOKEN);
  utimesSync(file, 1_000, 1_000);
  const { port, errors } = await serve(dist);
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
  expect(errors).toMatchObject([{ message: expect.stringContaining(`${file} was changed`) }]);
});

test('does not follow links inside the folder', async () => {
  const folder = tempFolder();
  const [dist, outside] = [join(folder, 'dist'), join(folder, 'outside')];
  writeSmallSite(dist, { [TOKEN]: '{"name":"Token"}', [contractPath('linked')]: '{}' });
  writeSmallSite(outside, { [TOKEN]: '{"name":"Outside"}', [tokenPath('other')]: '{"name":"Outside"}' });
  const { ask, errors } = await serve(dist);
  expect(await ask(TOKEN)).toEqual([200, '{"name":"Token"}']);
  // A link replaces the file. Its target is outside the site, inside the site, missing, or the link itself.
  symlinkSync(join(outside, TOKEN), join(dist, tokenPath('absolute')));
  symlinkSync('./SP000000000000000000002Q6VF78.token', join(dist, tokenPath('relative')));
  symlinkSync('nothing', join(dist, tokenPath('dangling')));
  symlinkSync('SP000000000000000000002Q6VF78.loop', join(dist, tokenPath('loop')));
  for (const name of ['absolute', 'relative', 'dangling', 'loop']) expect(await ask(tokenPath(name))).toEqual(NO_TOKEN);
  // A link replaces each folder in the path of the file. Its target is another site, or the original folder at another
  // place.
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

test('serves locales whose folder has another case, as on disks that ignore case', async () => {
  const dist = tempFolder();
  writeSmallSite(dist, { [TOKEN]: '{}', [`variants/locale/EN/${TOKEN}`]: '{"name":"Token"}' });
  symlinkSync('EN', join(dist, 'variants/locale/en'));
  symlinkSync('EN', join(dist, 'variants/locale/de'));
  const { ask } = await serve(dist);
  for (const locale of ['EN', 'en']) expect(await ask(`${TOKEN}?locale=${locale}`)).toEqual([200, '{"name":"Token"}']);
  expect(await ask(`${TOKEN}?locale=de`)).toEqual([422, '{"error":"Locale not found"}']);
});

test('resolves a link to the folder at each request', async () => {
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

test('returns 503 without a build, and then serves the next build', async () => {
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
