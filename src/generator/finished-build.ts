// Opens the record of a finished build, for example to publish it.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BOOKKEEPING_FOLDER } from '#layout/response-files.ts';
import { stop } from '#model/failure.ts';
import { commandLine, shellQuote } from '#text/command-line.ts';
import { isPlacing, openBuildRecord, type RecordReader, readOrigin } from './record/build-record.ts';

export function recordFileOf(out: string): string {
  return join(out, BOOKKEEPING_FOLDER, 'record.sqlite');
}

/** Throws FailureError `dist-missing` if there is no build in the folder. */
export function checkIsBuilt(out: string): void {
  if (existsSync(recordFileOf(out))) return;
  throw stop('dist-missing', `There is no build in ${out}. Make one with: ${buildInto(out)}`);
}

/**
 * Opens the record of a build, calls `use`, and closes the record. Throws FailureError `dist-missing` if no build was
 * finished.
 */
export async function withFinishedBuild<Result>(
  out: string,
  use: (record: RecordReader) => Promise<Result>,
): Promise<Result> {
  checkIsBuilt(out);
  await using record = await openBuildRecord(recordFileOf(out), { readOnly: true });
  const origin = await readOrigin(record);
  if (origin === undefined)
    throw stop('dist-missing', `The first build of ${out} did not finish. Finish it with: ${buildInto(out)}`);
  if (await isPlacing(record))
    throw stop('dist-missing', `The last build of ${out} was interrupted. Finish it with: ${buildInto(out)}`);
  return await use(record);
}

function buildInto(out: string): string {
  return commandLine('build', `--out ${shellQuote(out)}`);
}
