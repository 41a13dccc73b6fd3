// Opens a seed at a site or in a folder: reads its manifest, and reads its parts with a check of their hashes.
import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readRegular } from '#files/open-regular.ts';
import { readIntact } from '#files/read-if-exists.ts';
import { makeFolder, writeAtomically } from '#files/write-atomically.ts';
import { SEED_FOLDER, SEED_MANIFEST, SEED_PART_NAME } from '#layout/data-files.ts';
import { MAX_MANIFEST_BYTES, parseManifest, type SeedManifest, type SeedPart } from '#layout/seed-manifest.ts';
import { type Failure, FailureError, fail, isFailure, stop } from '#model/failure.ts';
import { isTemporary } from '#model/temporary.ts';
import type { HttpRequest } from '#net/send-request.ts';
import { ServerClient, type ServerOptions } from '#net/server-client.ts';
import { parseJson } from '#text/parse-json.ts';
import { ZSTD_MAGIC } from '../event-archive/zstd-frame.ts';

/** Limits of a sent part: an encoding such as gzip adds a few bytes to a file that is already compressed. */
const ENCODED_SHARE = 1.01;
const ENCODED_BYTES = 1_024;
/** Matches codes of failures whose messages have a remedy. */
const HAS_REMEDY = /^(?:http-3|host-not-found)/;
type SentFile = Required<Pick<HttpRequest, 'maxBytes' | 'isContent'>>;

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

/** Returns the URL of the manifest of a seed at a URL: of a site, of its folder `seed`, or of the manifest itself. */
export function manifestUrl(url: string): URL {
  const base = new URL(url);
  if (base.pathname.endsWith('.json')) return base;
  const path = base.pathname.replace(/\/$/, '');
  const folder = path.endsWith(`/${SEED_FOLDER}`) ? path : `${path}/${SEED_FOLDER}`;
  return new URL(`${folder}/${SEED_MANIFEST}`, base);
}

/**
 * Opens a seed at a site. Redirects to other servers are not followed. `url` is the output of {@link manifestUrl}, and
 * `fileMs` the time limit for each file.
 */
export function openRemoteSeed(url: URL, options: Omit<ServerOptions, 'baseUrl'>, fileMs: number): SeedSource {
  const name = url.href;
  const manifestName = url.pathname.slice(url.pathname.lastIndexOf('/') + 1);
  const baseUrl = new URL('.', url).href.replace(/\/$/, '');
  const limits = { ...options.limits, totalTimeoutMs: fileMs };
  const client = new ServerClient({ ...options, baseUrl, limits });
  const read = async (file: string, limits: SentFile): Promise<Buffer | Failure> => {
    const response = await client.get(`/${file}`, limits);
    const url = `${baseUrl}/${file}`;
    if (isFailure(response)) {
      const remedy = isTemporary(response) ? 'Run the command again later: it continues.' : 'Check the URL.';
      const message = `${url} cannot be read: ${response.message}`;
      return { ...response, message: HAS_REMEDY.test(response.code) ? message : `${message} ${remedy}` };
    }
    const { status, body } = response;
    return status === 200 ? body : fail(`http-${status}`, `${url} has the status ${status}.`);
  };
  return {
    name,
    isRemote: true,
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
    },
    removePart: ({ file }, folder) => rm(join(folder, file), { force: true }),
    async close(folder) {
      const names = await readdir(folder).catch(() => []);
      for (const name of names) if (SEED_PART_NAME.test(name)) await rm(join(folder, name), { force: true });
      // A folder with other files stays.
      await rmdir(folder).catch(() => {});
    },
    async readManifest() {
      const body = await read(manifestName, {
        maxBytes: MAX_MANIFEST_BYTES,
        isContent: (sent) => parseJson(sent.toString()) !== undefined,
      });
      if (!isFailure(body)) return parseManifest(body.toString(), name);
      const isMissing = body.code === 'http-404';
      if (!isMissing) throw new FailureError(body);
      throw stop(
        'seed-invalid',
        `There is no seed at ${name} (status 404). Pass the URL of a site that has a seed, or of its ${SEED_MANIFEST}.`,
      );
    },
    async readPart(part, folder) {
      const path = join(folder, part.file);
      if (readIntact(path, part.sha256) !== undefined) return path;
      const isPart = (bytes: Buffer) => hash('sha256', bytes, 'hex') === part.sha256 && isZstd(bytes);
      const maxBytes = Math.ceil(part.bytes * ENCODED_SHARE) + ENCODED_BYTES;
      const body = await read(part.file, { maxBytes, isContent: isPart });
      if (isFailure(body)) return explain(body, `${baseUrl}/${part.file}`);
      if (!isPart(body)) return damaged(`${baseUrl}/${part.file}`);
      await makeFolder(folder);
      await writeAtomically(path, body, { isDurable: true });
      return path;
    },
  };
}

/** Returns the path of the manifest in a folder with a seed or a site. Throws FailureError `seed-invalid`. */
export function findManifest(path: string): string {
  const candidates = [path, join(path, SEED_MANIFEST), join(path, SEED_FOLDER, SEED_MANIFEST)];
  const manifest = candidates.find((candidate) => statSync(candidate, { throwIfNoEntry: false })?.isFile());
  if (manifest !== undefined) return manifest;
  throw stop('seed-invalid', `There is no seed at ${path}. Name a folder with ${SEED_MANIFEST}, or this file.`);
}

/** Opens a seed in a folder, or by the path of its manifest. The seed may be missing until its manifest is read. */
export function openLocalSeed(path: string): SeedSource {
  return {
    name: path,
    isRemote: false,
    [Symbol.asyncDispose]: async () => {},
    removePart: async () => {},
    close: async () => {},
    readManifest: async () => {
      const manifest = findManifest(path);
      return parseManifest(readRegular(manifest, MAX_MANIFEST_BYTES).toString(), manifest);
    },
    async readPart({ file, sha256 }) {
      const part = join(dirname(findManifest(path)), file);
      const bytes = readIntact(part, sha256);
      return bytes !== undefined && isZstd(bytes) ? part : damaged(part);
    },
  };
}

/** Adds the remedy to the failure of a part. */
function explain(failure: Failure, url: string): Failure {
  if (failure.code === 'too-large')
    return {
      ...failure,
      message: `${url} is larger than its manifest states. The seed is damaged: tell its operator.`,
    };
  if (failure.code !== 'http-404') return failure;
  const remedy = 'The seed may be changing: run the command again later, or tell its operator.';
  return { ...failure, message: `The manifest lists ${url}, but the site does not have it (status 404). ${remedy}` };
}

function isZstd(bytes: Buffer): boolean {
  return bytes.subarray(0, ZSTD_MAGIC.length).equals(ZSTD_MAGIC);
}

function damaged(path: string): Failure {
  return fail(
    'seed-invalid',
    `${path} is missing, or does not have the bytes that the manifest states. Run the command again; if that does not ` +
      'help, make the seed again, or ask its operator to.',
  );
}
