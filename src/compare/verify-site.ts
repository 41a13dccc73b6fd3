// Tells whether a published site is the one built here, by its hash, and where they differ, by answers of its parts.

import { hash as hashOnce } from 'node:crypto';
import { runAhead } from '#concurrency/run-ahead.ts';
import { ERRORS_FOLDER, indexFile } from '#layout/answer-files.ts';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { bucketOf, type SiteHash } from '#model/site-hash.ts';
import type { PoliteReader } from '#net/polite-reader.ts';
import { isHashed, readSiteHash } from '#press/plan-site-hash.ts';
import { type RecordedFile, type RecordReader, readOrigin } from '#press/record/build-record.ts';
import { readFiles } from '#press/record/recorded-files.ts';
import { siteHash } from '#routes/site-hash.ts';
import { parseJson } from '#text/parse-json.ts';
import { type CompareOptions, type Comparison, checkChain, readTheirTip } from './compare-api.ts';

interface OwnFile extends Pick<RecordedFile, 'path' | 'hash'> {
  readonly bucket: number;
}

interface VerifyOptions extends CompareOptions {
  /** How many answers of parts that agree are read too. */
  readonly sample: number;
}

export interface Verified {
  readonly here: string;
  /** What the site says of itself; undefined if it has no hash. */
  readonly there: string | undefined;
  /** Numbers of the parts that differ, in hex. */
  readonly buckets: readonly string[];
  readonly answers: number;
  readonly read: number;
  /** Answers of parts that differ which were not read. */
  readonly unread: number;
  readonly differences: readonly { readonly path: string; readonly what: 'missing' | 'differs' }[];
  /** Numbers of the parts that differ although all that was built here is there: the site has more. */
  readonly more: readonly string[];
  readonly failures: Comparison['failures'];
}

/** Takes the record of the build. A failure, if the site cannot be asked for its hash. */
export async function verifySite(record: RecordReader, options: VerifyOptions): Promise<Verified | Failure> {
  const { reader, concurrency, onRead } = options;
  const there = await readThere(reader);
  if (isFailure(there)) return there;
  const { hash: here, buckets } = await readSiteHash(record);
  const { chainId } = (await readOrigin(record)) ?? {};
  if (there?.hash !== here && chainId !== undefined) {
    const tip = await readTheirTip(reader);
    if (!isFailure(tip)) checkChain(chainId, tip, reader.host, 'build');
  }
  const differing = new Set(
    buckets.flatMap((bucket, number) => (there && there.buckets[number] !== bucket ? [number] : [])),
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
    there: there?.hash,
    buckets: [...differing].map(toHex),
    answers,
    read: read - failures.length,
    unread,
    differences,
    more: unread > 0 ? [] : [...differing].filter((bucket) => !explained.has(bucket)).map(toHex),
    failures,
  };
}

async function readThere(reader: PoliteReader): Promise<SiteHash | undefined | Failure> {
  const parse = (body: Buffer): SiteHash | undefined => {
    const { hash, buckets } = (parseJson(body.toString()) ?? {}) as Partial<SiteHash>;
    return typeof hash === 'string' && Array.isArray(buckets) ? { hash, buckets } : undefined;
  };
  const path = indexFile(siteHash);
  const answer = await reader.read(path, ({ status, body }) =>
    status === 200 && parse(body) === undefined
      ? fail('source-invalid', `${path} is not as stxpress writes it.`)
      : undefined,
  );
  return isFailure(answer) ? answer : parse(answer.body);
}

/** Answers of parts that differ, and of the others those that come first by a hash of theirs and of the site's. */
async function choose(
  record: RecordReader,
  own: string,
  differing: ReadonlySet<number>,
  { sample, most }: VerifyOptions,
): Promise<{ answers: number; unread: number; chosen: readonly OwnFile[] }> {
  const ofDiffering: OwnFile[] = [];
  let others: (OwnFile & { readonly rank: string })[] = [];
  let [answers, unread] = [0, 0];
  const keepFirst = () => {
    others = others.sort((left, right) => (left.rank < right.rank ? -1 : 1)).slice(0, sample);
  };
  for await (const page of readFiles(record)) {
    const files = page.filter(isHashed).map((file) => ({ ...file, bucket: bucketOf(file.path) }));
    answers += files.length;
    for (const file of files)
      if (!differing.has(file.bucket)) others.push({ ...file, rank: sha256(`${own} ${file.path}`) });
      else if (ofDiffering.length < most) ofDiffering.push(file);
      else unread++;
    if (others.length > 2 * sample) keepFirst();
  }
  keepFirst();
  return { answers, unread, chosen: [...ofDiffering, ...others] };
}

/** An answer with another status is at its path, or where there are no rules but files, at that of its file. */
async function stateOf(
  { path, hash }: OwnFile,
  reader: PoliteReader,
): Promise<'same' | 'missing' | 'differs' | Failure> {
  const [, status, answered] = new RegExp(`^${ERRORS_FOLDER}/(\\d+)/(.*)$`).exec(path) ?? [];
  const paths = [...(answered === undefined ? [] : [[answered, Number(status)] as const]), [path, 200] as const];
  for (const [answeredPath, expected] of paths) {
    const answer = await reader.read(answeredPath.split('/').map(encodeURIComponent).join('/'));
    if (isFailure(answer)) return answer;
    if (answer.status === expected) return sha256(answer.body) === hash ? 'same' : 'differs';
    if (answer.status !== 404) return 'differs';
  }
  return 'missing';
}

function toHex(bucket: number): string {
  return bucket.toString(16).padStart(2, '0');
}

function sha256(data: string | Buffer): string {
  return hashOnce('sha256', data);
}
