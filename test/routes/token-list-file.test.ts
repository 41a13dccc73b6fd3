// Tests the list of fungible tokens in one file: its content, format and size. Compares names and images with the list
// in pages and the search file.
import { gzipSync } from 'node:zlib';
import uniswap from '@uniswap/token-lists/src/tokenlist.schema.json' with { type: 'json' };
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { PRINCIPAL_PATTERN } from '#model/principal.ts';
import { indexOfUris, json } from '../support/index-of-servers.ts';
import { PNG } from '../support/picture.ts';
import { Random } from '../support/random.ts';
import { COLLECTOR, expectedSample } from '../support/sample.ts';
import { silentReporter } from '../support/silent-reporter.ts';

const FILE = 'metadata/v1/tokenlist.json';

type Row = Readonly<Record<string, unknown>>;
interface List {
  readonly timestamp?: string;
  readonly version: { readonly patch: number };
  readonly tokens: Row[];
}
const list = (tree: ReadonlyMap<string, string>) => JSON.parse(tree.get(FILE) ?? '') as List;

const search = (tree: ReadonlyMap<string, string>) =>
  JSON.parse(tree.get('search/tokens/index.json') ?? '') as string[][];
/** Returns the first row of the list in pages. */
const first = (tree: ReadonlyMap<string, string>) =>
  (JSON.parse(tree.get('metadata/v1/ft/index.json') ?? '') as { results: Row[] }).results.find(
    ({ contract_principal: principal }) => String(principal).endsWith('.token-0'),
  );

/**
 * Returns the schema of the Token Lists convention with two changes: addresses are principals, and identifiers may be
 * longer.
 */
function adaptedSchema(): object {
  const schema = structuredClone(uniswap) as typeof uniswap;
  schema.definitions.TokenInfo.properties.address.pattern = PRINCIPAL_PATTERN.source;
  const [text] = schema.definitions.ExtensionPrimitiveValue.anyOf;
  Object.assign(text ?? {}, { maxLength: 300 });
  return schema;
}

test('fits the schema of the convention, except for addresses and identifiers', () => {
  const sample = list(expectedSample());
  const ajv = new Ajv({ validateFormats: false, strict: false, allErrors: true });
  expect([ajv.validate(adaptedSchema(), sample), ajv.errorsText()]).toEqual([true, 'No errors']);
  // The version is the height of the Stacks block, since a burn block may have several.
  const status = JSON.parse(expectedSample().get('metadata/v1/index.json') ?? '');
  const { block_height: patch } = status.chain_tip;
  expect(sample).toMatchObject({ timestamp: '2024-01-01T01:10:00.000Z', version: { major: 1, minor: 0, patch } });
  expect(sample.tokens.length).toBeGreaterThan(3);
  // The list has the same values as the response for the token.
  const principal = `${COLLECTOR}.wrapped-token`;
  const { name, symbol, decimals, asset_identifier } = JSON.parse(
    expectedSample().get(`metadata/v1/ft/${principal}`) ?? '',
  ) as Record<string, unknown>;
  expect(sample.tokens.find(({ address }) => address === principal)).toEqual({
    chainId: 0x53545850,
    address: principal,
    ...{ name, symbol, decimals },
    tags: ['sip010', 'partial'],
    extensions: { assetIdentifier: asset_identifier },
  });
});

