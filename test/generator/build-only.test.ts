// Tests builds with --only. The explorer finds all files that it needs, and a later build without --only adds the rest.
import { hash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { imageFile, thumbnailFile } from '#layout/image-files.ts';
import { openIndex } from '#store/index-database.ts';
import { writeDocuments } from '#store/tokens/documents.ts';
import { writeImage } from '#store/tokens/images.ts';
import { indexLines } from '../support/archives.ts';
import { buildIndex } from '../support/build-options.ts';
import { COLLECTION_INTERFACE, EMPTY_INTERFACE, TOKEN_INTERFACE } from '../support/interfaces.ts';
import { buildSample, filesBelow, readTree, sampleIndex } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { blockLine, deployJson, type Json } from '../support/transactions.ts';

const sample = sampleIndex();

test.each([
  ['tokens', ['ft', 'nft', 'sft']],
  ['ft', ['ft']],
  ['nft', ['nft']],
  ['sft', ['sft']],
] as const)(
  'with --only %s, has the data for the explorer, and a full build restores the rest',
  async (only, kinds) => {
    const out = tempFolder();
    await buildSample(out);
    const tree = readTree(out);
    const summary = await buildIndex(sample, out, { only });
    const selected = readTree(out);
    expect(summary.removed).toBe([...tree.keys()].filter((path) => !selected.has(path)).length);
    const read = (path: string) => JSON.parse(selected.get(path) ?? `"no ${path}"`);

    const rows = read('search/tokens/index.json') as [string, string][];
    expect([...new Set(rows.map(([kind]) => kind))].sort()).toEqual(kinds);
    for (const [kind, id] of rows) {
      const tokenPath = `metadata/v1/${kind}/${id}`;
      for (const path of [
        kind === 'ft' ? tokenPath : `${tokenPath}/index.json`,
        `metadata/v1/status/${id}`,
        `extended/v1/contract/${id}`,
      ])
        expect([path, selected.has(path)]).toEqual([path, true]);
    }
    const { newest_contracts: newest } = read('metadata/v1/index.json') as {
      newest_contracts: { contract_id: string }[];
    };
    const { addresses } = read('search/contracts/index.json') as { addresses: [string, string][] };
    const found = addresses
      .flatMap(([, block]) => read(`search/contracts/${block}`) as [string, ...string[]][])
      .flatMap(([address, ...names]) => names.map((name) => `${address}.${name}`));
    const contracts = [...selected.keys()].flatMap((path) => /^extended\/v1\/contract\/(.+)$/.exec(path)?.[1] ?? []);
    expect(newest.length).toBeGreaterThan(0);
    for (const { contract_id } of newest) expect(contracts).toContain(contract_id);
    expect(found.sort()).toEqual(contracts.sort());
    // Contracts of other kinds have no files, not even a status.
    const statuses = [...selected.keys()].flatMap((path) => /^metadata\/v1\/status\/(.+)$/.exec(path)?.[1] ?? []);
    expect(statuses.sort()).toEqual(contracts);
    expect([...selected.keys()].filter((path) => path.startsWith('v2/'))).toEqual([]);

    await buildIndex(sample, out);
    expect(readTree(out)).toEqual(tree);
  },
);

test('with --only ft, updates the site of a growing chain', async () => {
  const folder = tempFolder();
  const [db, out] = [join(folder, 'index.sqlite'), join(folder, 'dist')];
  const deploy = (name: string, nonce: number, of: Json) =>
    deployJson(name, `(define-constant c u${nonce})`, { nonce, clarityVersion: 2, interface: of });
  const first = [deploy('token', 0, TOKEN_INTERFACE), deploy('plain', 1, EMPTY_INTERFACE)];
  await indexLines(db, blockLine({ id: 1, parent: 0, height: 1, transactions: first }));
  await buildIndex(db, out, { only: 'ft' });
  const more = [deploy('more', 2, TOKEN_INTERFACE), deploy('thing', 3, COLLECTION_INTERFACE)];
  await indexLines(db, blockLine({ id: 2, parent: 1, height: 2, transactions: more }));
  await buildIndex(db, out, { only: 'ft' });
  const contracts = filesBelow(join(out, 'extended')).map((path) => path.split('.').at(-1));
  expect(contracts.sort()).toEqual(['more', 'token']);
});

test('copies only the pictures of the tokens in the site, also when tokens and forks change', async () => {
  const folder = tempFolder();
  const [db, imageFolder] = [join(folder, 'index.sqlite'), join(folder, 'images')];
  mkdirSync(imageFolder);
  const deploy = (name: string, nonce: number, of: Json) =>
    deployJson(name, `(define-constant c u${nonce})`, { nonce, clarityVersion: 2, interface: of });
  const block = (id: number, parent: number, height: number, transactions: Json[] = []) =>
    blockLine({ id, parent, height, transactions });
  const other = deploy('other', 2, TOKEN_INTERFACE);
  await indexLines(
    db,
    [
      block(1, 0, 1, [deploy('token', 0, TOKEN_INTERFACE), deploy('thing', 1, COLLECTION_INTERFACE)]),
      block(2, 1, 2, [other]),
    ].join(''),
  );
  /** Stores that the contract with this name has the picture; undefined if it has no picture any more. */
  const show = async (name: string, picture: string | undefined) => {
    const store = await openIndex(db);
    try {
      const token = store.selectFrom('served_token').select('token_id').where('contract_id', 'like', `%.${name}`);
      const { token_id: tokenId } = await token.executeTakeFirstOrThrow();
      const image = picture && `https://x.test/${picture}`;
      const document = { sip: 16, name, ...(image && { image }) };
      await store
        .transaction()
        .execute((writer) =>
          writeDocuments(writer, [{ tokenId, locale: '', uri: 'https://x.test', result: { document, warnings: [] } }]),
        );
      if (image === undefined) return;
      const sha256 = hash('sha256', picture as string);
      const files = [imageFile(sha256, 'png'), thumbnailFile(sha256)].map((file) => {
        writeFileSync(join(imageFolder, file), file);
        return { name: file, bytes: file.length, sha256: hash('sha256', file) };
      });
      await store.transaction().execute((writer) => writeImage(writer, image, { sha256, extension: 'png', files }));
    } finally {
      await store.destroy();
    }
  };
  /** Checks the pictures in a site with all tokens, and in a site with fungible tokens, which earlier builds began. */
  const expectPictures = async (all: readonly string[], fungible: readonly string[]) => {
    for (const [only, pictures] of [[undefined, all] as const, ['ft', fungible] as const]) {
      const out = join(folder, `dist-${only}`);
      await buildIndex(db, out, { only, imageFolder });
      const expected = pictures.map((picture) => hash('sha256', picture)).sort();
      const copied = [...readTree(out).keys()].filter((path) => path.startsWith('images/'));
      expect(copied).toEqual(expected.flatMap((sha256) => [`images/${sha256}.png`, `images/${sha256}.thumb.webp`]));
    }
  };
  await show('token', 'a');
  await show('thing', 'b');
  await expectPictures(['a', 'b'], ['a']);
  // A picture that only a collection used becomes the picture of a token, too.
  await show('token', 'b');
  await expectPictures(['b'], ['b']);
  await show('thing', 'c');
  await show('other', 'c');
  await expectPictures(['b', 'c'], ['b', 'c']);
  // The block with the other token is orphaned.
  await indexLines(db, [block(3, 1, 2), block(4, 3, 3)].join(''));
  await expectPictures(['b', 'c'], ['b']);
  await show('token', undefined);
  await show('thing', undefined);
  await expectPictures([], []);
  // The orphaned token becomes canonical again.
  await indexLines(db, [block(5, 2, 3), block(6, 5, 4)].join(''));
  await expectPictures(['c'], ['c']);
  await show('other', undefined);
  const store = await openIndex(db);
  const left = await Promise.all(
    (['image', 'image_file'] as const).map((name) => store.selectFrom(name).selectAll().execute()),
  );
  await store.destroy();
  expect(left.flat()).toEqual([]);
});
