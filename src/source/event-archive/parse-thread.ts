// A thread that parses blocks: the bytes of each come in a message, and what is in them goes back in the same order.
// It opens the cache of compiled code, which is of a thread and not of the process, before it loads anything: that saves
// 150 ms each time.
import module from 'node:module';
import { parentPort } from 'node:worker_threads';
import type { ParsedBlock, ParseTask } from './parse-block.ts';

module.enableCompileCache();
const { parseBlock } = await import('./parse-block.ts');

parentPort?.on('message', (task: ParseTask) => {
  const parsed = parseBlock(task);
  parentPort?.postMessage(parsed, buffersOf(parsed));
});

/** What is handed over, and not copied. Blocks share the memory of what they were read from. */
function buffersOf({ events }: ParsedBlock): ArrayBuffer[] {
  const ofCalls = events.flatMap((event) =>
    event.kind === 'block' ? [event.calls.packed, event.calls.eventsJson] : [],
  );
  return [...new Set(ofCalls.flatMap((bytes) => (bytes === undefined ? [] : [bytes.buffer as ArrayBuffer])))];
}
