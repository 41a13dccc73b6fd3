// Compares a published site with the local build: their hashes, the hashes of their parts, and responses.

import { hash as hashOnce } from 'node:crypto';
import { runAhead } from '#concurrency/run-ahead.ts';
import { isHashed, readSiteHash } from '#generator/plan-site-hash.ts';
import { type RecordedFile, type RecordReader, readOrigin } from '#generator/record/build-record.ts';
import { readFiles } from '#generator/record/recorded-files.ts';
import { ERRORS_FOLDER, indexFile } from '#layout/response-files.ts';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { bucketOf, type SiteHash } from '#model/site-hash.ts';
import type { ServerClient } from '#net/server-client.ts';
import { siteHash } from '#routes/site-hash.ts';
import { parseJson } from '#text/parse-json.ts';
import { type CompareOptions, type Comparison, checkChain, readTheirTip } from './compare-api.ts';

interface BuiltFile extends Pick<RecordedFile, 'path' | 'hash'> {
  /** The number of the part of the site that has the file, from 0 to 255. */
  readonly bucket: number;
}

interface VerifyOptions extends CompareOptions {
  /** The number of responses to read in parts whose hashes match. */
  readonly sample: number;
}

export interface Verified {
  /** The hash of the build. */
  readonly here: string;
  /** The hash that the site reports; undefined if it reports none. */
  readonly there: string | undefined;
  /** Numbers of the parts whose hashes differ, in hex. */
  readonly buckets: readonly string[];
  /** The number of responses of the build. */
  readonly answers: number;
  readonly read: number;
  /** The number of responses in parts that differ which were not read, since they exceed `maxResponses`. */
  readonly unread: number;
  readonly differences: readonly { readonly path: string; readonly what: 'missing' | 'differs' }[];
  /**
   * Numbers, in hex, of parts that differ although each response of the build matches. The site has additional
   * responses in them.
   */
  readonly more: readonly string[];
  readonly failures: Comparison['failures'];
}

/** Compares the site with the record of a build. Returns a failure if the hash of the site cannot be read. */
export async function verifySite(record: RecordReader, options: VerifyOptions): Promise<Verified | Failure> {
  const { reader, concurrency, onRead } = options;
  const published = await readPublishedHash(reader);
  if (isFailure(published)) return published;
  const { hash: here, buckets } = await readSiteHash(record);
  const { chainId } = (await readOrigin(record)) ?? {};
  if (published?.hash !== here && chainId !== undefined) {
    const tip = await readTheirTip(reader);
    if (!isFailure(tip)) checkChain(chainId, tip, reader.host, 'build');
  }
  const differing = new Set(
    buckets.flatMap((bucket, number) => (published && published.buckets[number] !== bucket ? [number] : [])),
  );
  const { answers, unread, chosen } = await choose(record, here, differing, options);
  const differences: Verified['differences'][number][] = [];
  const failures: Verified['failures'][number][] = [];
  let read = 0;
  const results = runAhead(chosen, concurrency, async (file) => ({ file, state: await stateOf(file, reader) }));
  for await (const { file, state } of results) {
    const { path } = file;
    if (isFailure(state)) failures.push({ path, code: state.code, message: state.message });
    else if (state !== 'same') differences.push({ path, what: state });
    onRead?.(++read, chosen.length);
  }
  const paths = new Set([...differences, ...failures].map(({ path }) => path));
  const explained = new Set(chosen.filter(({ path }) => paths.has(path)).map(({ bucket }) => bucket));
  return {
    here,
    there: published?.hash,
    buckets: [...differing].map(toHex),
    answers,
    read: read - failures.length,
    unread,
    differences,
    more: unread > 0 ? [] : [...differing].filter((bucket) => !explained.has(bucket)).map(toHex),
    failures,
  };
}

async function readPublishedHash(reader: ServerClient): Promise<SiteHash | undefined | Failure> {
  const parse = (body: Buffer): SiteHash | undefined => {
    const { hash, buckets } = (parseJson(body.toString()) ?? {}) as Partial<SiteHash>;
    return typeof hash === 'string' && Array.isArray(buckets) ? { hash, buckets } : undefined;
  };
  const path = indexFile(siteHash);
  const response = await reader.get(`/${path}`, {
    check: ({ status, body }) =>
      status === 200 && parse(body) === undefined
        ? fail('source-invalid', `${path} does not have the form that stxpress writes.`)
        : undefined,
  });
  return isFailure(response) ? response : parse(response.body);
}

/**
 * Chooses the responses to read: up to `maxResponses` in parts that differ, and `sample` in parts that match. A hash of
 * the path and `seed`, the hash of the build, decides the sample, so that each build has a different one.
 */
async function choose(
  record: RecordReader,
  seed: string,
  differing: ReadonlySet<number>,
  { sample, maxResponses }: VerifyOptions,
): Promise<{ answers: number; unread: number; chosen: readonly BuiltFile[] }> {
  const inDiffering: BuiltFile[] = [];
  let sampled: (BuiltFile & { readonly rank: string })[] = [];
  let [answers, unread] = [0, 0];
  const keepFirst = () => {
    sampled = sampled.sort((left, right) => (left.rank < right.rank ? -1 : 1)).slice(0, sample);
  };
  for await (const page of readFiles(record)) {
    const files = page.filter(isHashed).map((file) => ({ ...file, bucket: bucketOf(file.path) }));
    answers += files.length;
    for (const file of files)
      if (!differing.has(file.bucket)) sampled.push({ ...file, rank: sha256(`${seed} ${file.path}`) });
      else if (inDiffering.length < maxResponses) inDiffering.push(file);
      else unread++;
    if (sampled.length > 2 * sample) keepFirst();
  }
  keepFirst();
  return { answers, unread, chosen: [...inDiffering, ...sampled] };
}

/**
 * Compares a response with the file of the build. A host serves an error response at the path of the request or,
 * without rules, at the path of the file.
 */
async function stateOf(
  { path, hash }: BuiltFile,
  reader: ServerClient,
): Promise<'same' | 'missing' | 'differs' | Failure> {
  const [, status, errorPath] = new RegExp(`^${ERRORS_FOLDER}/(\\d+)/(.*)$`).exec(path) ?? [];
  const paths = [...(errorPath === undefined ? [] : [[errorPath, Number(status)] as const]), [path, 200] as const];
  for (const [servedPath, expected] of paths) {
    const response = await reader.get(`/${servedPath.split('/').map(encodeURIComponent).join('/')}`);
    if (isFailure(response)) return response;
    if (response.status === expected) return sha256(response.body) === hash ? 'same' : 'differs';
    if (response.status !== 404) return 'differs';
  }
  return 'missing';
}

function toHex(bucket: number): string {
  return bucket.toString(16).padStart(2, '0');
}

function sha256(data: string | Buffer): string {
  return hashOnce('sha256', data);
}
