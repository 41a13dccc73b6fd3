// Overlays: curated facts in statuses and the token list, in incremental builds, and errors of files.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readIndex } from '#cli/use-index.ts';
import { readOverlay } from '#generator/read-overlay.ts';
import { buildIndex } from '../support/build-options.ts';
import { COLLECTOR, MISSING, PENDING, PRESS, PRESSER, readTree, sampleIndex } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

const db = sampleIndex();
const STAMPS = `${COLLECTOR}.stamp-nft`;
const read = (folder: string) => readIndex(db, (store) => readOverlay(store, folder));

test('adds facts to statuses and the token list, and renders only what changed', async () => {
  const [overlay, out] = [join(tempFolder(), 'overlay'), join(tempFolder(), 'dist')];
  mkdirSync(overlay);
  const write = (id: string, facts: object) =>
    writeFileSync(join(overlay, `${id}.json`), JSON.stringify({ source: 'My list', ...facts }));
  const build = async () => buildIndex(db, out, { overlay: await read(overlay) });
  const parsed = (path: string) => JSON.parse(readTree(out).get(path) ?? '') as Record<string, unknown>;
  const curated = (id: string) => parsed(`metadata/v1/status/${id}`).curated;
  await buildIndex(db, out);
  const hash = parsed('metadata/v1/index.json').site_hash;
  expect(await build()).toMatchObject({ written: 0 });
  write(PRESS, { verified_by: ['Me'], coingecko_id: 'press' });
  write(STAMPS, { deprecated: true, replaced_by: PRESS });
  // Two statuses, the token list, and the file with the hash of the site.
  expect(await build()).toMatchObject({ written: 4, removed: 0 });
  expect(curated(PRESS)).toEqual({ source: 'My list', verified_by: ['Me'], coingecko_id: 'press' });
  expect(curated(STAMPS)).toEqual({ source: 'My list', deprecated: true, replaced_by: PRESS });
  expect(curated(PENDING)).toBeUndefined();
  const { tokens } = parsed('metadata/v1/tokenlist.json') as { tokens: { address: string; extensions: object }[] };
  expect(tokens.filter(({ extensions }) => 'curated' in extensions).map(({ address }) => address)).toEqual([PRESS]);
  expect(parsed('metadata/v1/index.json').site_hash).not.toBe(hash);
  write(PRESS, { links: { website: 'https://x.example' } });
  rmSync(join(overlay, `${STAMPS}.json`));
  expect(await build()).toMatchObject({ written: 4 });
  expect([curated(PRESS), curated(STAMPS)]).toEqual([
    { source: 'My list', links: { website: 'https://x.example' } },
    undefined,
  ]);
  const full = join(tempFolder(), 'full');
  await buildIndex(db, full, { overlay: await read(overlay) });
  expect(readTree(out)).toEqual(readTree(full));
  await buildIndex(db, out);
  expect([curated(PRESS), parsed('metadata/v1/index.json').site_hash]).toEqual([undefined, hash]);
});

test.each([
  [`${PRESS}.json`, '{', 'it is not JSON ('],
  [`${PRESS}.json`, '[]', 'its content is []. Use an object with source'],
  [`${PRESS}.json`, '{}', '"source" is missing. Use a text of 1 to 200 characters, such as "Example Foundation"'],
  [`${PRESS}.json`, '{"source":"x","name":"y"}', 'its content has the unknown member "name". Use an object with'],
  [`${PRESS}.json`, '{"source":"x","verified_by":["y",5]}', '"verified_by.1" is 5. Use a text'],
  [`${PRESS}.json`, '{"source":"x","verified_by":[]}', '"verified_by" is []. Use a list of 1 to 20 texts'],
  [
    `${PRESS}.json`,
    '{"source":"x","links":{"web":"javascript:alert(1)"}}',
    '"links.web" is "javascript:alert(1)". Use an HTTPS URL of at most 2,000 characters, such as "https://example.com/',
  ],
  [`${PRESS}.json`, '{"source":"x","links":{"A b":"https://x"}}', '"links.A b" has a name that is not allowed. Use at'],
  [`${PRESS}.json`, '{"source":"x","coingecko_id":"BTC"}', '"coingecko_id" is "BTC". Use the id in the URL'],
  [`${PRESS}.json`, '{"source":"x","deprecated":false}', '"deprecated" is false. Use true, or omit this member'],
  [`${PRESS}.json`, '{"source":"x","replaced_by":"SP1"}', '"replaced_by" is "SP1". Use a contract id, such as "SP'],
  [`${PRESS}.json`, `{"source":"x","replaced_by":"${MISSING}"}`, `"replaced_by" is "${MISSING}", which is not in the`],
  [
    `${MISSING}.json`,
    '{"source":"x"}',
    `the contract ${MISSING} is not in the index. Correct the name of the file, index`,
  ],
  [`${PRESSER}.office.json`, '{"source":"x"}', `the contract ${PRESSER}.office is neither a token nor a collection.`],
  ['press.json', '{"source":"x"}', 'not named by a contract id'],
])('reports usage for %s with %s', async (name, text, message) => {
  const folder = tempFolder();
  const file = join(folder, name);
  writeFileSync(file, text);
  const { failure } = await read(folder).catch((error) => error);
  expect(failure.code).toBe('usage');
  expect(failure.message.startsWith(`${file} is `)).toBe(true);
  expect(failure.message).toContain(message);
  expect(failure.message).not.toMatch(/\[a-z]|[\^$]/);
});

test('refuses a file that is larger than 100 KB', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, `${PRESS}.json`), `{"source":"${'x'.repeat(100_001)}"}`);
  await expect(read(folder)).rejects.toThrow('has 100014 bytes, more than the 100000 that are read');
});

test('reports usage for a folder that is missing', async () => {
  await expect(read(join(tempFolder(), 'missing'))).rejects.toThrow('--overlay');
});

test('the example is valid', async () => {
  const example = fileURLToPath(new URL('../../examples/overlay/contracts', import.meta.url));
  expect((await read(example)).size).toBe(3);
});
