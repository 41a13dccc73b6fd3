// Reads a seed as an entry of a build.
import { join } from 'node:path';
import { readIfExists } from '#files/read-if-exists.ts';
import { SEED_FOLDER, SEED_MANIFEST } from '#layout/data-files.ts';
import { MAX_MANIFEST_BYTES, parseManifest } from '#layout/seed-manifest.ts';
import { formatChainId } from '#model/chain.ts';
import { stop } from '#model/failure.ts';
import { SEED } from './site-hash.ts';
import type { RenderedEntry, StagedFile } from './stage-entries.ts';

/** Reads the manifest of the seed in a folder. Throws FailureError `usage` for a folder without a manifest. */
export function readSeedManifest(folder: string): string {
  const text = readIfExists(join(folder, SEED_MANIFEST), MAX_MANIFEST_BYTES)?.toString();
  if (text !== undefined) return text;
  throw stop(
    'usage',
    `--with-seed is ${folder}, which has no ${SEED_MANIFEST}. Make the seed first, with the command seed.`,
  );
}

/** Returns the files of a seed. Throws FailureError `seed-invalid` or `other-chain`. */
export function seedEntry(folder: string, chainId: number | undefined): RenderedEntry {
  const text = readSeedManifest(folder);
  const manifest = parseManifest(text, join(folder, SEED_MANIFEST));
  const { chain_id: other } = manifest;
  if (other !== null && chainId !== undefined && other !== chainId)
    throw stop(
      'other-chain',
      `${folder} has the seed of chain ${formatChainId(other)}, but the index holds chain ${formatChainId(chainId)}. ` +
        'Nothing was changed. Name the seed of this index with --seed.',
    );
  const parts = manifest.parts.map(({ file, bytes, sha256 }): StagedFile => {
    const body = { at: join(folder, file), hash: sha256, bytes, isKept: true };
    return { path: `${SEED_FOLDER}/${file}`, body };
  });
  return { route: SEED, key: '', files: [...parts, { path: `${SEED_FOLDER}/${SEED_MANIFEST}`, body: text }] };
}
