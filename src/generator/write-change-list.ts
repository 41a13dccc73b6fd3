// Writes the list of files that a build changed, for uploads and cache purges. It has one line of JSON for each file.
import { createReadStream, existsSync } from 'node:fs';
import { openRegular } from '#files/open-regular.ts';
import { writeAtomically } from '#files/write-atomically.ts';
import { type RecordedChange, type RecordedFile, type RecordReader, readOrigin } from './record/build-record.ts';
import { isListContinued, readChanges } from './record/changes.ts';
import { readFiles } from './record/recorded-files.ts';

/**
 * Writes the planned changes to the list, atomically. If the list has changes of an interrupted build, they stay before
 * the new ones.
 */
export async function writeChangeList(file: string, record: RecordReader): Promise<void> {
  const isContinued = existsSync(file) && (await isListContinued(record));
  const isFirst = (await readOrigin(record)) === undefined;
  async function* texts(): AsyncGenerator<Buffer> {
    if (isContinued) yield* createReadStream(file, { fd: openRegular(file).descriptor });
    if (isFirst) for await (const files of readFiles(record)) yield toLines(files);
    for await (const changes of readChanges(record)) yield toLines(changes);
  }
  await writeAtomically(file, texts());
}

function toLines(changes: readonly (RecordedFile | RecordedChange)[]): Buffer {
  const lines = changes.map(({ path, hash, bytes }) =>
    JSON.stringify(hash === undefined ? { action: 'remove', path } : { action: 'write', path, sha256: hash, bytes }),
  );
  return Buffer.from(`${lines.join('\n')}\n`);
}
