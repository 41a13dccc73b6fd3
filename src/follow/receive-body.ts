// Receives a request's body, in memory or in a file, on one line: in JSON text, newlines stand between values only.

import { type FileHandle, open } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
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
  let file: FileHandle | undefined;
  try {
    // Where the disk is full, the sender is still there to be told.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes >= MOST_BYTES) throw new Error('the payload does not end');
      onOneLine(chunk);
      held.push(chunk);
      if (bytes <= MAX_HELD_BYTES) continue;
      file ??= await open(spillTo, 'w');
      for (const one of held.splice(0)) await file.writeFile(one);
    }
    if (!request.complete) throw new Error('the sender broke off');
    return { body: file === undefined ? Buffer.concat(held) : { file: spillTo }, bytes };
  } finally {
    await file?.close();
  }
}

function onOneLine(chunk: Buffer): void {
  for (const byte of [NEWLINE, RETURN]) {
    for (let at = chunk.indexOf(byte); at !== -1; at = chunk.indexOf(byte, at + 1)) chunk[at] = SPACE;
  }
}
