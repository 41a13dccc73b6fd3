// Receives the body of a request to its end: in memory, or in a file where it is long. Newlines become spaces, so that
// it is one line: inside a JSON text they can only stand between values.

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import type { Body } from './spool.ts';

/** Blocks have some 100 KB; genesis has 80 MB and more. */
const MAX_HELD_BYTES = 16_000_000;
/** A node counts the bytes of a payload in 32 bits. */
const MOST_BYTES = 2 ** 32;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;

/** Throws where the sender breaks off, and where it sends more than a node can. */
export async function receiveBody(
  request: IncomingMessage,
  spillTo: string,
): Promise<{ readonly body: Body; readonly bytes: number }> {
  const held: Buffer[] = [];
  let bytes = 0;
  let file: ReturnType<typeof createWriteStream> | undefined;
  try {
    // Where the disk is full, the sender is still there to be told.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes >= MOST_BYTES) throw new Error('the payload does not end');
      onOneLine(chunk);
      if (file === undefined && bytes <= MAX_HELD_BYTES) {
        held.push(chunk);
        continue;
      }
      if (file === undefined) {
        file = createWriteStream(spillTo);
        file.on('error', () => {}); // It is thrown below.
        for (const one of held.splice(0)) file.write(one);
      }
      if (!file.write(chunk)) await once(file, 'drain');
    }
    file?.end();
    if (file !== undefined) await finished(file);
    if (!request.complete) throw new Error('the sender broke off');
    return { body: file === undefined ? Buffer.concat(held) : { file: spillTo }, bytes };
  } finally {
    file?.destroy();
  }
}

function onOneLine(chunk: Buffer): void {
  for (const byte of [NEWLINE, RETURN]) {
    for (let at = chunk.indexOf(byte); at !== -1; at = chunk.indexOf(byte, at + 1)) chunk[at] = SPACE;
  }
}
