// Cuts the payloads in a block of an archive down to the data that an index reads, in a worker thread.
import module from 'node:module';
import { transferResult } from '#concurrency/thread.ts';
import type { CutPayload } from '../observer/cut-payload.ts';
import type { ParsedBlock, ParseTask } from './parse-block.ts';

module.enableCompileCache();
const [{ parseBlock }, { cutReader }] = await Promise.all([import('./parse-block.ts'), import('./cut-reader.ts')]);

export function cutInThread(task: ParseTask): ParsedBlock<CutPayload> {
  const parsed = parseBlock(task, cutReader());
  const filled = parsed.events.filter(({ transactions }) => transactions.length > 0);
  return transferResult(
    parsed,
    filled.map(({ bytes }) => bytes.buffer as ArrayBuffer),
  );
}
