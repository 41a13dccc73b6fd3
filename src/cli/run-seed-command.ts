// stxpress seed: writes a seed from the index and its archives.
import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { spoolFiles } from '#follow/spool.ts';
import { explainOutputError } from '#generator/open-output.ts';
import { SEED_MANIFEST } from '#layout/data-files.ts';
import { BOOKKEEPING_FOLDER } from '#layout/response-files.ts';
import { SAMPLE_CHAIN_ID } from '#model/chain.ts';
import { stop } from '#model/failure.ts';
import { makeSeed } from '#seed/make-seed.ts';
import { checkSeedFolder } from '#seed/plan-seed.ts';
import { checkArchiveExists } from '#source/event-archive/open-archive.ts';
import { takeLock } from '#sqlite/lock.ts';
import { readInfo } from '#store/index-info.ts';
import { count, formatBytes, formatCount } from '#text/format-count.ts';
import { checkWritable } from './check-writable.ts';
import { DEFAULT_SPOOL, type SettingsOf } from './options.ts';
import { SAMPLE_ARCHIVE } from './run-index-command.ts';
import type { Context } from './surroundings.ts';
import { readIndex } from './use-index.ts';

type SeedSettings = SettingsOf<'seed'>;

export async function run(settings: SeedSettings, { reporter, signal, print }: Context): Promise<undefined> {
  const { db, out, spool } = settings;
  if (existsSync(join(out, '..', BOOKKEEPING_FOLDER)))
    throw stop(
      'usage',
      `--out is ${out}, which is inside a build. Choose a folder outside, such as data/seed, and include it in the site ` +
        'with build --with-seed.',
    );
  for (const path of settings.archive) checkArchiveExists(path);
  if (spool !== DEFAULT_SPOOL && !existsSync(spool)) throw stop('usage', `--spool is ${spool}, which does not exist.`);
  for (const folder of [out, dirname(resolve(out))]) checkWritable('--out', out, folder);
  await checkSeedFolder(out);
  using _lock = takeLock(`${resolve(out)}.lock`, `writing the seed ${out}`);
  const made = await readIndex(db, (store) =>
    store
      .transaction()
      .setAccessMode('read only')
      .execute(async (reader) => {
        const isSample = (await readInfo(reader)).chainId === SAMPLE_CHAIN_ID;
        const archives = archivesOf(settings, isSample);
        return makeSeed(reader, { archives, out, reporter, signal }).catch((error) => {
          throw explainOutputError(error, out);
        });
      }),
  );
  const { manifest, written, writtenBytes, kept } = made;
  const { hash = '', last = 0 } = manifest.parts.at(-1) ?? {};
  const bytes = manifest.parts.reduce((sum, part) => sum + part.bytes, 0);
  print(
    [
      `${count(written, 'part')} written (${formatBytes(writtenBytes)}), ${formatCount(kept)} unchanged.`,
      `The seed ${out} has ${formatBytes(bytes)} up to height ${formatCount(last)}. Its hash is ${hash}.`,
    ].join('\n'),
  );
}

/** Returns the named archives, and the files of the spool. An index of the sample has the archive of the sample. */
function archivesOf({ archive, spool, out }: SeedSettings, isSample: boolean): string[] {
  const all = existsSync(spool) ? spoolFiles(spool).map((name) => join(spool, name)) : [];
  // A full disk may leave an empty file.
  const spooled = all.filter((path) => statSync(path).size > 0);
  const archives = [...(isSample ? [SAMPLE_ARCHIVE] : []), ...archive, ...spooled];
  // A complete seed needs no archives.
  if (archives.length > 0 || existsSync(join(out, SEED_MANIFEST))) return archives;
  throw stop('usage', `Name the archives of the index with --archive. The folder ${spool} has no spool of follow.`);
}
