// Describes the origin of a build, which is its index, options and program. Compares it with the origin of the last
// build in the output folder.

import { createHash, hash } from 'node:crypto';
import { join, relative, resolve } from 'node:path';
import { formatChainId, SAMPLE_CHAIN_ID } from '#model/chain.ts';
import { stop } from '#model/failure.ts';
import { readExampleIds } from '#site/examples.ts';
import type { StoreReader } from '#store/index-database.ts';
import { readInfo } from '#store/index-info.ts';
import { historyOf, lastRevision } from '#store/ledger/ledger.ts';
import { parseJson } from '#text/parse-json.ts';
import type { BuildOptions } from './build-options.ts';
import { codeFingerprint } from './code-fingerprint.ts';
import { changedInOverlay, overlayHashes } from './overlay-changes.ts';
import type { BuildOrigin } from './record/build-record.ts';
import { readSeedManifest } from './seed-entries.ts';

export async function readBuildOrigin(
  reader: StoreReader,
  { out, indexFile, publicUrl, name, only, dump, seed, overlay, hosts }: BuildOptions,
  held: Pick<BuildOrigin, 'ignoresCase' | 'leftOut'>,
): Promise<BuildOrigin> {
  const { indexId, chainId } = await readInfo(reader);
  const revision = await lastRevision(reader);
  const history = (await historyOf(reader, revision)) ?? '';
  const fingerprint = createHash('sha256')
    .update(JSON.stringify({ publicUrl, name, only, ...held }))
    .update(codeFingerprint())
    .digest('hex');
  const examples = JSON.stringify(await readExampleIds(reader));
  const curated = overlayHashes(overlay);
  const manifest = seed === undefined ? {} : { seed: hash('sha256', readSeedManifest(seed), 'hex') };
  // Files of hosts contain the path of the site.
  const site = hosts.length === 0 ? {} : { site: resolve(out) };
  const extras = JSON.stringify({ dump, hosts: hosts.map(({ name }) => name).sort(), ...site, curated, ...manifest });
  return {
    indexId,
    indexFile: relative(out, indexFile),
    chainId,
    revision,
    history,
    fingerprint,
    examples,
    extras,
    ...held,
  };
}

/** Returns the contracts whose curated facts changed since the last build. */
export function curatedChanges(origin: BuildOrigin, last: BuildOrigin | undefined): string[] {
  return changedInOverlay(curatedOf(last), curatedOf(origin));
}

/** Earlier versions stored no curated facts. */
function curatedOf(origin: BuildOrigin | undefined): Record<string, string> {
  const extras = (parseJson(origin?.extras ?? '') ?? {}) as { readonly curated?: Record<string, string> };
  return extras.curated ?? {};
}

/** Returns the revision of the index that the last build rendered. Returns 0 if this build must render everything. */
export async function builtRevision(
  reader: StoreReader,
  origin: BuildOrigin,
  last: BuildOrigin | undefined,
): Promise<number> {
  if (last?.fingerprint !== origin.fingerprint) return 0;
  return (await historyOf(reader, last.revision)) === last.history ? last.revision : 0;
}

/**
 * Throws FailureError `other-index` if the last build used another index. Accepts a new index of the same chain at the
 * same path.
 */
export function checkIsSameIndex(origin: BuildOrigin, last: BuildOrigin, { out }: BuildOptions): void {
  const isRebuilt = last.chainId === origin.chainId && last.indexFile === origin.indexFile;
  if (last.indexId === origin.indexId || isRebuilt || isSampleReplaced(origin, last)) return;
  const chain = last.chainId === undefined ? 'an unknown chain' : `chain ${formatChainId(last.chainId)}`;
  throw stop(
    'other-index',
    `${out} holds the site of another index, ${join(out, last.indexFile)} of ${chain}. Nothing was changed. ` +
      'Pass that index with --db, choose another folder with --out, or replace the site with --replace.',
  );
}

/**
 * Returns true if this build replaces the site of the bundled sample by another chain. `start` can build the sample
 * again.
 */
export function isSampleReplaced({ chainId }: BuildOrigin, last: BuildOrigin | undefined): boolean {
  return last?.chainId === SAMPLE_CHAIN_ID && chainId !== SAMPLE_CHAIN_ID;
}
