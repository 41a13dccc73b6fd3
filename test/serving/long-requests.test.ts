// Tests requests that repeat a text 100,000 times. The time to find their responses must be linear.
import { expect, test } from 'vitest';
import { chooseEncoding } from '#serve/compress.ts';
import { chooseRange } from '#serve/range.ts';
import { handleRequest } from '#serving/handle-request.ts';
import { SITE_RULES } from '#site/site-rules.ts';

const REPEATS = 100_000;
/** The maximum processor time in milliseconds. With quadratic time, a request would take minutes. */
const MAX_MS = 2_000;

const files = {
  read: async (file: string) => {
    const text = SITE_RULES.errors[file];
    return text === undefined ? undefined : { body: text, tag: '"tag"' };
  },
  textOf: (text: string) => text,
};

async function request(pathname: string, query = '', tags?: string) {
  const asked = { method: 'GET', pathname, query: new URLSearchParams(query), tags };
  return (await handleRequest(asked, SITE_RULES, files)).status;
}

async function expectFast(work: () => unknown): Promise<void> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(MAX_MS);
}

const PARTS = ['a', '/', 'a/', '%', '%2F', '%41', '.', '..', '-', '0', 'S', '%00', '%ff', '%0a', ' ', 'a.json/', '20/'];
const FOLDERS = ['/', '/metadata/v1/ft/', '/metadata/v1/nft/SP1.a/', '/images/', '/dump/', '/variants/', '/search/'];

test.each(PARTS)('a path of %j', async (part) => {
  for (const folder of FOLDERS)
    for (const end of ['', '!', '.png', '/'])
      await expectFast(async () => expect([400, 404]).toContain(await request(folder + part.repeat(REPEATS) + end)));
});

test.each(['a', 'S', '0', '%0a', '%27', '+', 'S0'])('parameters of %j', async (part) => {
  const value = part.repeat(REPEATS);
  for (const name of ['limit', 'offset', 'name', 'symbol', 'address', 'order', 'locale', 'tip', 'contract'])
    for (const path of [
      '/metadata/v1/ft',
      '/metadata/v1/ft/SP000000000000000000002Q6VF78.token',
      '/metadata/v1/search',
    ])
      await expectFast(() => request(path, `${name}=${value}`));
  await expectFast(() => request('/metadata/v1/search', `contract=${part}&`.repeat(REPEATS)));
});

test.each(['"",', '*', 'W/', ' ', ',', '" ', 'W/"a",'])('tags of %j', async (part) => {
  await expectFast(() => request('/metadata/v1/ft', '', part.repeat(REPEATS)));
});

test.each(['a,', ';', ',', ' ', ';q=', 'gzip;q=1,', 'q=0;', '0'])('encodings of %j', async (part) => {
  await expectFast(() => chooseEncoding(part.repeat(REPEATS)));
});

test.each(['0', '-', 'bytes=', '0-', '0-1,', ' '])('ranges of %j', async (part) => {
  for (const end of ['', '-', 'x'])
    await expectFast(() => chooseRange({ range: `bytes=${part.repeat(REPEATS)}${end}` }, '"tag"', 10));
});
