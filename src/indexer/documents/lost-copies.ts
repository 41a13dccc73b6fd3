// Finds image copies whose files are missing or have the wrong size, as after a power cut or a restore.
import { hasFile } from '#image/image-folder.ts';
import { filesOfCopy } from '#model/image-file.ts';
import type { Reporter } from '#model/reporter.ts';
import type { StoreReader, StoreWriter } from '#store/index-database.ts';
import { changedCopies, forgetCopies, readImageFiles } from '#store/tokens/images.ts';
import { fetchJobs, insertJobs } from '#store/work/jobs.ts';

interface Copy {
  readonly sha256: string;
  readonly extension: string;
}

export async function findLost<C extends Copy>(store: StoreReader, folder: string, copies: readonly C[]): Promise<C[]> {
  const known = await readImageFiles(store, copies.flatMap(filesOfCopy));
  return copies.filter((copy) => !filesOfCopy(copy).every((name) => hasFile(folder, name, known.get(name)?.bytes)));
}

/** Removes lost copies from the index, and queues them to be made again. */
export async function queueLost(store: StoreWriter, folder: string, reporter: Reporter): Promise<void> {
  const copies = (await changedCopies(store, 0)).flatMap(({ sha256, extension }) =>
    extension === undefined ? [] : [{ sha256, extension }],
  );
  const lost = await findLost(store, folder, copies);
  if (lost.length === 0) return;
  reporter.warn(
    `${lost.length} of ${copies.length} image copies are missing from ${folder} or truncated; they will be made again.`,
  );
  const documents = await forgetCopies(
    store,
    lost.map(({ sha256 }) => sha256),
  );
  await insertJobs(store, fetchJobs('fetch-image', documents), { dueNow: true });
}
