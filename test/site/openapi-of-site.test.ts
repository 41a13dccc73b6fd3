// Tests the API description of a built site: the server that it names, and the ids in its examples. Also tests the
// scripts that write the sample and the examples.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runBuild } from '#generator/run-build.ts';
import { runIndex } from '#indexer/run-index.ts';
import { makeExamples } from '../../scripts/make-examples.ts';
import { newIndex } from '../support/archives.ts';
import { buildOptions } from '../support/build-options.ts';
import { runProgram } from '../support/example-scripts.ts';
import { indexOptions } from '../support/index-options.ts';
import { EMPTY_INTERFACE, TOKEN_INTERFACE } from '../support/interfaces.ts';
import { runWarm } from '../support/run-cli.ts';
import { buildSample, expectedSample, SAMPLE_ARCHIVE, sampleIndex, sampleTree } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { tokenSource } from '../support/token-source.ts';
import { blockLine, deployJson } from '../support/transactions.ts';

interface Document {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<
    Record<
      string,
      { readonly get: { readonly parameters: readonly { name: string; in: string; example?: unknown }[] } }
    >
  >;
}

const db = sampleIndex();
const text = (await sampleTree()).get('openapi.json') ?? '';
const document = JSON.parse(text) as Document;

test('uses --public-url as server, or else the host of the file', async () => {
  expect(document.servers).toMatchObject([{ url: '/' }]);
  const cwd = tempFolder();
  const result = await runWarm(['build', '--db', db, '--public-url', 'https://tokens.example.org/api/'], { cwd });
  expect(result).toMatchObject({ status: 0, stderr: '' });
  const built = JSON.parse(readFileSync(join(cwd, 'dist/openapi.json'), 'utf8')) as Document;
  expect(built.servers).toMatchObject([{ url: 'https://tokens.example.org/api' }]);
  expect({ ...built, servers: [] }).toEqual({ ...document, servers: [] });
});

test('uses ids of the index in examples', async () => {
  const store = await newIndex();
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
    deployJson('token', tokenSource(), { ...CHAIN, nonce: 2, interface: TOKEN_INTERFACE }),
  ];
  const archive = join(tempFolder(), 'chain.tsv');
  for (const [count, found] of [
    [1, 4],
    [2, 6],
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
});

// This test does not check that the responses fit their schemas: openapi.test.ts does.
test('make-examples.ts writes the committed files', async () => {
  const dist = tempFolder();
  await buildSample(dist);
  const files = await makeExamples(db, dist);
  for (const [path, text] of files)
    expect([path, text]).toEqual([path, readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')]);
  expect(expectedSample().size).toBe(files.size - 1);
});

test('make-sample.ts writes the committed bytes', async () => {
  const copy = join(tempFolder(), 'chain.tsv');
  const script = fileURLToPath(new URL('../../scripts/make-sample.ts', import.meta.url));
  expect(await runProgram(script, [copy])).toMatchObject({ status: 0, stderr: '' });
  expect(readFileSync(copy).equals(readFileSync(SAMPLE_ARCHIVE))).toBe(true);
});
