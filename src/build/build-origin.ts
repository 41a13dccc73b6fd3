// Says what a build is made from, so that one of the same origin has nothing to do.
import { createHash } from 'node:crypto';
import type { BuildOrigin } from '#store/build-record/build-record.ts';
import { readInfo, type StoreReader } from '#store/index-database.ts';
import { lastRevision } from '#store/ledger.ts';
import { codeFingerprint } from './code-fingerprint.ts';
import type { BuildOptions } from './plan-build.ts';

export async function readBuildOrigin(
  reader: StoreReader,
  { publicUrl, onlyTokens, hosts }: BuildOptions,
): Promise<BuildOrigin & { readonly chainId: number | undefined }> {
  const { indexId, chainId } = await readInfo(reader);
  const names = hosts.map((host) => host.name).sort();
  const fingerprint = createHash('sha256')
    .update(JSON.stringify({ publicUrl, onlyTokens, hosts: names }))
    .update(codeFingerprint())
    .digest('hex');
  return { indexId, revision: await lastRevision(reader), chainId, fingerprint };
}

/** Whether two builds are of one index, with the same options and program: then only the revision can differ. */
export function isSameBut(origin: BuildOrigin, last: BuildOrigin | undefined): last is BuildOrigin {
  return last?.indexId === origin.indexId && last.fingerprint === origin.fingerprint;
}
