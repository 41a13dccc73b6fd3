// Determines which files a target has. Uses the local record if it has the target's generation, and otherwise reads the
// target.

import { stop } from '#model/failure.ts';
import { readValues } from '#sqlite/info.ts';
import { obsoleteKeys, readEarlierState, readLocks } from './earlier-state.ts';
import { lockFailure, type PublishLock } from './lock.ts';
import { LIST_KEY, STATE_FOLDER } from './own-objects.ts';
import { parseList } from './published-list.ts';
import { clearPublished, type KnownFile, markAllUnknown, notePublished, type Published } from './published-record.ts';
import { headerRules, type PublishedSite, readSite } from './published-site.ts';
import type { PublishOptions, Target } from './target.ts';

export interface LearnedState {
  readonly site: PublishedSite | undefined;
  /** The chain of the published site; undefined for a target without a site, and for a site without a chain id. */
  readonly chainId: number | undefined;
  /** The lock that an interrupted publish left; undefined if the target is not locked. */
  readonly lock: PublishLock | undefined;
  /** The token of `lock`, if this machine took that lock. */
  readonly token: string | undefined;
  /** Keys of obsolete objects, which a publish removes at its end. */
  readonly obsolete: readonly string[];
}

/** Reads the state of the target, and updates the local record to match it. Throws FailureError. */
export async function learnState(published: Published, options: PublishOptions): Promise<LearnedState> {
  const { target, takeOver, reporter } = options;
  const keys = (await Array.fromAsync(target.list(STATE_FOLDER))).flat();
  const locks = await readLocks(target, keys);
  const [lock] = locks;
  const site = await readSite(target);
  const { generation } = await readValues(published);
  const isOurs = lock !== undefined && lock.token === generation;
  if (lock !== undefined && !isOurs && !takeOver) throw lockFailure(target, lock);
  const earlier = site === undefined ? await readEarlierState(target, keys) : undefined;
  const isCurrent = site !== undefined && site.generation === generation && (lock === undefined || isOurs);
  if (!isCurrent) {
    await clearPublished(published);
    await noteStored({ published, site, locks, files: await readKnownFiles(target, earlier?.files) }, options);
  }
  // If the header rules changed, stored objects may have outdated headers, so all are sent again.
  if (site?.headerRules !== headerRules()) await markAllUnknown(published);
  if (lock !== undefined)
    reporter.info(isOurs ? 'Continuing an interrupted publish' : `Continuing the publish of ${lock.by}`);
  const token = isOurs ? lock.token : undefined;
  return { site, chainId: (site ?? earlier)?.chainId, lock, token, obsolete: obsoleteKeys(keys) };
}

type Files = AsyncIterable<readonly KnownFile[]>;

/** Reads the files that the target lists; undefined if it has neither a list nor a snapshot of an earlier version. */
async function readKnownFiles(target: Target, earlier: Files | undefined): Promise<Files | undefined> {
  // If the target has both a list and a snapshot, the list is newer.
  const list = await target.read(LIST_KEY);
  return list === undefined ? earlier : parseList(target, LIST_KEY, list);
}

interface Stored {
  readonly published: Published;
  readonly site: PublishedSite | undefined;
  readonly locks: readonly PublishLock[];
  readonly files: Files | undefined;
}

async function noteStored({ published, site, locks, files }: Stored, options: PublishOptions): Promise<void> {
  const { target, reporter } = options;
  if (files !== undefined) for await (const page of files) await notePublished(published, page);
  const unknown = locks.flatMap(({ paths }) => paths.map((path) => ({ path, sha256: undefined })));
  await notePublished(published, unknown);
  if (files !== undefined) return;
  if (site !== undefined)
    reporter.warn(
      `The list of published files in ${target.name} is missing: all files are uploaded again, and none is removed. ` +
        'Files of earlier builds stay.',
    );
  else if (locks.length === 0) await checkIsEmpty(options);
}

/** Throws FailureError `target-foreign` if the target has files of another program, unless `replace` is set. */
async function checkIsEmpty({ target, replace }: PublishOptions): Promise<void> {
  if (replace) return;
  for await (const keys of target.list()) {
    const foreign = keys.find((key) => !key.startsWith(STATE_FOLDER));
    if (foreign === undefined) continue;
    throw stop(
      'target-foreign',
      `${target.name} holds files that stxpress did not publish, such as ${foreign}. Nothing was changed. Use an ` +
        'empty target or another prefix. With --replace, files with the same names are replaced, and the others stay.',
    );
  }
}
