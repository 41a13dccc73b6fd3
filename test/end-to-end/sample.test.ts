import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ROUTES } from '#routes/all.ts';
import { type CliResult, runCli } from '../support/run-cli.ts';
import { runWarm } from '../support/run-warm.ts';
import { expectedSample, isAnswer, isAnswerOf, readTree, SAMPLE_ARCHIVE } from '../support/sample.ts';
import { tempFolder, tempFolderForFile } from '../support/temp-folder.ts';

const folder = tempFolderForFile();
let indexed: CliResult;

beforeAll(async () => {
  indexed = await runCli(['index', '--no-fetch'], { cwd: folder });
});

/** A working folder with the index of the sample. */
function indexedFolder(): string {
  const cwd = tempFolder();
  cpSync(join(folder, 'data'), join(cwd, 'data'), { recursive: true });
  return cwd;
}

describe('the sample, through the real commands', () => {
  test('default', async () => {
    const cwd = indexedFolder();
    expect(indexed.status).toBe(0);
    expect(indexed.stderr).toContain('--api-url');
    expect(await runCli(['build'], { cwd })).toMatchObject({ status: 0 });

    const tree = readTree(join(cwd, 'dist'));
    const answers = new Map([...tree].filter(([path]) => isAnswer(path)));
    expect(answers).toEqual(expectedSample());

    // Every answer of a route has the shape that the route gives.
    for (const route of ROUTES) {
      const ofRoute = [...answers].filter(([path]) => isAnswerOf(route, path));
      expect(ofRoute.length).toBeGreaterThan(0);
      for (const [, body] of ofRoute) route.schema(z).parse(JSON.parse(body));
    }
  });

  test('behavior: --offline settles what would need the network', async () => {
    const cwd = indexedFolder();
    expect(await runWarm(['index', '--offline'], { cwd })).toMatchObject({ status: 0 });
    await runWarm(['build'], { cwd });
    const tree = readTree(join(cwd, 'dist'));
    const answer = [...tree].find(([path]) => /^metadata.*pending-token$/.test(path))?.[1] ?? '';
    expect(JSON.parse(answer)).toMatchObject({ name: 'Pending Token', token_uri: 'https://example.org/tokens/1.json' });
    expect(answer).not.toContain('"metadata"');
  });

  test('behavior: the script makes the bundled bytes again', () => {
    const copy = join(tempFolder(), 'chain.tsv');
    const script = fileURLToPath(new URL('../../scripts/make-sample.ts', import.meta.url));
    const made = spawnSync(process.execPath, [script, copy], { encoding: 'utf8' });
    expect(made.stderr).toBe('');
    expect(existsSync(copy)).toBe(true);
    expect(readFileSync(copy).equals(readFileSync(SAMPLE_ARCHIVE))).toBe(true);
  });
});
