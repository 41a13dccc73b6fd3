// The list of all fungible tokens in one file: what it says, that it has the shape of the convention, and its size.
import { gzipSync } from 'node:zlib';
import uniswap from '@uniswap/token-lists/src/tokenlist.schema.json' with { type: 'json' };
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { packCode } from '#model/packed-code.ts';
import { PRINCIPAL_PATTERN } from '#model/principal.ts';
import { tokenListFile } from '#routes/token-list-file.ts';
import { insertRows } from '#sqlite/lists.ts';
import { openIndex, type Store } from '#store/index-database.ts';
import { TOKEN_INTERFACE } from '../support/interfaces.ts';
import { PNG } from '../support/picture.ts';
import { Random } from '../support/random.ts';
import { COLLECTOR, expectedSample } from '../support/sample.ts';
import { json, withTokens } from '../support/token-world.ts';

const FILE = 'metadata/v1/tokenlist.json';
const SCHEMA = 'metadata/v1/tokenlist.schema.json';

interface List {
  readonly timestamp?: string;
  readonly version: { readonly patch: number };
  readonly tokens: Readonly<Record<string, unknown>>[];
}
const list = (tree: ReadonlyMap<string, string>) => JSON.parse(tree.get(FILE) ?? '') as List;

/** Of the convention's schema, what Stacks cannot be held to: addresses are principals, and identifiers are longer. */
function conventionOfStacks(): object {
  const schema = structuredClone(uniswap) as typeof uniswap;
  schema.definitions.TokenInfo.properties.address.pattern = PRINCIPAL_PATTERN.source;
  const [text] = schema.definitions.ExtensionPrimitiveValue.anyOf;
  Object.assign(text ?? {}, { maxLength: 300 });
  return schema;
}

