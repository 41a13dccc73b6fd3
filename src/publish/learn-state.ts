// Determines which files a target has. Uses the local record if it has the target's generation, and otherwise reads the
// target.

import { stop } from '#model/failure.ts';
import { readValues } from '#sqlite/info.ts';
import { lockFailure, type PublishLock, readLock } from './lock.ts';
import { LIST_KEY, STATE_FOLDER } from './own-objects.ts';
import { parseList } from './published-list.ts';
import { clearPublished, markAllUnknown, notePublished, type Published } from './published-record.ts';
import { headerRules, type PublishedSite, readSite } from './published-site.ts';
import type { PublishOptions } from './target.ts';

export interface LearnedState {
  readonly site: PublishedSite | undefined;
  /** The chain of the published site; undefined for a target without a site, and for a site without a chain id. */
  readonly chainId: number | undefined;
  /** The lock that an interrupted publish left; undefined if the target is not locked. */
  readonly lock: PublishLock | undefined;
  /** The token of `lock`, if this machine took that lock. */
  readonly token: string | undefined;
}

/** Reads the state of the target, and updates the local record to match it. Throws FailureError. */
export async function learnState(published: Published, options: PublishOptions): Promise<LearnedState> {
  const { target, takeOver, reporter } = options;
  const lock = await readLock(target);
  const site = await readSite(target);
  const { generation } = await readValues(published);
  const isOurs = lock !== undefined && lock.token === generation;
  if (lock !== undefined && !isOurs && !takeOver) throw lockFailure(target, lock);
  const isCurrent = site !== undefined && site.generation === generation && (lock === undefined || isOurs);
  if (!isCurrent) {
    await clearPublished(published);
    await noteStored(published, { site, lock }, options);
  }
  // If the header rules changed, stored objects may have outdated headers, so all are sent again.
  if (site?.headerRules !== headerRules()) await markAllUnknown(published);
  if (lock !== undefined)
    reporter.info(isOurs ? 'Continuing an interrupted publish' : `Continuing the publish of ${lock.by}`);
  const token = isOurs ? lock.token : undefined;
  return { site, chainId: site?.chainId, lock, token };
}

/** Notes the files that the target lists. */
async function noteStored(
  published: Published,
  { site, lock }: Pick<LearnedState, 'site' | 'lock'>,
  options: PublishOptions,
): Promise<void> {
  const { target, reporter } = options;
  const list = await target.read(LIST_KEY);
  if (list !== undefined) {
    for await (const page of parseList(target, list)) await notePublished(published, page);
    return;
  }
  if (site !== undefined)
    reporter.warn(
      `The list of published files in ${target.name} is missing: all files are uploaded again, and none is removed. ` +
        'Files of earlier builds stay.',
    );
  else if (lock === undefined) await checkIsEmpty(options);
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
