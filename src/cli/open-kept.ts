// Opens the index that a rebuild set aside, so that a run reuses the data that was fetched for it.
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Reporter } from '#model/reporter.ts';
import { newestKept } from '#sqlite/keep-database.ts';
import type { Store } from '#store/index-database.ts';
import { readInfo, writeInfo } from '#store/index-info.ts';
import { type KeptIndex, openKeptIndex } from '#store/kept-index.ts';
import type { SettingsOf } from './options.ts';

/** A later run continues with the same file, until a run has finished all jobs of the rebuild. */
export async function openKept(
  store: Store,
  { db, rebuild }: Pick<SettingsOf<'index'>, 'db' | 'rebuild'>,
  reporter: Reporter,
): Promise<KeptIndex | undefined> {
  const newest = rebuild ? newestKept(db) : undefined;
  if (newest !== undefined) await writeInfo(store, { rebuiltFrom: basename(newest) });
  const { rebuiltFrom } = await readInfo(store);
  const path = rebuiltFrom === undefined ? undefined : join(dirname(db), basename(rebuiltFrom));
  if (path === undefined || !existsSync(path)) return undefined;
  const kept = openKeptIndex(path, reporter);
  if (kept.isReadable) return kept;
  await writeInfo(store, { rebuiltFrom: undefined });
  return undefined;
}
