// Begins with a storage to which nothing was published: what is there is somebody's, unless it is to be adopted.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stop } from '#model/failure.ts';
import type { Reporter } from '#model/reporter.ts';
import { addPublished, type Published, readBuiltAmong } from '#store/published.ts';
import type { Target } from './target.ts';

export interface BeginOptions {
  /** The output folder of the build. */
  readonly out: string;
  readonly target: Target;
  /** Count what is there for published where it has the bytes of the build. */
  readonly adopt: boolean;
  /** Whether still no publisher was ever there. */
  readonly isNew: () => Promise<boolean>;
  readonly reporter: Reporter;
}

/** Throws FailureError `target-foreign`, and nothing was changed. */
export async function beginPublishing(published: Published, options: BeginOptions): Promise<void> {
  const { out, target, adopt, isNew, reporter } = options;
  if (!adopt) {
    for await (const [one] of target.list({ isAny: true })) {
      // Another shard may have begun meanwhile; it writes its lock first.
      if (one !== undefined && (await isNew()))
        throw stop(
          'target-foreign',
          `${target.name} holds files that stxpress did not publish, such as ${one.key}. Nothing was changed. Name an ` +
            'empty one or another prefix; or with --adopt, files that have the bytes of the build count as published.',
        );
      return;
    }
    return;
  }
  let done = 0;
  for await (const listed of target.list()) {
    const tags = new Map(listed.map(({ key, md5 }) => [key, md5]));
    const built = await readBuiltAmong(published, [...tags.keys()]);
    await addPublished(
      published,
      built.filter(({ path }) => tags.get(path) === md5Of(join(out, path))),
    );
    done += listed.length;
    reporter.progress({ task: 'adopt', done, unit: 'items' });
  }
}

/** Hex; of a file that is not there, one that no file has. */
function md5Of(path: string): string {
  try {
    return createHash('md5').update(readFileSync(path)).digest('hex');
  } catch {
    return '';
  }
}
