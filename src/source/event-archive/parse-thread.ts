// Parses a block in a worker thread, to chain events or to cut payloads. Enables the cache of compiled code before
// loading any module, which saves 150 ms per thread.
import module from 'node:module';
import { transferResult } from '#concurrency/thread.ts';
import type { ChainEvent } from '#model/chain-event.ts';
import type { CutPayload } from '../observer/cut-payload.ts';
import type { ParsedBlock, ParseTask } from './parse-block.ts';

module.enableCompileCache();
const [{ parseBlock }, { eventReader, cutReader }] = await Promise.all([
  import('./parse-block.ts'),
  import('./event-reader.ts'),
]);

export function parseInThread(task: ParseTask): ParsedBlock<ChainEvent> {
  const parsed = parseBlock(task, eventReader(task.isSeed));
  return transferResult(parsed, callsOf(parsed.events));
}

/** Returns the memory of the calls, which is moved to the receiving thread, not copied. */
function callsOf(events: readonly ChainEvent[]): ArrayBuffer[] {
  return events.flatMap((event) =>
    event.kind === 'block' && event.calls.length > 0 ? [event.calls.buffer as ArrayBuffer] : [],
  );
}

export function cutInThread(task: ParseTask): ParsedBlock<CutPayload> {
  return parseBlock(task, cutReader);
}
