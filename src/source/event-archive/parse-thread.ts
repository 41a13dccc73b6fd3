// Parses a block in a thread. It opens the cache of compiled code before it loads anything: that saves 150 ms each.
import module from 'node:module';
import { handOver } from '#concurrency/thread.ts';
import type { ParsedBlock, ParseTask } from './parse-block.ts';

module.enableCompileCache();
const { parseBlock } = await import('./parse-block.ts');

export function parseInThread(task: ParseTask): ParsedBlock {
  const parsed = parseBlock(task);
  return handOver(parsed, buffersOf(parsed));
}

/** What is handed over, and not copied. Blocks share the memory of what they were read from. */
function buffersOf({ events }: ParsedBlock): ArrayBuffer[] {
  const ofCalls = events.flatMap((event) =>
    event.kind === 'block' ? [event.calls.packed, event.calls.eventsJson] : [],
  );
  return [...new Set(ofCalls.flatMap((bytes) => (bytes === undefined ? [] : [bytes.buffer as ArrayBuffer])))];
}
