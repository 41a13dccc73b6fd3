// Opens a seed at a site or in a folder: reads its manifest, and reads its parts with a check of their hashes.
import { createHash, hash } from 'node:crypto';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readIfExists } from '#files/read-if-exists.ts';
import { makeFolder, writeAtomically } from '#files/write-atomically.ts';
import { SEED_FOLDER, SEED_MANIFEST, SEED_PART_NAME } from '#layout/seed-files.ts';
import { parseManifest, type SeedManifest, type SeedPart } from '#layout/seed-manifest.ts';
import { type Failure, FailureError, fail, isFailure, stop } from '#model/failure.ts';
import type { ServerOptions } from '#net/polite-host.ts';
import { PoliteReader } from '#net/polite-reader.ts';

export interface SeedSource extends AsyncDisposable {
  readonly name: string;
  /** True if parts are downloaded. */
  readonly isRemote: boolean;
  /** Throws FailureError. */
  readManifest(): Promise<SeedManifest>;
  /**
   * Returns the path of a file with the part, whose hash was checked. A downloaded part stays in `folder` until {@link
   * removePart}. Returns a failure for a part that is missing, damaged or too large.
   */
  readPart(part: SeedPart, folder: string): Promise<string | Failure>;
  removePart(part: SeedPart, folder: string): Promise<void>;
  /** Removes the folder for downloaded parts. */
  close(folder: string): Promise<void>;
}

/** The maximum size of a manifest, which has 100,000 parts. */
const MAX_MANIFEST_BYTES = 50_000_000;

/** Returns the URL of the manifest of a seed at a URL: of a site, or of the manifest itself. */
export function manifestUrl(url: string): URL {
  const base = new URL(url);
  const { pathname } = base;
  return pathname.endsWith('.json')
    ? base
    : new URL(`${pathname.replace(/\/$/, '')}/${SEED_FOLDER}/${SEED_MANIFEST}`, base);
}

/** Opens a seed at a site. Redirects to other servers are not followed. `url` is the output of {@link manifestUrl}. */
export function openRemoteSeed(url: URL, options: Omit<ServerOptions, 'baseUrl'>): SeedSource {
  const name = url.href;
  const manifestName = url.pathname.slice(url.pathname.lastIndexOf('/') + 1);
  const baseUrl = new URL('.', url).href.replace(/\/$/, '');
  const reader = new PoliteReader({ ...options, baseUrl });
  const read = async (file: string, maxBytes: number): Promise<Buffer | Failure> => {
    const check = ({ status }: { readonly status: number }) =>
      status === 200 ? undefined : fail(`http-${status}`, `${baseUrl}/${file} has the status ${status}.`);
    const response = await reader.read(file, check, maxBytes);
    return isFailure(response) ? response : response.body;
  };
  return {
    name,
    isRemote: true,
    [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
    removePart: ({ file }, folder) => rm(join(folder, file), { force: true }),
    async close(folder) {
      const names = await readdir(folder).catch(() => []);
      for (const name of names) if (SEED_PART_NAME.test(name)) await rm(join(folder, name), { force: true });
      // A folder with other files stays.
      await rmdir(folder).catch(() => {});
    },
    async readManifest() {
      const body = await read(`${manifestName}${url.search}`, MAX_MANIFEST_BYTES);
      if (!isFailure(body)) return parseManifest(body.toString(), name);
      const isMissing = body.code === 'http-404';
      throw isMissing ? stop('seed-invalid', `There is no seed at ${name} (status 404).`) : new FailureError(body);
    },
    async readPart(part, folder) {
      const path = join(folder, part.file);
      if ((await checkFile(path, part)) === undefined) return path;
      const body = await read(part.file, part.bytes);
      if (isFailure(body)) return body;
      if (body.length !== part.bytes || hash('sha256', body, 'hex') !== part.sha256) return damaged(part, name);
      await makeFolder(folder);
      await writeAtomically(path, body, { isDurable: true });
      return path;
    },
  };
}

/** Opens a seed in a folder, or by the path of its manifest. Throws FailureError `seed-invalid`. */
export function openLocalSeed(path: string): SeedSource {
  const candidates = [path, join(path, SEED_MANIFEST), join(path, SEED_FOLDER, SEED_MANIFEST)];
  const manifest = candidates.find((candidate) => statSync(candidate, { throwIfNoEntry: false })?.isFile());
  if (manifest === undefined)
    throw stop(
      'seed-invalid',
      `There is no seed at ${path}. Name a site, a folder with ${SEED_MANIFEST}, or this file.`,
    );
  const folder = dirname(manifest);
  return {
    name: manifest,
    isRemote: false,
    [Symbol.asyncDispose]: async () => {},
    removePart: async () => {},
    close: async () => {},
    readManifest: async () => parseManifest(readIfExists(manifest)?.toString() ?? '', manifest),
    async readPart(part) {
      const file = join(folder, part.file);
      return (await checkFile(file, part)) ?? file;
    },
  };
}

/** Returns a failure if a file is missing, or if its hash differs from the hash of the part. */
async function checkFile(path: string, part: SeedPart): Promise<Failure | undefined> {
  if (!existsSync(path)) return fail('seed-invalid', `${path} is missing.`);
  if (statSync(path).size !== part.bytes) return damaged(part, path);
  const sha256 = createHash('sha256');
  for await (const chunk of createReadStream(path)) sha256.update(chunk as Buffer);
  return sha256.digest('hex') === part.sha256 ? undefined : damaged(part, path);
}

function damaged({ file }: SeedPart, name: string): Failure {
  return fail('seed-invalid', `The part ${file} of ${name} does not have the bytes that its manifest states.`);
}
