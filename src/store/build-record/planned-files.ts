// Reads which files the output folder will have once the changes under way are in place, and how many there are.
import { sql } from 'kysely';
import { inPages } from '../lists.ts';
import type { BuildRecord, RecordedFile, RecordWriter } from './build-record.ts';

type Reader = BuildRecord | RecordWriter;

/** As far as hosts limit it. */
export interface PlannedTotals {
  readonly files: number;
  readonly bytes: number;
  readonly largestFile: { readonly path: string; readonly bytes: number };
  /** The folder with the most files directly in it. */
  readonly largestFolder: { readonly path: string; readonly files: number };
}

const FILES_PER_READ = 5_000;

/** Those whose path begins with a text, in the order of the paths. */
export async function* readPlannedFiles(
  record: Reader,
  prefix = '',
): AsyncGenerator<Pick<RecordedFile, 'path' | 'bytes' | 'hash'>[]> {
  const last = prefix.slice(-1);
  // The first text behind all that begin with the prefix.
  const end = last === '' ? '\u{10ffff}' : prefix.slice(0, -1) + String.fromCharCode(last.charCodeAt(0) + 1);
  const pages = inPages(
    (after) =>
      plannedFiles(record)
        .where('path', after === '' ? '>=' : '>', after === '' ? prefix : after)
        .where('path', '<', end)
        .selectAll()
        .orderBy('path')
        .limit(FILES_PER_READ)
        .execute(),
    (row) => row.path,
    '',
  );
  for await (const rows of pages)
    yield rows.map(({ path, bytes, sha256 }) => ({ path, bytes, hash: sha256?.toString('hex') ?? '' }));
}

export async function measurePlanned(record: Reader): Promise<PlannedTotals> {
  const files = plannedFiles(record);
  const { count, bytes } = await files
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.sum<number | null>('bytes').as('bytes')])
    .executeTakeFirstOrThrow();
  const largestFile = await files.select(['path', 'bytes']).orderBy('bytes', 'desc').limit(1).executeTakeFirst();
  // All that is behind the last slash is trimmed away: it has no slash in it.
  const folder = sql<string>`rtrim(path, replace(path, '/', ''))`;
  const largestFolder = await files
    .select((eb) => [folder.as('folder'), eb.fn.countAll<number>().as('files')])
    .groupBy(folder)
    .orderBy('files', 'desc')
    .orderBy('folder')
    .limit(1)
    .executeTakeFirst();
  return {
    files: count,
    bytes: bytes ?? 0,
    largestFile: largestFile ?? { path: '', bytes: 0 },
    largestFolder: { path: largestFolder?.folder.slice(0, -1) ?? '', files: largestFolder?.files ?? 0 },
  };
}

function plannedFiles(record: Reader) {
  const kept = record
    .selectFrom('file')
    .select(['path', 'bytes', 'sha256'])
    .where((eb) => eb.not(eb.exists(eb.selectFrom('change').select('path').whereRef('change.path', '=', 'file.path'))));
  return record.selectFrom(
    record
      .selectFrom('change')
      .select(['path', 'bytes', 'sha256'])
      .where('action', '=', 'write')
      .unionAll(kept)
      .as('planned'),
  );
}
