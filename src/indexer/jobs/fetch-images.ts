// The jobs that copy images: one copy of each image that a document names, however many tokens share it.
import { hasImage, keepImage } from '#image/image-folder.ts';
import { type Failure, fail, isFailure, wasTried } from '#model/failure.ts';
import { isHtmlPage } from '#model/html-page.ts';
import type { Job } from '#model/job.ts';
import { imagesFailedWith, readImages, readImageUri, writeImage } from '#store/images.ts';
import type { Store, StoreWriter } from '#store/index-database.ts';
import { deleteJobs } from '#store/jobs.ts';
import { resolveUri } from '#uri/resolve-uri.ts';
import type { UriFetcher } from '#uri/uri-fetcher.ts';
import type { JobContext } from './job-context.ts';
import { type JobWorker, type Outcome, oneByOne } from './job-worker.ts';
import { prepareFetches } from './prepare-fetches.ts';
import { settleAttempt } from './settle-attempt.ts';

export interface ImageOptions {
  /** Where copies are kept. */
  readonly folder: string;
  readonly fetcher: UriFetcher;
  readonly maxImageBytes: number;
  readonly maxImagePixels: number;
}

const DATA_URI = /^\s*data:/i;

type CopyResult = { readonly sha256: string; readonly extension: string } | Failure;
/** The copy, or why there is none; or nothing to copy; or a copy that exists already. */
type Copied = { readonly uri: string; readonly result: CopyResult } | 'nothing' | 'kept';

/** A broken image costs the image, never the token. */
export function fetchImages({ store, options, signal }: JobContext): JobWorker<'fetch-image', Copied> | undefined {
  const { images, concurrency } = options;
  if (images === undefined) return undefined;
  // Tokens that share an image often arrive together: fetch it once.
  const copies = new Map<string, Promise<CopyResult>>();
  const copyOnce = (uri: string): Promise<CopyResult> => {
    // A data: URI needs no fetch and is too long for a key.
    if (DATA_URI.test(uri)) return copyImage(uri, images, signal);
    const copying = copies.get(uri) ?? copyImage(uri, images, signal);
    copies.set(uri, copying);
    return copying.then((result) => {
      if (isFailure(result)) copies.delete(uri);
      return result;
    });
  };
  return {
    kind: 'fetch-image',
    task: 'images',
    concurrency,
    prepare: (transaction) => prepareFetches(transaction, 'fetch-image', images.fetcher, imagesFailedWith),
    work: (job) => workOn(store, job, images.folder, copyOnce),
    settle: oneByOne(settle),
  };
}

async function workOn(
  store: Store,
  job: Job<'fetch-image'>,
  folder: string,
  copyOnce: (uri: string) => Promise<CopyResult>,
): Promise<Copied> {
  const uri = await readImageUri(store, job);
  if (uri === undefined) return 'nothing';
  const known = (await readImages(store, [uri])).get(uri);
  if (known?.copy !== undefined && !known.isStale && hasImage(folder, known.copy)) return 'kept';
  return { uri, result: await copyOnce(uri) };
}

async function settle(store: StoreWriter, job: Job<'fetch-image'>, copied: Copied): Promise<Outcome> {
  if (copied === 'nothing' || copied === 'kept') {
    await deleteJobs(store, [job.jobId]);
    return copied === 'kept' ? 'done' : undefined;
  }
  const { uri, result } = copied;
  // The document may name another image by now, which is copied next.
  if ((await readImageUri(store, job)) !== uri) return undefined;
  const failure = isFailure(result) ? result : undefined;
  await settleAttempt(store, job, failure);
  if (failure !== undefined && !wasTried(failure)) return 'failed';
  await writeImage(store, uri, result);
  if (failure?.code === 'offline') return 'offline';
  return failure === undefined ? 'done' : 'failed';
}

/** Fetches, checks and keeps an image. */
async function copyImage(uri: string, options: ImageOptions, signal: AbortSignal): Promise<CopyResult> {
  const bytes = await bytesOf(uri, options, signal);
  if (isFailure(bytes)) return bytes;
  if (bytes.length > options.maxImageBytes) return fail('too-large');
  // Loaded on demand: not every run has images.
  const { processImage } = await import('#image/process-image.ts');
  const image = await processImage(bytes, options.maxImagePixels, signal);
  if (isFailure(image)) {
    // The image in a data: URI never changes.
    if (DATA_URI.test(uri)) return { ...image, retryable: false };
    return isHtmlPage(Buffer.from(bytes).toString('latin1', 0, 200)) ? fail('html-page') : image;
  }
  // The file first: a row without its file would be a dead link.
  keepImage(options.folder, image);
  return { sha256: image.sha256, extension: image.extension };
}

async function bytesOf(
  uri: string,
  { fetcher, maxImageBytes }: ImageOptions,
  signal: AbortSignal,
): Promise<Uint8Array | Failure> {
  const resolved = resolveUri(uri);
  if (isFailure(resolved)) return resolved;
  if (resolved.kind === 'inline') return resolved.bytes;
  const answer = await fetcher.fetch(uri, { maxBytes: maxImageBytes, signal });
  return isFailure(answer) ? answer : answer.bytes;
}
