// Jobs that copy images. Tokens with the same image URI share a copy.

import { createImageDecoder, type DecodedImage } from '#image/image-decoder.ts';
import { hasFile, removeUnfinished, storeImage, syncImages } from '#image/image-folder.ts';
import { filesOfCopy, type ImageFile } from '#layout/image-files.ts';
import { type Failure, fail, isFailure, isInconclusive, wasTried } from '#model/failure.ts';
import type { Job } from '#model/job.ts';
import type { Reporter } from '#model/reporter.ts';
import type { StoreReader, StoreWriter } from '#store/index-database.ts';
import type { OldIndex } from '#store/old-index.ts';
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
import type { Fetched } from '#uri/uri-fetcher.ts';
import { dropJob, endAttempt } from '../runner/end-attempt.ts';
import { type JobWorker, type Outcome, oneByOne } from '../runner/job-worker.ts';
import type { JobContext } from './job-context.ts';
import { reuseImage } from './reuse.ts';

const DATA_URI = /^\s*data:/i;

type CopyResult = NewCopy | Failure;
type KnownCopy = Omit<NewCopy, 'files'> | undefined;
/** A copy, a failure, `nothing` if the document has no image, or `intact` if the stored copy needs no fetch. */
type Copied =
  | {
      readonly uri: string;
      readonly result: CopyResult;
      readonly failure?: Failure | undefined;
      readonly isReused?: true;
    }
  | 'nothing'
  | 'intact';

/** Opens the worker. If an image fails, the values and the document of its token stay valid. */
export function fetchImages({ store, options, signal }: JobContext): JobWorker<'fetch-image', Copied> | undefined {
  const { images } = options;
  if (images === undefined) return undefined;
  // Copies in progress or not stored yet, by URI. Tokens that share an image are often processed together.
  const copies = new Map<string, Promise<CopyResult>>();
  const { folder, fetcher, maxImageBytes, maxImagePixels } = images;
  const decoder = createImageDecoder(maxImagePixels);
  signal.addEventListener('abort', () => decoder.close());
  return {
    kind: 'fetch-image',
    task: 'images',
    prepare: async (transaction) => {
      if (fetcher.isOffline) await makeDue(transaction, 'fetch-image');
      else await queueFetches(transaction, 'fetch-image', documentsWithImage(transaction, 'failure_code', ['offline']));
      removeUnfinished(folder);
      await queueLost(transaction, folder, options.reporter);
    },
    async work(job) {
      const uri = await readImageUri(store, job);
      if (uri === undefined) return 'nothing';
      const stored = (await readImages(store, [uri])).get(uri);
      const reused = stored === undefined ? await reuseImage(store, options.oldIndex, job.tokenId, uri) : undefined;
      if (reused !== undefined && (reused.copy === undefined || reused.copy.files.every(isInFolder)))
        return { uri, result: reused.copy ?? reused.failure, failure: reused.failure, isReused: true };
      const { copy, isStale, ...validators } = stored ?? {};
      const isThere = copy !== undefined && (await findLost(store, folder, [copy])).length === 0;
      if (isThere && !isStale) return 'intact';
      return { uri, result: await copyOnce(uri, isThere ? { ...validators, ...copy } : undefined) };
    },
    // Syncs files before their rows are stored, because a power cut could otherwise leave a row without its file.
    sync: async (finished) => {
      if (finished.some(({ result }) => typeof result === 'object' && !isFailure(result.result)))
        await syncImages(folder);
    },
    save: oneByOne((transaction, job, copied) => {
      if (typeof copied === 'object') copies.delete(copied.uri);
      return save(transaction, job, copied, options.oldIndex);
    }),
    close: async () => decoder.close(),
  };

  function isInFolder({ name, bytes }: ImageFile): boolean {
    return hasFile(folder, name, bytes);
  }

  async function copyOnce(uri: string, known: KnownCopy): Promise<CopyResult> {
    // A data: URI is too long to be a key, and needs no fetch.
    if (DATA_URI.test(uri)) return copyImage(uri, known);
    const copying = copies.get(uri) ?? copyImage(uri, known);
    copies.set(uri, copying);
    const result = await copying;
    if (isFailure(result)) copies.delete(uri);
    return result;
  }

  /** Copies an image. Returns the `known` copy if the server reports that the image is unchanged. */
  async function copyImage(uri: string, known: KnownCopy): Promise<CopyResult> {
    const resolved = resolveUri(uri);
    if (isFailure(resolved)) return resolved;
    const fetched =
      resolved.kind === 'inline'
        ? await decodeInline(resolved.bytes)
        : await fetcher.fetch(uri, { maxBytes: maxImageBytes, signal, known, read: decodeFetched });
    if (isFailure(fetched)) return fetched;
    const { content: image, etag, lastModified } = fetched;
    if (image === undefined) return known === undefined ? fail('http-304') : { ...known, files: [] };
    const { sha256, extension } = image;
    return { sha256, extension, etag, lastModified, files: await storeImage(folder, image) };
  }

  /** Decodes the image in a data: URI. All failures are final, because the image never changes. */
  async function decodeInline(bytes: Uint8Array): Promise<Partial<Fetched<DecodedImage>> | Failure> {
    if (bytes.length > maxImageBytes) return fail('too-large');
    const image = await decoder.decode(bytes);
    if (!isFailure(image)) return { content: image };
    return isInconclusive(image.code) ? { ...image, retryable: false } : image;
  }

  async function decodeFetched(bytes: Uint8Array): Promise<DecodedImage | Failure> {
    const image = await decoder.decode(bytes);
    return isFailure(image) && isHtmlPage(Buffer.from(bytes).toString('latin1')) ? fail('html-page') : image;
  }
}

/** Returns copies whose files are missing or have the wrong size, for example after a power cut or a restore. */
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

async function save(
  store: StoreWriter,
  job: Job<'fetch-image'>,
  copied: Copied,
  oldIndex: OldIndex | undefined,
): Promise<Outcome> {
  if (copied === 'nothing') return dropJob(store, job);
  if (copied === 'intact') return endAttempt(store, job, undefined);
  const { uri, result } = copied;
  // The document may have another image by now. Then the job stays queued to copy that image.
  if ((await readImageUri(store, job)) !== uri) return undefined;
  const failure = copied.failure ?? (isFailure(result) ? result : undefined);
  const outcome = await endAttempt(store, job, failure);
  // If several tokens share the image, it is counted only once.
  if (copied.isReused && oldIndex !== undefined && !(await readImages(store, [uri])).has(uri)) oldIndex.reused.images++;
  if (!isFailure(result)) await writeImage(store, uri, result);
  if (failure !== undefined && wasTried(failure)) await writeImage(store, uri, failure);
  return copied.isReused ? undefined : outcome;
}
