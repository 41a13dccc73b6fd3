// Works off the image jobs: our own copy of each image that a document names, one however many tokens share it.

import { hasImage, keepImage } from '#image/image-folder.ts';
import { processImage } from '#image/process-image.ts';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import type { Reporter } from '#model/reporter.ts';
import { touchContractOfDeploy } from '#store/contracts.ts';
import { readDocuments } from '#store/documents.ts';
import { deploysNaming, imagesFailedWith, readImages, writeImage } from '#store/images.ts';
import { nextRevision, type Store } from '#store/index-database.ts';
import { deleteJob, insertJobs, type Job, makeDue } from '#store/jobs.ts';
import { readToken } from '#store/tokens.ts';
import { resolveUri } from '#uri/resolve-uri.ts';
import type { UriFetcher } from '#uri/uri-fetcher.ts';
import { type Outcome, settleAttempt, type WorkSummary, workOffJobs } from './work-off-jobs.ts';

export interface ImageOptions {
  /** Where copies are kept. */
  readonly folder: string;
  /** Undefined for an offline run: only images in data: URIs are read, the others settled as not to be fetched. */
  readonly fetcher: UriFetcher | undefined;
  readonly concurrency: number;
  readonly maxImageBytes: number;
  readonly maxImagePixels: number;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
}

/** A broken image costs the image, never the token. */
export async function fetchImages(store: Store, options: ImageOptions): Promise<WorkSummary> {
  if (options.fetcher !== undefined) await queueOfflineAgain(store);
  // Without a network there is nothing to wait for: what was put off is settled too.
  else await store.transaction().execute((transaction) => makeDue(transaction, 'fetch-image'));
  return workOffJobs(store, { ...options, kind: 'fetch-image', task: 'images' }, (job) =>
    imageJob(store, job, options),
  );
}

/** What an offline run had settled is copied after all. */
async function queueOfflineAgain(store: Store): Promise<void> {
  await store.transaction().execute(async (transaction) => {
    const settled = await imagesFailedWith(transaction, 'offline');
    await insertJobs(
      transaction,
      settled.map((document) => ({ kind: 'fetch-image' as const, ...document })),
    );
  });
}

async function imageJob(store: Store, job: Job, options: ImageOptions): Promise<Outcome> {
  const token = await readToken(store, job.tokenId);
  const documents = (await readDocuments(store, [job.tokenId])).get(job.tokenId) ?? [];
  const uri = documents.find((document) => document.locale === job.locale)?.document?.image;
  if (token === undefined || uri === undefined) {
    await store.transaction().execute((transaction) => deleteJob(transaction, job.jobId));
    return undefined;
  }
  const known = (await readImages(store, [uri])).get(uri);
  const copy = known?.copy !== undefined && hasImage(options.folder, known.copy) ? known.copy : undefined;
  if (copy !== undefined) {
    // Whoever names it has been answered with it since the copy was made, or since it was named.
    await store.transaction().execute((transaction) => deleteJob(transaction, job.jobId));
    return 'done';
  }
  const result = await copyImage(uri, options);
  if (options.signal.aborted) return undefined;
  await store.transaction().execute(async (transaction) => {
    const failure = isFailure(result) ? result : undefined;
    await settleAttempt(transaction, job, failure);
    if (failure?.failure === 'host-held') return;
    const revision = await nextRevision(transaction);
    await writeImage(transaction, uri, result, revision);
    // Every token that shares the image is answered anew.
    for (const deployId of await deploysNaming(transaction, uri))
      await touchContractOfDeploy(transaction, deployId, revision);
  });
  if (!isFailure(result)) return 'done';
  // Settled as not to be fetched: that is no attempt.
  return result.failure === 'offline' ? undefined : 'failed';
}

/** Fetches, checks and keeps an image. */
async function copyImage(uri: string, options: ImageOptions): Promise<{ sha256: string; extension: string } | Failure> {
  const bytes = await bytesOf(uri, options);
  if (isFailure(bytes)) return bytes;
  if (bytes.length > options.maxImageBytes) return fail('too-large');
  const image = await processImage(bytes, options.maxImagePixels, options.signal);
  if (isFailure(image)) return image;
  // The file first: a row without its file would be served as a link to nothing.
  keepImage(options.folder, image);
  return { sha256: image.sha256, extension: image.extension };
}

async function bytesOf(uri: string, { fetcher, maxImageBytes, signal }: ImageOptions): Promise<Uint8Array | Failure> {
  const resolved = resolveUri(uri);
  if (isFailure(resolved)) return resolved;
  if (resolved.kind === 'inline') return resolved.bytes;
  if (fetcher === undefined) return fail('offline');
  const answer = await fetcher.fetch(uri, { maxBytes: maxImageBytes, signal });
  return isFailure(answer) ? answer : answer.bytes;
}