describe('metadata/v1/tokenlist.json', () => {
  test('default: the convention takes it, but for addresses and identifiers', () => {
    const sample = list(expectedSample());
    const ajv = new Ajv({ validateFormats: false, strict: false, allErrors: true });
    expect([ajv.validate(conventionOfStacks(), sample), ajv.errorsText()]).toEqual([true, 'No errors']);
    expect(sample).toMatchObject({ timestamp: '2024-01-01T01:10:00.000Z', version: { patch: 107 } });
    expect(sample.tokens.length).toBeGreaterThan(3);
    // As the token's own answer says it.
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

  test('behavior: pictures, tokens that changed, and the schema beside it', async () => {
    const pictures = ['/a.png', `data:image/png,${'x'.repeat(300)}`, 'no URI', 'https://x.test/gone.png'];
    await withTokens(
      (base) => [...pictures.map((_, index) => `${base}/${index}.json`), `${base}/none.json`],
      (request, response) => {
        if (request.url === '/a.png') return response.end(PNG);
        const image = pictures[Number(/\d+/.exec(request.url ?? ''))];
        if (request.url?.endsWith('none.json')) return response.writeHead(404).end();
        return json(response, { image: image === '/a.png' ? `http://${request.headers.host}/a.png` : image });
      },
      async ({ run, build, store }) => {
        expect(list(await build()).tokens).toEqual([]);
        await run();
        const tree = await build();
        const { timestamp, version, tokens } = list(tree);
        expect(tokens.map(({ address }) => String(address).split('.')[1])).toEqual(
          pictures.map((_, index) => `token-${index}`).concat('token-4'),
        );
        expect(tokens.map(({ logoURI }) => logoURI)).toEqual([
          expect.stringMatching(/^\/images\/[0-9a-f]{64}\.thumb\.webp$/),
          undefined,
          undefined,
          'https://x.test/gone.png',
          undefined,
        ]);
        expect(tokens[0]).toMatchObject({ chainId: 1, name: 'On chain', symbol: 'OC', decimals: 6 });
        expect(tokens.map(({ tags }) => (tags as string[])[1])).toEqual([...Array(4).fill('complete'), 'partial']);
        expect([timestamp, version.patch > 0]).toEqual([undefined, true]);

        const ajv = new Ajv2020({ validateFormats: false });
        const isValid = ajv.compile(JSON.parse(tree.get(SCHEMA) ?? '') as object);
        expect(isValid(JSON.parse(tree.get(FILE) ?? ''))).toBe(true);
        expect(isValid({ ...list(tree), tokens: [{ ...tokens[0], address: '0x00' }] })).toBe(false);

        const long = 'x'.repeat(1_000_000);
        const values = store.updateTable('reading').where('token_id', '=', 2);
        await values.set({ value: long }).where('getter', '=', 'get-name').execute();
        await values.set({ value: null }).where('getter', 'in', ['get-symbol', 'get-decimals']).execute();
        const { name, symbol, decimals } = list(await build('https://t.test')).tokens[1] ?? {};
        expect([name, symbol, decimals]).toEqual(['x'.repeat(200), '', undefined]);
        expect(list(await build('https://t.test')).tokens[0]?.logoURI).toMatch(/^https:\/\/t\.test\/images\//);
      },
    );
  });

  test('behavior: the 5,600 tokens of mainnet have less than 300 KB compressed', async () => {
    const store = await openIndex(':memory:');
    await store.transaction().execute((transaction) => insertTokens(transaction, 5_600));
    const { pages } = await tokenListFile.subject.changes(store, 0, { publicUrl: 'https://tokens.example.org' });
    for await (const [entry] of pages) {
      const [page] = tokenListFile.render(tokenListFile.subject.open(entry?.stored), { publicUrl: '' });
      const { tokens } = JSON.parse(page?.body ?? '') as List;
      expect(tokens).toHaveLength(5_600);
      expect(tokens.filter(({ logoURI }) => logoURI !== undefined)).toHaveLength(5_600 / 4);
      expect(gzipSync(page?.body ?? '').length).toBeLessThan(300_000);
      expect(gzipSync(page?.body ?? '').length).toBeGreaterThan(200_000);
    }
    await store.destroy();
  });
});

/**
 * Like mainnet's: a few deployers have tens and hundreds, and many have one; names of one to three words, which
 * contract, symbol and asset have again; and of one in four a copied picture (one in five has a URI when it is
 * deployed).
 */
async function insertTokens(store: Store, count: number): Promise<void> {
  const random = new Random(27);
  const letters = (of: string, length: number) => Array.from({ length }, () => of[random.below(of.length)]).join('');
  const syllables = Array.from({ length: 400 }, () => letters('bcdfghklmnprstvwz', 1) + letters('aeiou', 1));
  const word = () => Array.from({ length: random.within(2, 4) }, () => random.pick(syllables)).join('');
  const deployers = Array.from({ length: 2_400 }, () => `SP${letters('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 39)}`);
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  const named = ids.map((id) => {
    const words = [word(), ...random.list(2, word)];
    const end = random.pick(['stxcity', 'token', `v${id % 9}`, 'faktory', 'lp-token']);
    const deployer = deployers[random.length(deployers.length)];
    return { id, words, contractId: `${deployer}.${words.join('-')}-${end}` };
  });
  await insertRows(
    store,
    'deploy',
    named.map(({ id, contractId }) => ({
      deploy_id: id,
      tx_id: Buffer.from(String(id).padStart(64, '0'), 'hex'),
      contract_id: contractId,
      sender_address: contractId.split('.')[0] ?? '',
      standard: 'sip-010' as const,
      source_hash: Buffer.alloc(32, id),
      functions_hash: Buffer.alloc(32),
    })),
  );
  await insertRows(
    store,
    'deploy_code',
    named.map(({ id, words: [asset = ''] }) => {
      const {
        data,
        sourceBytes,
        interfaceBytes = null,
      } = packCode('(print 0)', JSON.stringify({ ...TOKEN_INTERFACE, fungible_tokens: [{ name: asset }] }));
      return { deploy_id: id, interface_bytes: interfaceBytes, source_bytes: sourceBytes, code: Buffer.from(data) };
    }),
  );
  await insertRows(
    store,
    'contract',
    named.map(({ id, contractId }) => ({
      contract_id: contractId,
      deploy_id: id,
      ...{ block_height: id, tx_index: 0, canonical: 1 as const, confirmed: 1 as const },
    })),
  );
  await insertRows(
    store,
    'token',
    ids.map((id) => ({ token_id: id, deploy_id: id, token_number: '', state: 'complete' as const })),
  );
  const values = named.flatMap(({ id, words }) => [
    { token_id: id, getter: 'get-name' as const, value: words.join(' ') },
    { token_id: id, getter: 'get-symbol' as const, value: (words[0] ?? '').toUpperCase().slice(0, 5) },
    { token_id: id, getter: 'get-decimals' as const, value: random.pick(['6', '6', '6', '8', '0']) },
  ]);
  await insertRows(
    store,
    'reading',
    values.map((value) => ({ ...value, source: 'vm' as const, rank: 1, partial: 0 as const })),
  );
  const pictured = ids.filter((id) => id % 4 === 0).map((id) => ({ id, uri: `https://x.test/${id}.png` }));
  await insertRows(
    store,
    'document',
    pictured.map(({ id, uri }) => ({ token_id: id, locale: '', document: JSON.stringify({ image: uri }) })),
  );
  await insertRows(
    store,
    'image',
    pictured.map(({ uri }) => ({ uri, sha256: letters('0123456789abcdef', 64), extension: 'png' })),
  );
}