test('has images and changed tokens, and fits the schema of the site', async () => {
  const pictures = ['/a.png', `data:image/png,${'x'.repeat(300)}`, 'no URI', 'https://x.test/gone é.png'];
  const { run, build, store } = await indexOfUris(
    (base) => [...pictures.map((_, index) => `${base}/${index}.json`), `${base}/none.json`],
    (request, response) => {
      if (request.url === '/a.png') return response.end(PNG);
      const image = pictures[Number(/\d+/.exec(request.url ?? ''))];
      if (request.url?.endsWith('none.json')) return response.writeHead(404).end();
      return json(response, { image: image === '/a.png' ? `http://${request.headers.host}/a.png` : image });
    },
  );
  const none = await build();
  expect([list(none).tokens, search(none)]).toEqual([[], []]);
  await run();
  const warnings: string[] = [];
  const reporter = { ...silentReporter, warn: (message: string) => void warnings.push(message) };
  const tree = await build('', reporter);
  const { timestamp, version, tokens } = list(tree);
  expect(tokens.map(({ address }) => String(address).split('.')[1])).toEqual(
    pictures.map((_, index) => `token-${index}`).concat('token-4'),
  );
  const thumbnail = expect.stringMatching(/^\/images\/[0-9a-f]{64}\.thumb\.webp$/);
  // Without a public URL, the list has no thumbnails, whose URIs would be relative.
  const original = expect.stringMatching(/^http:.*\/a\.png$/);
  const logos = [original, undefined, undefined, 'https://x.test/gone%20%C3%A9.png', undefined];
  expect(tokens.map(({ logoURI }) => logoURI)).toEqual(logos);
  expect(tokens[0]).toMatchObject({ chainId: 1, name: 'On chain', symbol: 'OC', decimals: 6 });
  expect(tokens.map(({ tags }) => (tags as string[])[1])).toEqual([...Array(4).fill('complete'), 'partial']);
  expect([timestamp, version.patch]).toEqual([undefined, 0]);
  expect(search(tree).slice(0, 2)).toEqual([
    ['ft', tokens[0]?.address, 'On chain', 'OC', thumbnail],
    ['ft', tokens[1]?.address, 'On chain', 'OC'],
  ]);
  const bare = first(tree);
  expect(bare).toMatchObject({
    image_uri: expect.stringMatching(/^\/images\/[0-9a-f]{64}\.png$/),
    image_thumbnail_uri: thumbnail,
    image_canonical_uri: original,
  });

  const ajv = new Ajv2020({ validateFormats: false });
  const { components } = JSON.parse(tree.get('openapi.json') ?? '') as {
    components: { schemas: Record<string, object> };
  };
  const isValid = ajv.compile(components.schemas.TokenListFile ?? false);
  expect(isValid(JSON.parse(tree.get(FILE) ?? ''))).toBe(true);
  expect(isValid({ ...list(tree), tokens: [{ ...tokens[0], address: '0x00' }] })).toBe(false);

  const values = store.updateTable('reading').where('token_id', '=', 2);
  await values.set({ value: 'Renamed' }).where('getter', '=', 'get-name').execute();
  const renamed = await build('', reporter);
  expect([list(renamed).tokens[1]?.name, search(renamed)[1]?.[2]]).toEqual(['Renamed', 'Renamed']);
  // Only one of the builds warned that image URIs are relative: the build that added the first image.
  expect(warnings).toEqual([expect.stringContaining('--public-url')]);

  await values
    .set({ value: 'x'.repeat(1_000_000) })
    .where('getter', '=', 'get-name')
    .execute();
  await values.set({ value: null }).where('getter', 'in', ['get-symbol', 'get-decimals']).execute();
  const absolute = await build('https://t.test', reporter);
  const { name, symbol, decimals } = list(absolute).tokens[1] ?? {};
  expect([name, symbol, decimals]).toEqual(['x'.repeat(64), '', undefined]);
  for (const image of [list(absolute).tokens[0]?.logoURI, search(absolute)[0]?.[4]])
    expect(image).toBe(`https://t.test${bare?.image_thumbnail_uri}`);
  expect(first(absolute)).toEqual({
    ...bare,
    image_uri: `https://t.test${bare?.image_uri}`,
    image_thumbnail_uri: `https://t.test${bare?.image_thumbnail_uri}`,
  });
  expect(warnings).toHaveLength(1);
});

test('has less than 300 KB compressed for 5,600 tokens, the number on mainnet', () => {
  const { tokens, ...rest } = list(expectedSample());
  const [row, pictured] = [false, true].map((has) => tokens.find(({ logoURI }) => (logoURI !== undefined) === has));
  const bytes = gzipSync(JSON.stringify({ ...rest, tokens: likeMainnets(5_600, row ?? {}, pictured ?? {}) })).length;
  expect(bytes).toBeLessThan(300_000);
  expect(bytes).toBeGreaterThan(200_000);
});

/**
 * Makes rows of a list that compresses like mainnet's. A few deployers have many tokens. Contract, symbol and asset
 * repeat the words of the name. One in four tokens has a copied image. Other values come from `row` and `pictured`.
 */
function likeMainnets(count: number, row: Row, pictured: Row): Row[] {
  const random = new Random(27);
  const letters = (of: string, length: number) => Array.from({ length }, () => random.pick([...of])).join('');
  const syllables = Array.from({ length: 400 }, () => letters('bcdfghklmnprstvwz', 1) + letters('aeiou', 1));
  const word = () => Array.from({ length: random.within(2, 4) }, () => random.pick(syllables)).join('');
  const deployers = Array.from({ length: 2_400 }, () => `SP${letters('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 39)}`);
  const rows = Array.from({ length: count }, (_, index) => {
    const words = [word(), ...random.list(2, word)];
    const end = random.pick(['stxcity', 'token', `v${index % 9}`, 'faktory', 'lp-token']);
    const address = `${deployers[random.length(deployers.length)]}.${words.join('-')}-${end}`;
    const has = index % 4 === 0;
    return {
      ...(has ? pictured : row),
      address,
      name: words.join(' '),
      symbol: (words[0] ?? '').toUpperCase().slice(0, 5),
      decimals: random.pick([6, 6, 6, 8, 0]),
      extensions: { assetIdentifier: `${address}::${words[0]}` },
      ...(has && { logoURI: `https://tokens.example.org/images/${letters('0123456789abcdef', 64)}.thumb.webp` }),
    };
  });
  // The index returns tokens in this order.
  return rows.toSorted((left, right) => (left.address < right.address ? -1 : 1));
}
