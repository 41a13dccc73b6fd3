// Opens the old index, which a rebuild renamed, so that the new index can reuse its documents and images.
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Reporter } from '#model/reporter.ts';
import { newestKept } from '#sqlite/keep-database.ts';
import { type EarlierIndex, openEarlierIndex } from '#store/earlier-index.ts';
import type { Store } from '#store/index-database.ts';
import { readInfo, writeInfo } from '#store/index-info.ts';
import type { SettingsOf } from './options.ts';

/**
 * Returns the old index until all jobs of the rebuild are done, also in later runs. Returns undefined after that, or if
 * no index was renamed.
 */
export async function openEarlier(
  store: Store,
  { db, rebuild }: Pick<SettingsOf<'index'>, 'db' | 'rebuild'>,
  reporter: Reporter,
): Promise<EarlierIndex | undefined> {
  const newest = rebuild ? newestKept(db) : undefined;
  if (newest !== undefined) await writeInfo(store, { rebuiltFrom: basename(newest) });
  const { rebuiltFrom } = await readInfo(store);
  const path = rebuiltFrom === undefined ? undefined : join(dirname(db), basename(rebuiltFrom));
  if (path === undefined || !existsSync(path)) return undefined;
  const kept = openEarlierIndex(path, reporter);
  if (kept.isReadable) return kept;
  await writeInfo(store, { rebuiltFrom: undefined });
  return undefined;
}
