// Begins with a storage to which nothing was published: files that are there are refused, or adopted as published where
// they have the bytes of the build.

import { Budget } from '#concurrency/budget.ts';
import { stop } from '#model/failure.ts';
import { objectHeaders } from '#serving/object-headers.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { STATE_FOLDER } from './own-objects.ts';
import { notePublished, type Published, readBuiltAmong } from './published.ts';
import { readFiles } from './read-files.ts';
import type { PublishOptions } from './target.ts';

/** `isNew`: whether still no publisher was ever there. Throws FailureError `target-foreign`, and nothing was changed. */
export async function adoptFiles(
  published: Published,
  { out, target, concurrency, adopt, reporter }: PublishOptions,
  isNew: () => Promise<boolean>,
): Promise<void> {
  const atOnce = new Budget(concurrency);
  let done = 0;
  for await (const keys of target.list()) {
    const foreign = keys.find((key) => !key.startsWith(STATE_FOLDER));
    if (!adopt && foreign !== undefined) {
      // Another shard may have begun meanwhile; it writes its lock first.
      if (!(await isNew())) return;
      throw stop(
        'target-foreign',
        `${target.name} holds files that stxpress did not publish, such as ${foreign}. Nothing was changed. Name an ` +
          'empty one or another prefix; or with --adopt, files that are as the build has them count as published.',
      );
    }
    const files = await readBuiltAmong(published, keys);
    const adopted = files.map((file) =>
      atOnce.use(async () => {
        const [body] = readFiles({ out, files: [file] });
        const { path: key } = file;
        return body && (await target.has({ key, body, headers: objectHeaders(key, SITE_RULES) })) ? file : [];
      }),
    );
    await notePublished(published, (await Promise.all(adopted)).flat());
    done += keys.length;
    if (adopt) reporter.progress({ task: 'adopt', done, unit: 'items' });
  }
}
