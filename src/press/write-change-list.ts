// Writes the list of what a build changed, for uploads and cache purges: a line of JSON a file.
import { createReadStream, existsSync } from 'node:fs';
import { writeWhole } from '#files/write-whole.ts';
import type { RecordReader } from './record/build-record.ts';
import { listGoesOn, readChanges } from './record/changes.ts';

/** In one step, from the changes under way; behind those of an interrupted build, as long as the list goes on. */
export async function writeChangeList(file: string, record: RecordReader): Promise<void> {
  const goesOn = existsSync(file) && (await listGoesOn(record));
  async function* texts(): AsyncGenerator<Buffer> {
    if (goesOn) yield* createReadStream(file);
    for await (const changes of readChanges(record)) {
      const lines = changes.map(({ action, path, hash, bytes }) =>
        JSON.stringify(action === 'write' ? { action, path, sha256: hash, bytes } : { action, path }),
      );
      yield Buffer.from(`${lines.join('\n')}\n`);
    }
  }
  await writeWhole(file, texts());
}
