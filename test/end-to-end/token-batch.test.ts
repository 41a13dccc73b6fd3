// Tests requests for several tokens to the local server, and compares the responses with the public API.
import { expect, test } from 'vitest';
import { tokenBatch } from '#routes/token-batch.ts';
import { COLLECTOR, PRESSER } from '../support/sample.ts';
import { servedSample } from '../support/served-sample.ts';

const { base, body } = await servedSample();

const FT = 'metadata/v1/ft/';
const PRESS = `${PRESSER}.press-token`;
const MISSING = 'SP000000000000000000002Q6VF78.nothing';
const STAMPS = `${COLLECTOR}.stamp-nft`;
const SHEETS = `${COLLECTOR}.sheet-sft`;
const LAST = String(2n ** 128n - 1n);
const requestTokens = async (...query: readonly (readonly [string, string])[]) => {
  const parameters = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]));
  const response = await fetch(`${base}/metadata/v1/search?${parameters}`);
  return { status: response.status, body: (await response.json()) as Record<string, unknown>[] };
};
const of = (...contracts: readonly string[]) => contracts.map((contract) => ['contract', contract] as const);
const token = body<Record<string, unknown> & { metadata: Record<string, unknown> }>;

test('default', async () => {
  const { status, body: rows } = await requestTokens(...of(`${STAMPS}:0`, PRESS, `${SHEETS}:7`));
  expect(status).toBe(200);
  const { metadata: _, asset_identifier: __, ...press } = token(FT + PRESS);
  const [stamp, sheet] = [token(`metadata/v1/nft/${STAMPS}/0`), token(`metadata/v1/sft/${SHEETS}/7`)];
  const deployOf = (id: string) => body<{ tx_id: string }>(`metadata/v1/status/${id}`).tx_id;
  const { name, description, image: image_canonical_uri } = stamp.metadata;
  expect(rows).toEqual([
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
  ]);
  expect(deployOf(PRESS)).toBe(press.tx_id);
  // The path also works without the version `v1`.
  const short = await fetch(`${base}/metadata/search?contract=${PRESS}`);
  expect(await short.json()).toEqual([rows[1]]);
});

test('uses the number 1 by default, and returns large numbers as strings', async () => {
  const { body: rows } = await requestTokens(...of(STAMPS, `${STAMPS}:${LAST}`, `${PRESS}:1`));
  expect(rows.map(({ contract_id, token_number }) => [contract_id, token_number])).toEqual([
    [STAMPS, 1],
    [STAMPS, LAST],
    [PRESS, 1],
  ]);
});

test('omits tokens without a response', async () => {
  const missing = [MISSING, `${PRESSER}.pending-token`, `${PRESS}:2`, `${STAMPS}:99`, ''];
  expect(await requestTokens(...of(...missing))).toEqual({ status: 200, body: [] });
});

test('returns the error of a malformed query', async () => {
  const numbers = ['01', 2n ** 128n, ''].map((number) => `${STAMPS}:${number}`);
  for (const wrong of [...numbers, 'x', 'index.json', '../../v1/ft/index.json', ` ${PRESS}`, `${PRESS},${STAMPS}`])
    expect(await requestTokens(...of(PRESS, wrong)), wrong).toEqual({ status: 400, body: tokenBatch.badRequest.body });
});

test('returns a locale', async () => {
  const inGerman = token(`variants/locale/de/${FT}${PRESS}`);
  const { body: rows } = await requestTokens(...of(PRESS, STAMPS), ['locale', 'de']);
  expect(rows[0]?.description).toBe(inGerman.description);
  // The token in the second row has no German document.
  expect(rows[1]).toMatchObject({ contract_id: STAMPS, token_type: 'nft' });
  expect(rows[1]).not.toHaveProperty('description');
  expect((await requestTokens(...of(PRESS), ['locale', ''])).body[0]?.description).toBe(token(FT + PRESS).description);
});

test('rejects a query without tokens, and more than 50 tokens', async () => {
  const refused = { status: 400, body: body('errors/400/metadata/v1/search/index.json') };
  expect(await requestTokens()).toEqual(refused);
  expect(await requestTokens(['locale', 'de'])).toEqual(refused);
  expect(await requestTokens(...of('', ''))).toEqual(refused);
  expect(await requestTokens(...of(...Array(51).fill(PRESS)))).toEqual(refused);
  expect((await requestTokens(...of(...Array(50).fill(PRESS)))).body).toHaveLength(50);
});
