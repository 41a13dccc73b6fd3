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

/** Buffers that are handed over instead of copied. */
function buffersOf({ events }: ParsedBlock): ArrayBuffer[] {
  return events.flatMap((event) => (event.kind === 'block' ? (event.calls.buffer as ArrayBuffer) : []));
}
