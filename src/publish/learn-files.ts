// Determines which files a target has. Uses the local record if no other publisher began since, and otherwise lists the
// target.

import { hash } from 'node:crypto';
import { join } from 'node:path';
import { readIntact } from '#files/read-if-exists.ts';
import { stop } from '#model/failure.ts';
import { readValues } from '#sqlite/info.ts';
import { clearPublished, markAllUnknown, notePublished, type Published, readBuilt } from './published-record.ts';
import { isSiteFile } from './site-files.ts';
import {
  headerRules,
  type PublishedState,
  type PublishOptions,
  readPublisher,
  STATE_FOLDER,
  type Target,
  writePublisher,
} from './target.ts';

/**
 * Updates the local record to match the target. Returns true if the record was current. Otherwise, claims the target for
 * this generation before it lists the objects: another publisher that writes after the claim notices it. Throws
 * FailureError.
 */
export async function learnFiles(
  published: Published,
  { state, generation }: { readonly state: PublishedState | undefined; readonly generation: string },
  options: PublishOptions,
): Promise<boolean> {
  const { target, replace, onPlanned } = options;
  const { generation: last, headerRules: lastRules } = await readValues(published);
  if (state !== undefined && state.generation === last && (await readPublisher(target)) === last) {
    // If the header rules changed, stored objects may have outdated headers, so all are sent again.
    if (lastRules !== headerRules()) await markAllUnknown(published);
    return true;
  }
  if (state === undefined && !replace) await checkIsEmpty(target);
  if (onPlanned === undefined) await writePublisher(target, generation);
  await listFiles(published, state, options);
  return false;
}

/** Throws FailureError `target-foreign` if the target has files of another program. */
async function checkIsEmpty(target: Target): Promise<void> {
  for await (const objects of target.list()) {
    const foreign = objects.find(({ key }) => !key.startsWith(STATE_FOLDER));
    if (foreign === undefined) continue;
    throw stop(
      'target-foreign',
      `${target.name} holds files that stxpress did not publish, such as ${foreign.key}. Nothing was changed. Use an ` +
        'empty target or another prefix. With --replace, files at paths of a site are replaced or removed, and the ' +
        'others stay.',
    );
  }
}

/** Records the listed objects at paths that a build can write. The content of an object is known if it is the build's. */
async function listFiles(
  published: Published,
  state: PublishedState | undefined,
  { target, out, reporter }: PublishOptions,
): Promise<void> {
  await clearPublished(published);
  if (state !== undefined)
    reporter.info(`The local record does not match ${target.name}, so the published files are listed`);
  let done = 0;
  for await (const objects of target.list()) {
    const keys = objects.map(({ key }) => key);
    const built = await readBuilt(published, keys);
    const files = objects.flatMap(({ key, bytes, tag }) => {
      const file = built.get(key);
      if (file === undefined) return isSiteFile(key) ? [{ path: key, sha256: undefined }] : [];
      // Objects may have other headers if the rules changed.
      const mayBeSame = state?.headerRules === headerRules() && file.bytes === bytes;
      const isSame = mayBeSame && md5Of(join(out, key), file.sha256) === tag;
      return [{ path: key, sha256: isSame ? file.sha256 : undefined }];
    });
    await notePublished(published, files);
    done += objects.length;
    reporter.progress({ task: 'publish', done, unit: 'items', detail: 'published files' });
  }
}

/** Returns the MD5 of a file in hex; undefined if the file differs from its SHA-256. */
function md5Of(path: string, sha256: string): string | undefined {
  const body = readIntact(path, sha256);
  return body && hash('md5', body, 'hex');
}
