// Parses a block in a worker thread, to chain events or to cut payloads. Enables the cache of compiled code before loading any module, which
// saves 150 ms per thread.
import module from 'node:module';
import { transferResult } from '#concurrency/thread.ts';
import type { ChainEvent } from '#model/chain-event.ts';
import type { CutPayload } from '../observer/cut-payload.ts';
import { type PackedEvents, packEvents } from './block-heads.ts';
import type { ParsedBlock, ParseTask } from './parse-block.ts';

module.enableCompileCache();
const [{ parseBlock }, { eventReader, cutReader }] = await Promise.all([
  import('./parse-block.ts'),
  import('./event-reader.ts'),
]);

/** A parsed block in which the blocks without content are packed. */
export type PackedBlock = Omit<ParsedBlock<ChainEvent>, 'events'> & { readonly packed: PackedEvents };

export function parseInThread(task: ParseTask): PackedBlock {
  const { events, ...parsed } = parseBlock(task, eventReader(task.isSeed));
  const packed = packEvents(events);
  return transferResult({ ...parsed, packed }, transferredBuffers(packed));
}

/** Returns the buffers of packed events that are moved to the receiving thread, not copied. */
function transferredBuffers({ events, heads }: PackedEvents): ArrayBuffer[] {
  const calls = events.flatMap((event) => (event.kind === 'block' && event.calls.length > 0 ? event.calls : []));
  return [heads, ...calls].map(({ buffer }) => buffer as ArrayBuffer);
}

export function cutInThread(task: ParseTask): ParsedBlock<CutPayload> {
  const parsed = parseBlock(task, cutReader);
  const filled = parsed.events.filter(({ transactions }) => transactions.length > 0);
  return transferResult(
    parsed,
    filled.map(({ bytes }) => bytes.buffer as ArrayBuffer),
  );
}
