// Opens the old index, which a rebuild renamed, so that the new index can reuse its documents and images.
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Reporter } from '#model/reporter.ts';
import { newestKept } from '#sqlite/keep-database.ts';
import type { Store } from '#store/index-database.ts';
import { readInfo, writeInfo } from '#store/index-info.ts';
import { type OldIndex, openOldIndex } from '#store/old-index.ts';
import type { SettingsOf } from './options.ts';

/**
 * Returns the old index until all jobs of the rebuild are done, also in later runs. Returns undefined after that, or if
 * no index was renamed.
 */
export async function findOldIndex(
  store: Store,
  { db, rebuild }: Pick<SettingsOf<'index'>, 'db' | 'rebuild'>,
  reporter: Reporter,
): Promise<OldIndex | undefined> {
  const newest = rebuild ? newestKept(db) : undefined;
  if (newest !== undefined) await writeInfo(store, { oldIndex: basename(newest) });
  const { oldIndex: name } = await readInfo(store);
  const path = name === undefined ? undefined : join(dirname(db), basename(name));
  if (path === undefined || !existsSync(path)) return undefined;
  const oldIndex = openOldIndex(path, reporter);
  if (oldIndex.isReadable) return oldIndex;
  await writeInfo(store, { oldIndex: undefined });
  return undefined;
}
