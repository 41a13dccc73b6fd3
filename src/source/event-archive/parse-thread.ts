// Parses a block in a thread. It opens the cache of compiled code before it loads anything: that saves 150 ms each.
import module from 'node:module';
import { transferResult } from '#concurrency/thread.ts';
import { type PackedEvents, packEvents } from './block-heads.ts';
import type { ParsedBlock, ParseTask } from './parse-block.ts';

module.enableCompileCache();
const { parseBlock } = await import('./parse-block.ts');

/** A parsed block whose blocks without content are packed. */
export type PackedBlock = Omit<ParsedBlock, 'events'> & { readonly packed: PackedEvents };

export function parseInThread(task: ParseTask): PackedBlock {
  const { events, ...parsed } = parseBlock(task);
  const packed = packEvents(events);
  return transferResult({ ...parsed, packed }, buffersOf(packed));
}

/** Buffers that are handed over instead of copied. */
function buffersOf({ events, heads }: PackedEvents): ArrayBuffer[] {
  const calls = events.flatMap((event) => (event.kind === 'block' && event.calls.length > 0 ? event.calls : []));
  return [heads, ...calls].map(({ buffer }) => buffer as ArrayBuffer);
}
