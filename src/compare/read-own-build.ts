// Opens the record of a finished build, to compare its answers with those of a site.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stop } from '#model/failure.ts';
import { bucketOf, type SiteHash } from '#model/site-hash.ts';
import { readSiteHash } from '#press/plan-site-hash.ts';
import { openBuildRecord, type RecordedFile } from '#press/record/build-record.ts';
import { hasPlan } from '#press/record/changes.ts';
import { readFiles } from '#press/record/recorded-files.ts';
import { isHashed } from '#press/site-files.ts';
import { BOOKKEEPING_FOLDER } from '#serving/layout.ts';
import { commandLine, shellQuote } from '#text/command-line.ts';

export interface OwnBuild {
  readonly site: SiteHash;
  /** The answers that its hash covers, by path. */
  files(): AsyncGenerator<OwnFile[]>;
}

export interface OwnFile extends Pick<RecordedFile, 'path' | 'hash'> {
  readonly bucket: number;
}

/** For as long as it is used. Throws FailureError `dist-missing`. */
export async function readOwnBuild<Result>(out: string, use: (build: OwnBuild) => Promise<Result>): Promise<Result> {
  const path = join(out, BOOKKEEPING_FOLDER, 'record.sqlite');
  const build = commandLine('build', `--out ${shellQuote(out)}`);
  if (!existsSync(path)) throw stop('dist-missing', `There is no build in ${out}. Make one with: ${build}`);
  const record = await openBuildRecord(path, { readOnly: true });
  try {
    if (await hasPlan(record))
      throw stop('dist-missing', `The last build of ${out} was interrupted. Finish it with: ${build}`);
    return await use({
      site: await readSiteHash(record),
      async *files() {
        for await (const files of readFiles(record))
          yield files.filter(isHashed).map(({ path, hash }) => ({ path, hash, bucket: bucketOf(path) }));
      },
    });
  } finally {
    await record.destroy();
  }
}
