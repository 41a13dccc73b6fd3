// The description of a site that is built: where it is, whose ids its examples have, and the script that writes those
// of the sample.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { runIndex } from '#indexer/run-index.ts';
import { runBuild } from '#press/run-build.ts';
import { ROUTES } from '#routes/all.ts';
import { readExampleIds } from '#site/examples.ts';
import { renderOpenApi } from '#site/openapi.ts';
import { openIndex } from '#store/index-database.ts';
import { buildOptions } from '../support/build-options.ts';
import { indexOptions } from '../support/index-options.ts';
import { EMPTY_INTERFACE, TOKEN_INTERFACE } from '../support/interfaces.ts';
import { blockLine, deployJson } from '../support/observer-lines.ts';
import { runWarm } from '../support/run-warm.ts';
import { indexSample, readTree, sampleTree } from '../support/sample.ts';
import { tempFolder, tempFolderForFile } from '../support/temp-folder.ts';

interface Document {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<
    Record<
      string,
      { readonly get: { readonly parameters: readonly { name: string; in: string; example?: unknown }[] } }
    >
  >;
}

const TOKEN_SOURCE = `(define-fungible-token t)
  (define-read-only (get-name) (ok "Token")) (define-read-only (get-symbol) (ok "T"))
  (define-read-only (get-decimals) (ok u0))
  (define-read-only (get-total-supply) (ok u0)) (define-read-only (get-token-uri) (ok none))`;

const db = join(tempFolderForFile(), 'index.sqlite');
beforeAll(() => indexSample(db));
const text = (await sampleTree()).get('openapi.json') ?? '';
const document = JSON.parse(text) as Document;

test('behavior: what is tried out is the site that the page is on, whatever --public-url says', async () => {
  expect(document.servers).toEqual([{ url: '.' }]);
  const cwd = tempFolder();
  const result = await runWarm(['build', '--db', db, '--public-url', 'https://tokens.example.org/api/'], { cwd });
  expect(result).toMatchObject({ status: 0, stderr: '' });
  const built = JSON.parse(readFileSync(join(cwd, 'dist/openapi.json'), 'utf8')) as Document;
  expect(built.servers).toEqual([{ url: '.' }, { url: 'https://tokens.example.org/api' }]);
  expect({ ...built, servers: [] }).toEqual({ ...document, servers: [] });
});

test('behavior: the ids of examples are those of the index that was built', async () => {
  const store = await openIndex(join(tempFolder(), 'index.sqlite'));
  const out = join(tempFolder(), 'dist');
  const ids = () => {
    const built = JSON.parse(readFileSync(join(out, 'openapi.json'), 'utf8')) as Document;
    return Object.entries(built.paths).flatMap(([path, { get }]) => {
      const examples = get.parameters.flatMap(({ name, in: where, example }) =>
        example === undefined || where !== 'path' ? [] : [[`{${name}}`, String(example)] as const],
      );
      return examples.length === 0 ? [] : [examples.reduce((filled, [name, id]) => filled.replace(name, id), path)];
    });
  };
  await runBuild(store, buildOptions(out));
  expect(ids()).toEqual([]);
  const CHAIN = { chainId: 1, clarityVersion: 2 };
  const deploys = [
    deployJson('plain', '(define-constant a u1)', { ...CHAIN, nonce: 1, interface: EMPTY_INTERFACE }),
    deployJson('token', TOKEN_SOURCE, { ...CHAIN, nonce: 2, interface: TOKEN_INTERFACE }),
  ];
  const archive = join(tempFolder(), 'chain.tsv');
  for (const [count, found] of [
    [1, 4],
    [2, 7],
  ] as const) {
    const block = blockLine({
      id: count,
      parent: count - 1,
      height: count,
      transactions: [deploys[count - 1] ?? {}],
    });
    writeFileSync(archive, block, { flag: 'a' });
    await runIndex(store, indexOptions({ archives: [archive], vm: true }));
    await runBuild(store, buildOptions(out));
    expect(ids()).toHaveLength(found);
    for (const path of ids()) expect([path, existsSync(join(out, path))]).toEqual([path, true]);
  }
  await store.destroy();
});

test('behavior: the same bytes every time', async () => {
  const store = await openIndex(db);
  const ids = await readExampleIds(store);
  await store.destroy();
  expect(renderOpenApi({ routes: ROUTES, publicUrl: '', ids })).toBe(text);
});

test('default: make-examples.ts writes what is there', async () => {
  const made = tempFolder();
  const script = fileURLToPath(new URL('../../scripts/make-examples.ts', import.meta.url));
  await promisify(execFile)(process.execPath, [script, made], { cwd: tempFolder() });
  const files = readTree(made);
  expect(files.size).toBeGreaterThan(ROUTES.length);
  for (const [path, text] of files)
    expect([path, text]).toEqual([path, readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')]);
});
