// Computes the hash of a site while its build is planned, from what changes, and keeps its sums in the record.

import { AnswerSums, type SiteHash } from '#model/site-hash.ts';
import { readValues, writeValues } from '#sqlite/info.ts';
import type { RecordReader, RecordWriter } from './record/build-record.ts';
import { readReplaced } from './record/changes.ts';
import { readFiles } from './record/recorded-files.ts';
import { isHashed } from './site-files.ts';

const SUMS = 'answer_sums';

/** Once all files that it covers are planned. `isEverything`: from all files, whatever was known. */
export async function planSiteHash(record: RecordWriter, isEverything: boolean): Promise<SiteHash> {
  const { [SUMS]: known } = await readValues(record);
  const sums = new AnswerSums(isEverything ? undefined : known);
  if (isEverything || known === undefined)
    for await (const files of readFiles(record))
      for (const file of files.filter(isHashed)) sums.add(file.path, file.hash);
  for await (const changes of readReplaced(record))
    for (const { path, before, after } of changes) {
      if (before !== undefined && isHashed({ path, route: before.route })) sums.remove(path, before.hash);
      if (after !== undefined && isHashed({ path, route: after.route })) sums.add(path, after.hash);
    }
  await writeValues(record, { [SUMS]: sums.toString() });
  return sums.end();
}

/** Of the build that is in place. */
export async function readSiteHash(record: RecordReader): Promise<SiteHash> {
  return new AnswerSums((await readValues(record))[SUMS]).end();
}
