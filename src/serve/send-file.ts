// Sends part of a file in pieces. The next piece is read when the client has received the piece before.
import type { ServerResponse } from 'node:http';
import type { Range } from './range.ts';
import type { SiteFile } from './site-file.ts';
import type { Turns } from './turns.ts';

/**
 * The sizes in bytes of the first pieces and of the later ones. Later pieces are small, since a client that stops
 * reading keeps one in memory.
 */
const [PIECE_BYTES, LATER_PIECE_BYTES] = [65_536, 16_384];
/**
 * The number of bytes of a response that are sent in large pieces. The buffers of the operating system hold more bytes
 * than this.
 */
const FIRST_BYTES = 1_000_000;
/** The maximum number of large buffers in memory. */
const MAX_LARGE = 64;

/** Large buffers that are not in use. */
const spare: Buffer[] = [];
let largeCount = 0;

export interface SendTools {
  readonly turns: Turns;
  readonly onError: (error: unknown) => void;
}

/**
 * Sends the range of the file, and ends the response. If the file changes before its end is sent, or cannot be read,
 * closes the connection, so that the client notices.
 */
export function sendFile(
  file: SiteFile,
  response: ServerResponse,
  { start, end }: Range,
  { turns, onError }: SendTools,
): void {
  let position = start;
  let buffer = takeLarge() ?? Buffer.allocUnsafeSlow(LATER_PIECE_BYTES);
  let isWriting = false;
  const sendPiece = () => {
    if (response.destroyed) return;
    try {
      sendNext();
    } catch (error) {
      onError(error);
      response.destroy();
    }
  };
  const sendNext = () => {
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
    // The operating system may still read this buffer, so it is not used again.
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
