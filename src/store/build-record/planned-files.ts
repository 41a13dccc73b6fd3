// Reads which files the output folder will have once the changes under way are in place.
import { inPages } from '../lists.ts';
import type { BuildRecord, RecordedFile, RecordWriter } from './build-record.ts';

const FILES_PER_READ = 5_000;

/** In the order of the paths. */
export async function* readPlannedFiles(
  record: BuildRecord | RecordWriter,
): AsyncGenerator<Pick<RecordedFile, 'path' | 'bytes' | 'hash'>[]> {
  const pages = inPages(
    (after) => {
      const kept = record
        .selectFrom('file')
        .select(['path', 'bytes', 'sha256'])
        .where('path', '>', after)
        .where((eb) =>
          eb.not(eb.exists(eb.selectFrom('change').select('path').whereRef('change.path', '=', 'file.path'))),
        );
      return record
        .selectFrom('change')
        .select(['path', 'bytes', 'sha256'])
        .where('action', '=', 'write')
        .where('path', '>', after)
        .unionAll(kept)
        .orderBy('path')
        .limit(FILES_PER_READ)
        .execute();
    },
    (row) => row.path,
    '',
  );
  for await (const rows of pages)
    yield rows.map(({ path, bytes, sha256 }) => ({ path, bytes, hash: sha256?.toString('hex') ?? '' }));
}
