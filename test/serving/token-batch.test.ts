// Tests responses with several tokens: their rows, which the public API would send too, and the files that are read.
import { expect, test } from 'vitest';
import { tokenBatch } from '#routes/token-batch.ts';
import { handleRequest } from '#serving/handle-request.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { COLLECTOR, PRESSER, sampleTree } from '../support/sample.ts';

const TREE = await sampleTree();
const COLLECTIONS = 'search/collections/index.json';
const FT = 'metadata/v1/ft/';
const PRESS = `${PRESSER}.press-token`;
const STAMPS = `${COLLECTOR}.stamp-nft`;
const SHEETS = `${COLLECTOR}.sheet-sft`;
const MISSING = 'SP000000000000000000002Q6VF78.nothing';
const LAST = String(2n ** 128n - 1n);
const REFUSED = { status: 400, rows: tokenBatch.badRequest.body };

/**
 * Requests several tokens. Returns the response, and the paths that were read: those that exist, and those that are
 * missing.
 */
async function ask(contracts: readonly string[], more: Record<string, string> = {}, tree = TREE, version = 'v1/') {
  const [found, missed]: [string[], string[]] = [[], []];
  const query = new URLSearchParams(more);
  for (const contract of contracts) query.append('contract', contract);
  const asked = { method: 'GET', pathname: `/metadata/${version}search`, query, tags: undefined };
  const { status, body } = await handleRequest<string>(asked, SITE_RULES, {
    read: async (file) => {
      const text = tree.get(file);
      (text === undefined ? missed : found).push(file);
      return text === undefined ? undefined : { body: text, tag: null };
    },
    textOf: (text) => text,
  });
  return { status, rows: JSON.parse(body ?? '') as Record<string, unknown>[], found, missed };
}

const bodyOf = (path: string) => JSON.parse(TREE.get(path) ?? '') as Record<string, unknown>;
const deployOf = (id: string) => bodyOf(`metadata/v1/status/${id}`).tx_id;

test('returns a row for each token, in order', async () => {
  const { status, rows, found, missed } = await ask([`${STAMPS}:0`, PRESS, `${SHEETS}:7`]);
  const { metadata: _, asset_identifier: __, ...press } = bodyOf(FT + PRESS);
  const [stamp, sheet] = [bodyOf(`metadata/v1/nft/${STAMPS}/0`), bodyOf(`metadata/v1/sft/${SHEETS}/7`)];
  const { name, description, image: image_canonical_uri } = stamp.metadata as Record<string, unknown>;
  expect([status, rows]).toEqual([
    200,
    [
      {
        contract_id: STAMPS,
        token_number: 0,
        token_type: 'nft',
        token_uri: stamp.token_uri,
        ...{ name, description, image_canonical_uri },
        tx_id: deployOf(STAMPS),
        sender_address: COLLECTOR,
      },
      { contract_id: PRESS, token_number: 1, token_type: 'ft', ...press },
      {
        contract_id: SHEETS,
        token_number: 7,
        token_type: 'sft',
        decimals: sheet.decimals,
        total_supply: sheet.total_supply,
        token_uri: sheet.token_uri,
        tx_id: deployOf(SHEETS),
        sender_address: COLLECTOR,
      },
    ],
  ]);
  expect(deployOf(PRESS)).toBe(press.tx_id);
  // The path also works without the version `v1`.
  expect((await ask([PRESS], {}, TREE, '')).rows).toEqual([rows[1]]);
  // Reads one file for each token, and the list of collections once.
  const paths = [`metadata/v1/nft/${STAMPS}/0`, FT + PRESS, `metadata/v1/sft/${SHEETS}/7`, COLLECTIONS];
  expect([found.sort(), missed]).toEqual([paths.sort(), []]);
});

test('uses the number 1 by default, and returns large numbers as strings', async () => {
  const { rows, missed } = await ask([STAMPS, `${STAMPS}:${LAST}`, `${PRESS}:1`]);
  expect(rows.map(({ contract_id, token_number }) => [contract_id, token_number])).toEqual([
    [STAMPS, 1],
    [STAMPS, LAST],
    [PRESS, 1],
  ]);
  // With the number 1, it may be a fungible token, so that file is tried first.
  expect(missed).toEqual([FT + STAMPS]);
});

test('reads nothing else for fungible tokens', async () => {
  const { rows, found, missed } = await ask([PRESS, `${PRESS}:1`]);
  expect([rows.length, found, missed]).toEqual([2, [FT + PRESS, FT + PRESS], []]);
});

test('returns a locale of the tokens that have it', async () => {
  const { rows, found, missed } = await ask([PRESS, `${SHEETS}:7`], { locale: 'de' });
  expect(rows[0]?.description).toBe(bodyOf(`variants/locale/de/${FT}${PRESS}`).description);
  expect(rows[1]).toMatchObject({ contract_id: SHEETS, token_type: 'sft' });
  const files = [`metadata/v1/sft/${SHEETS}/7`, COLLECTIONS, `variants/locale/de/${FT}${PRESS}`];
  expect([found.sort(), missed]).toEqual([files, [`variants/locale/de/metadata/v1/sft/${SHEETS}/7`]]);
  expect((await ask([PRESS], { locale: '' })).rows[0]?.description).toBe(bodyOf(FT + PRESS).description);
});

test('omits tokens without a response', async () => {
  const omitted = await ask([MISSING, `${PRESSER}.pending-token`, `${PRESS}:2`, `${STAMPS}:99`, '']);
  expect(omitted).toMatchObject({ status: 200, rows: [] });
  // Does not search a fungible token for a number other than 1.
  const { found, missed } = await ask([`${PRESS}:2`, `${STAMPS}:99`]);
  expect([found, missed]).toEqual([[COLLECTIONS], [`metadata/v1/nft/${STAMPS}/99`]]);
});

test.each([
  ...[`${STAMPS}:01`, `${STAMPS}:${2n ** 128n}`, `${STAMPS}:`, 'x', 'index.json', '../../v1/ft/index.json'],
  ...[` ${PRESS}`, `${PRESS},${STAMPS}`],
])('rejects a query with the malformed token %j', async (wrong) => {
  expect(await ask([PRESS, wrong])).toMatchObject(REFUSED);
});

test('rejects a query without tokens, and more than 50 tokens', async () => {
  for (const [contracts, more] of [[[], {}], [[], { locale: 'de' }], [['', '']], [Array(51).fill(PRESS)]] as const)
    expect(await ask(contracts, more)).toMatchObject(REFUSED);
  expect((await ask(Array(50).fill(PRESS))).rows).toHaveLength(50);
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
  const found = await ask([STAMPS], {}, tree.set(COLLECTIONS, JSON.stringify([...similar, row(STAMPS)])));
  expect(found.rows).toMatchObject([{ token_type: 'nft', tx_id: `0x${'1'.repeat(64)}` }]);
});
