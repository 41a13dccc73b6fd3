// Receives the body of a request as one line. Newlines become spaces, since JSON has newlines only between values.
import type { IncomingMessage } from 'node:http';

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;

/** Receives a body to its end. Returns undefined if it exceeds `maxBytes`. Throws if the connection closes early. */
export async function receiveBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) held = [];
    else held.push(joinLines(chunk));
  }
  if (!request.complete) throw new Error('the connection closed before the request was complete');
  return bytes > maxBytes ? undefined : Buffer.concat(held);
}

/** Replaces newlines by spaces. */
function joinLines(chunk: Buffer): Buffer {
  for (const byte of [NEWLINE, RETURN]) {
    for (let at = chunk.indexOf(byte); at !== -1; at = chunk.indexOf(byte, at + 1)) chunk[at] = SPACE;
  }
  return chunk;
}
