// Jobs that copy images: one copy of each image URI, however many tokens share it.

import { createImageDecoder, type ImageDecoder } from '#image/image-decoder.ts';
import { hasFile, keepImage, removeUnfinished, syncImages } from '#image/image-folder.ts';
import { filesOfCopy } from '#layout/image-files.ts';
import { type Failure, fail, isDoubtful, isFailure, wasTried } from '#model/failure.ts';
import type { Job } from '#model/job.ts';
import type { Reporter } from '#model/reporter.ts';
import type { Store, StoreReader, StoreWriter } from '#store/index-database.ts';
import { documentsWithImage } from '#store/tokens/due-documents.ts';
import {
  changedCopies,
  forgetCopies,
  type NewCopy,
  readImageFiles,
  readImages,
  readImageUri,
  writeImage,
} from '#store/tokens/images.ts';
import { makeDue, queueFetches } from '#store/work/jobs.ts';
import { isHtmlPage } from '#text/html-page.ts';
import { resolveUri } from '#uri/resolve-uri.ts';
import type { ImageOptions } from '../index-options.ts';
import { dropJob, endAttempt } from '../runner/end-attempt.ts';
import { type JobWorker, type Outcome, oneByOne } from '../runner/job-worker.ts';
import type { JobContext } from './job-context.ts';

const DATA_URI = /^\s*data:/i;

type CopyResult = NewCopy | Failure;
/** The copy, or why there is none; `nothing` to copy; or a copy that exists already and is `kept`. */
type Copied = { readonly uri: string; readonly result: CopyResult } | 'nothing' | 'kept';

/** A broken image loses only the image, never the token. */
export function fetchImages({ store, options, signal }: JobContext): JobWorker<'fetch-image', Copied> | undefined {
  const { images } = options;
  if (images === undefined) return undefined;
  // Fetches an image once if several tokens share it, which often arrive together.
  const copies = new Map<string, Promise<CopyResult>>();
  const decoder = createImageDecoder(images.maxImagePixels);
  signal.addEventListener('abort', () => decoder.close());
  const copyOnce = (uri: string): Promise<CopyResult> => {
    // A data: URI needs no fetch and is too long for a key.
    if (DATA_URI.test(uri)) return copyImage(uri, images, decoder, signal);
    const copying = copies.get(uri) ?? copyImage(uri, images, decoder, signal);
    copies.set(uri, copying);
    return copying.then((result) => {
      if (isFailure(result)) copies.delete(uri);
      return result;
    });
  };
  return {
    kind: 'fetch-image',
    task: 'images',
    prepare: async (transaction) => {
      if (images.fetcher.isOffline) await makeDue(transaction, 'fetch-image');
      else await queueFetches(transaction, 'fetch-image', documentsWithImage(transaction, 'failure_code', ['offline']));
      removeUnfinished(images.folder);
      await queueLost(transaction, images.folder, options.reporter);
    },
    work: (job) => workOn(store, job, images.folder, copyOnce),
    // Without a sync, a power cut could leave a row without its file: a dead link.
    sync: async (finished) => {
      if (finished.some(({ result }) => typeof result === 'object' && !isFailure(result.result)))
        await syncImages(images.folder);
    },
    save: oneByOne(save),
    close: async () => decoder.close(),
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
  if (known?.copy !== undefined && !known.isStale && (await findLost(store, folder, [known.copy])).length === 0)
    return 'kept';
  return { uri, result: await copyOnce(uri) };
}

/** Copies whose files are missing or have the wrong size, as after a power cut or a restore. */
async function findLost<C extends Pick<NewCopy, 'sha256' | 'extension'>>(
  store: StoreReader,
  folder: string,
  copies: readonly C[],
): Promise<C[]> {
  const known = await readImageFiles(store, copies.flatMap(filesOfCopy));
  return copies.filter((copy) => !filesOfCopy(copy).every((name) => hasFile(folder, name, known.get(name)?.bytes)));
}

async function queueLost(store: StoreWriter, folder: string, reporter: Reporter): Promise<void> {
  const copies = (await changedCopies(store, 0)).flatMap(({ sha256, extension }) =>
    extension === undefined ? [] : [{ sha256, extension }],
  );
  const lost = (await findLost(store, folder, copies)).map(({ sha256 }) => sha256);
  if (lost.length === 0) return;
  reporter.warn(
    `${lost.length} of ${copies.length} image copies are missing from ${folder} or truncated; they will be made again.`,
  );
  await queueFetches(store, 'fetch-image', documentsWithImage(store, 'sha256', lost), { dueNow: true });
  await forgetCopies(store, lost);
}

async function save(store: StoreWriter, job: Job<'fetch-image'>, copied: Copied): Promise<Outcome> {
  if (copied === 'nothing') return dropJob(store, job);
  if (copied === 'kept') return endAttempt(store, job, undefined);
  const { uri, result } = copied;
  // The document may name another image by now, which is copied next.
  if ((await readImageUri(store, job)) !== uri) return undefined;
  const failure = isFailure(result) ? result : undefined;
  const outcome = await endAttempt(store, job, failure);
  if (failure === undefined || wasTried(failure)) await writeImage(store, uri, result);
  return outcome;
}

async function copyImage(uri: string, options: ImageOptions, decoder: ImageDecoder, signal: AbortSignal) {
  const bytes = await bytesOf(uri, options, signal);
  if (isFailure(bytes)) return bytes;
  if (bytes.length > options.maxImageBytes) return fail('too-large');
  const image = await decoder.decode(bytes);
  if (isFailure(image)) {
    // The image in a data: URI never changes.
    if (DATA_URI.test(uri)) return isDoubtful(image.code) ? { ...image, retryable: false } : image;
    return isHtmlPage(Buffer.from(bytes).toString('latin1', 0, 200)) ? fail('html-page') : image;
  }
  return { sha256: image.sha256, extension: image.extension, files: await keepImage(options.folder, image) };
}

async function bytesOf(uri: string, { fetcher, maxImageBytes }: ImageOptions, signal: AbortSignal) {
  const resolved = resolveUri(uri);
  if (isFailure(resolved)) return resolved;
  if (resolved.kind === 'inline') return resolved.bytes;
  const answer = await fetcher.fetch(uri, { maxBytes: maxImageBytes, signal });
  return isFailure(answer) ? answer : answer.bytes;
}
