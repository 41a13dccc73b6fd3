// Sends part of a file in pieces: reads the next piece when the client has taken the last one.
import type { ServerResponse } from 'node:http';
import type { Range } from './range.ts';
import type { SiteFile } from './site-file.ts';
import type { Turns } from './turns.ts';

/** The size of the first pieces, and of later ones, in bytes: a reader that stops holds one of the later ones. */
const [PIECE_BYTES, LATER_PIECE_BYTES] = [65_536, 16_384];
/** The number of bytes of a response that are sent in large pieces; system buffers take more. */
const FIRST_BYTES = 1_000_000;
/** The maximum number of large pieces in memory. */
const MAX_LARGE = 64;

/** Large buffers that no response uses. */
const spare: Buffer[] = [];
let largeCount = 0;

/** Ends the response. If the file changes, the connection closes before the response is complete. */
export function sendFile(file: SiteFile, response: ServerResponse, { start, end }: Range, turns: Turns): void {
  let position = start;
  let buffer = takeLarge() ?? Buffer.allocUnsafeSlow(LATER_PIECE_BYTES);
  let isWriting = false;
  const sendPiece = () => {
    if (response.destroyed) return;
    if (position - start >= FIRST_BYTES && buffer.length === PIECE_BYTES) {
      spare.push(buffer);
      buffer = Buffer.allocUnsafeSlow(LATER_PIECE_BYTES);
    }
    const piece = buffer.subarray(0, Math.min(buffer.length, end - position));
    const count = file.read(piece, position);
    position += count;
    if (count < piece.length || (position === end && file.isChanged)) {
      response.destroy();
      return;
    }
    isWriting = true;
    response.write(piece, (error) => {
      isWriting = false;
      if (error) return;
      if (position < end) turns.add(sendPiece, { isUrgent: false });
      else response.end();
    });
  };
  response.once('close', () => {
    turns.remove(sendPiece);
    file.close();
    if (buffer.length !== PIECE_BYTES) return;
    // The system may still read a buffer that is being written.
    if (isWriting) largeCount--;
    else spare.push(buffer);
  });
  sendPiece();
}

function takeLarge(): Buffer | undefined {
  const found = spare.pop();
  if (found !== undefined || largeCount >= MAX_LARGE) return found;
  largeCount++;
  return Buffer.allocUnsafeSlow(PIECE_BYTES);
}
