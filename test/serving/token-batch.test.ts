// Tests which files are read for a response with several tokens.
import { expect, test } from 'vitest';
import { handleRequest } from '#serving/handle-request.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { COLLECTOR, PRESSER, sampleTree } from '../support/sample.ts';

const TREE = await sampleTree();
const COLLECTIONS = 'search/collections/index.json';
const PRESS = `${PRESSER}.press-token`;
const STAMPS = `${COLLECTOR}.stamp-nft`;
const SHEETS = `${COLLECTOR}.sheet-sft`;

/**
 * Requests several tokens. Returns the response, and the paths that were read: those that exist, and those that are
 * missing.
 */
async function ask(contracts: readonly string[], more: Record<string, string> = {}, tree = TREE) {
  const [found, missed]: [string[], string[]] = [[], []];
  const query = new URLSearchParams(more);
  for (const contract of contracts) query.append('contract', contract);
  const asked = { method: 'GET', pathname: '/metadata/v1/search', query, tags: undefined };
  const { status, body } = await handleRequest<string>(asked, SITE_RULES, {
    read: async (file) => {
      const text = tree.get(file);
      (text === undefined ? missed : found).push(file);
      return text === undefined ? undefined : { body: text, tag: null };
    },
    textOf: (text) => text,
  });
  return { status, rows: JSON.parse(body ?? '') as { token_type: string; tx_id: string }[], found, missed };
}

test('reads one file for each token, and the list of collections once', async () => {
  const tokens = [PRESS, `${STAMPS}:1`, `${STAMPS}:0`, `${SHEETS}:7`];
  const { status, rows, found, missed } = await ask(tokens);
  expect([status, rows.map((row) => row.token_type)]).toEqual([200, ['ft', 'nft', 'nft', 'sft']]);
  expect(found.sort()).toEqual([
    `metadata/v1/ft/${PRESS}`,
    `metadata/v1/nft/${STAMPS}/0`,
    `metadata/v1/nft/${STAMPS}/1`,
    `metadata/v1/sft/${SHEETS}/7`,
    COLLECTIONS,
  ]);
  // With the number 1, it may be a fungible token, so that file is tried first.
  expect(missed).toEqual([`metadata/v1/ft/${STAMPS}`]);
  for (const { tx_id } of rows) expect(tx_id).toMatch(/^0x[0-9a-f]{64}$/);
});

test('reads nothing else for fungible tokens', async () => {
  const { rows, found, missed } = await ask([PRESS, `${PRESS}:1`]);
  expect([rows.length, found, missed]).toEqual([2, [`metadata/v1/ft/${PRESS}`, `metadata/v1/ft/${PRESS}`], []]);
});

test('reads one file for each token in a locale, with and without it', async () => {
  const { rows, found, missed } = await ask([PRESS, `${SHEETS}:7`], { locale: 'de' });
  expect(rows).toHaveLength(2);
  expect(found.sort()).toEqual([
    `metadata/v1/sft/${SHEETS}/7`,
    COLLECTIONS,
    `variants/locale/de/metadata/v1/ft/${PRESS}`,
  ]);
  expect(missed).toEqual([`variants/locale/de/metadata/v1/sft/${SHEETS}/7`]);
});

test('does not search a fungible token for a number other than 1', async () => {
  const { rows, found, missed } = await ask([`${PRESS}:2`, `${STAMPS}:99`]);
  expect([rows, found, missed]).toEqual([[], [COLLECTIONS], [`metadata/v1/nft/${STAMPS}/99`]]);
});

test('returns 503 while the list of collections is missing', async () => {
  const tree = new Map(TREE);
  tree.delete(COLLECTIONS);
  expect((await ask([PRESS], {}, tree)).status).toBe(200);
  expect((await ask([PRESS, `${STAMPS}:0`], {}, tree)).status).toBe(503);
});

test('finds a collection by its entire principal', async () => {
  const row = (principal: string) => ['nft', principal, `0x${'1'.repeat(64)}`];
  const similar = [`${STAMPS}-2`, `X${STAMPS}`].map(row);
  const tree = new Map(TREE).set(COLLECTIONS, JSON.stringify(similar));
  expect((await ask([STAMPS], {}, tree)).rows).toEqual([]);
  expect(
    (await ask([STAMPS], {}, tree.set(COLLECTIONS, JSON.stringify([...similar, row(STAMPS)])))).rows,
  ).toMatchObject([{ token_type: 'nft', tx_id: `0x${'1'.repeat(64)}` }]);
});
