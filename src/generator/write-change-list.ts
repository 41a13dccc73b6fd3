// Writes the list of what a build changed, for uploads and cache purges: a line of JSON a file.
import { createReadStream, existsSync } from 'node:fs';
import { writeAtomically } from '#files/write-atomically.ts';
import { type RecordedChange, type RecordedFile, type RecordReader, readOrigin } from './record/build-record.ts';
import { listGoesOn, readChanges } from './record/changes.ts';
import { readFiles } from './record/recorded-files.ts';

/** In one step, from the changes under way; behind those of an interrupted build, as long as the list goes on. */
export async function writeChangeList(file: string, record: RecordReader): Promise<void> {
  const goesOn = existsSync(file) && (await listGoesOn(record));
  const isFirst = (await readOrigin(record)) === undefined;
  async function* texts(): AsyncGenerator<Buffer> {
    if (goesOn) yield* createReadStream(file);
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
