// Overlays: curated facts in statuses and the token list, in incremental builds, and errors of files.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readOverlay } from '#generator/read-overlay.ts';
import { buildIndex } from '../support/build-options.ts';
import { COLLECTOR, PENDING, PRESS, readTree, sampleIndex } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

const db = sampleIndex();
const STAMPS = `${COLLECTOR}.stamp-nft`;

test('adds facts to statuses and the token list, and renders only what changed', async () => {
  const [overlay, out] = [join(tempFolder(), 'overlay'), join(tempFolder(), 'dist')];
  mkdirSync(overlay);
  const write = (id: string, facts: object) =>
    writeFileSync(join(overlay, `${id}.json`), JSON.stringify({ source: 'My list', ...facts }));
  const build = async () => buildIndex(db, out, { overlay: readOverlay(overlay) });
  const read = (path: string) => JSON.parse(readTree(out).get(path) ?? '') as Record<string, unknown>;
  const curated = (id: string) => read(`metadata/v1/status/${id}`).curated;
  await buildIndex(db, out);
  const hash = read('metadata/v1/index.json').site_hash;
  expect(await build()).toMatchObject({ written: 0 });
  write(PRESS, { verified_by: ['Me'], coingecko_id: 'press' });
  write(STAMPS, { deprecated: true, replaced_by: PRESS });
  write(`${COLLECTOR}.not-on-this-site`, {});
  // Two statuses, the token list, and the file with the hash of the site.
  expect(await build()).toMatchObject({ written: 4, removed: 0 });
  expect(curated(PRESS)).toEqual({ source: 'My list', verified_by: ['Me'], coingecko_id: 'press' });
  expect(curated(STAMPS)).toEqual({ source: 'My list', deprecated: true, replaced_by: PRESS });
  expect(curated(PENDING)).toBeUndefined();
  const { tokens } = read('metadata/v1/tokenlist.json') as { tokens: { address: string; extensions: object }[] };
  expect(tokens.filter(({ extensions }) => 'curated' in extensions).map(({ address }) => address)).toEqual([PRESS]);
  expect(read('metadata/v1/index.json').site_hash).not.toBe(hash);
  write(PRESS, { links: { website: 'https://x.example' } });
  rmSync(join(overlay, `${STAMPS}.json`));
  expect(await build()).toMatchObject({ written: 4 });
  expect([curated(PRESS), curated(STAMPS)]).toEqual([
    { source: 'My list', links: { website: 'https://x.example' } },
    undefined,
  ]);
  const full = join(tempFolder(), 'full');
  await buildIndex(db, full, { overlay: readOverlay(overlay) });
  expect(readTree(out)).toEqual(readTree(full));
  await buildIndex(db, out);
  expect([curated(PRESS), read('metadata/v1/index.json').site_hash]).toEqual([undefined, hash]);
});

test.each([
  [`${PRESS}.json`, '{', 'is not JSON'],
  [`${PRESS}.json`, '{}', 'source: '],
  [`${PRESS}.json`, '{"source":"x","name":"Other"}', 'Unrecognized key: "name"'],
  [`${PRESS}.json`, '{"source":"x","links":{"website":"javascript:alert(1)"}}', 'links.website: '],
  [`${PRESS}.json`, '{"source":"x","replaced_by":"SP1"}', 'replaced_by: '],
  ['press.json', '{"source":"x"}', 'not named by a contract id'],
])('reports usage for %s with %s', (name, text, message) => {
  const folder = tempFolder();
  writeFileSync(join(folder, name), text);
  const file = join(folder, name);
  expect(() => readOverlay(folder)).toThrow(
    expect.objectContaining({
      failure: expect.objectContaining({ code: 'usage', message: expect.stringContaining(file) }),
    }),
  );
  expect(() => readOverlay(folder)).toThrow(message);
});

test('refuses a file that is larger than 100 KB', () => {
  const folder = tempFolder();
  writeFileSync(join(folder, `${PRESS}.json`), `{"source":"${'x'.repeat(100_001)}"}`);
  expect(() => readOverlay(folder)).toThrow('has 100014 bytes, more than the 100000 that are read');
});

test('reports usage for a folder that is missing', () => {
  expect(() => readOverlay(join(tempFolder(), 'missing'))).toThrow('--overlay');
});

test('the example is valid', () => {
  const example = readOverlay(fileURLToPath(new URL('../../examples/overlay/contracts', import.meta.url)));
  expect(example.size).toBe(3);
});
