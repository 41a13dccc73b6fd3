// Receives the body of a request as one line, in memory or in a file. Newlines become spaces, since JSON has newlines
// only between values.

import { type FileHandle, open } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Body } from './spool.ts';

/** The maximum size of a body in memory. Most blocks have about 100 KB; the genesis block has more than 80 MB. */
const MAX_MEMORY_BYTES = 16_000_000;
/** The maximum size of a payload: nodes count its bytes in 32 bits. */
const MAX_BYTES = 2 ** 32;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;

/**
 * Receives a body; above 16 MB, writes it to the file `spillTo`. Throws if the body reaches 4 GB, or the connection
 * closes early.
 */
export async function receiveBody(
  request: IncomingMessage,
  spillTo: string,
): Promise<{ readonly body: Body; readonly bytes: number }> {
  const held: Buffer[] = [];
  let bytes = 0;
  let file: FileHandle | undefined;
  try {
    // If writing fails, the connection stays open for the response.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes >= MAX_BYTES) throw new Error('the payload is larger than 4 GB');
      joinLines(chunk);
      held.push(chunk);
      if (bytes <= MAX_MEMORY_BYTES) continue;
      file ??= await open(spillTo, 'w');
      for (const part of held.splice(0)) await file.writeFile(part);
    }
    if (!request.complete) throw new Error('the connection closed before the request was complete');
    return { body: file === undefined ? Buffer.concat(held) : { file: spillTo }, bytes };
  } finally {
    await file?.close();
  }
}

/** Replaces newlines by spaces. */
function joinLines(chunk: Buffer): void {
  for (const byte of [NEWLINE, RETURN]) {
    for (let at = chunk.indexOf(byte); at !== -1; at = chunk.indexOf(byte, at + 1)) chunk[at] = SPACE;
  }
}
