// Tests the records of runs in the index, and commands with a read-only index.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { recordRun, withIndex } from '#cli/use-index.ts';
import { stop } from '#model/failure.ts';
import { readRun } from '#store/work/runs.ts';
import { runWarm } from '../support/run-cli.ts';
import { copyIndex, sampleIndex } from '../support/sample.ts';
import { silentReporter } from '../support/silent-reporter.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { blockLine, callJson } from '../support/transactions.ts';

const describe = () => ({ outcome: 'ok', summary: { files: 3 } });
const sample = sampleIndex();
const newCopy = () => copyIndex(sample, join(tempFolder(), 'index.sqlite'));

test('records an index run when it starts, and when it ends or fails', async () => {
  const db = newCopy();
  await withIndex(db, async (store) => {
    const run = { command: 'index', db, describe, reporter: silentReporter } as const;
    const during = await recordRun(store, { ...run, work: () => readRun(store, 'index') });
    expect(during).toMatchObject({ startedAt: expect.any(Date), summary: {} });
    expect(during?.finishedAt).toBeUndefined();
    expect(await readRun(store, 'index')).toMatchObject({ outcome: 'ok', finishedAt: expect.any(Date) });
    const work = () => Promise.reject(stop('disk-full', 'The disk is full.'));
    await expect(recordRun(store, { ...run, work })).rejects.toThrow('The disk is full.');
    expect(await readRun(store, 'index')).toMatchObject({ outcome: 'disk-full', finishedAt: expect.any(Date) });
  });
});

test('does not record a build of a read-only index, and prints no warning', async () => {
  const db = newCopy();
  const warnings: string[] = [];
  const reporter = { ...silentReporter, warn: (message: string) => warnings.push(message) };
  await withIndex(db, async (store) => {
    const before = await readRun(store, 'build');
    await sql`pragma query_only = 1`.execute(store);
    expect(await recordRun(store, { command: 'build', db, work: async () => 7, describe, reporter })).toBe(7);
    expect(await readRun(store, 'build')).toEqual(before);
  });
  expect(warnings).toEqual([]);
});

test('a run without a source skips an archive that failed, and prints how to continue', async () => {
  const cwd = tempFolder();
  const block = blockLine({ id: 1, parent: 0, height: 1, transactions: [callJson()] });
  writeFileSync(join(cwd, 'chain.tsv'), `${block}broken\n`);
  const failed = await runWarm(['index', '--archive', 'chain.tsv', '--offline'], { cwd });
  expect([failed.status, failed.stderr]).toEqual([1, expect.stringContaining('chain.tsv')]);
  const { status, stderr } = await runWarm(['index', '--offline'], { cwd });
  expect([status, stderr]).toEqual([
    0,
    expect.stringMatching(/^warning: .*chain\.tsv.* continue with: npm run index -- /m),
  ]);
});
