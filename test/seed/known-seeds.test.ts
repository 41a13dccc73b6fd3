// Tests the list of known seeds, and that an index run compares a seed with it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SAMPLE_CHAIN_ID } from '#model/chain.ts';
import { RANGE_SIZES } from '#seed/plan-ranges.ts';
import { okOf, runWarm } from '../support/run-cli.ts';
import { SAMPLE_ARCHIVE, sampleIndex } from '../support/sample.ts';
import { seedOf } from '../support/seeds.ts';
import { tempFolder } from '../support/temp-folder.ts';

interface KnownSeed {
  readonly chain_id: number;
  readonly height: number;
  readonly hash: string;
  readonly computed_by: string;
}

const KNOWN = JSON.parse(
  readFileSync(new URL('../../data/known-seeds.json', import.meta.url), 'utf8'),
) as readonly KnownSeed[];
const db = sampleIndex();

test('each entry has a chain, a height, a hash and who computed it', () => {
  for (const { chain_id, height, hash, computed_by } of KNOWN) {
    expect([Number.isSafeInteger(chain_id), Number.isSafeInteger(height)]).toEqual([true, true]);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(computed_by).not.toBe('');
  }
  expect(new Set(KNOWN.map(({ chain_id, height }) => `${chain_id} ${height}`)).size).toBe(KNOWN.length);
});

test('the seed of the sample is the known one, and an index run reports it', async () => {
  const cwd = tempFolder();
  const out = join(cwd, 'seed');
  const { manifest } = await seedOf({ db, archives: [SAMPLE_ARCHIVE], out, sizes: RANGE_SIZES });
  const { hash, computed_by: by } = KNOWN.find(({ chain_id: chain }) => chain === SAMPLE_CHAIN_ID) as KnownSeed;
  expect(manifest.parts.map((part) => part.hash)).toEqual([hash]);
  const { stderr, ...result } = await runWarm(['index', '--seed', out, '--no-fetch', '--no-vm'], { cwd });
  okOf({ stderr, ...result });
  expect(stderr).toContain(`Up to height 7, the seed has the hash of the known seed, which was computed by ${by}.`);
});
