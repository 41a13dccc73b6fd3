// Sends bytes to a server, and parses the responses by the strict rules of HTTP/1.1.
import { connect } from 'node:net';

export interface RawResponse {
  readonly status: number;
  /** The header values by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * Sends bytes, and returns all responses that arrive before the server closes the connection. Throws if other bytes
 * arrive.
 */
export async function requestRaw(port: number, bytes: string): Promise<RawResponse[]> {
  const received = await new Promise<Buffer>((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('data', (chunk) => chunks.push(chunk));
    // A server that rejects a request before it has read all of it resets the connection. This is not an error here.
    socket.on('error', () => {});
    socket.once('close', () => resolve(Buffer.concat(chunks)));
    socket.write(bytes, 'latin1');
    // Ends the sending side, since the server would wait for the rest of an incomplete request.
    if (!bytes.includes('\r\n\r\n')) socket.end();
  });
  const responses: RawResponse[] = [];
  for (let at = 0; at < received.length; ) {
    const end = received.indexOf('\r\n\r\n', at);
    const [line = '', ...fields] = received.toString('latin1', at, end).split('\r\n');
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1];
    if (end < 0 || status === undefined)
      throw new Error(`not a response: ${received.toString('latin1', at, at + 100)}`);
    const headers = Object.fromEntries(
      fields.map((field) => [field.split(':', 1)[0]?.toLowerCase(), field.replace(/^[^:]*: */, '')]),
    );
    const isEmpty = status === '204' || status === '304';
    at = end + 4;
    const chunks: Buffer[] = [];
    const take = (length: number) => {
      if (at + length > received.length) throw new Error(`a response is ${at + length - received.length} bytes short`);
      chunks.push(received.subarray(at, at + length));
      at += length;
    };
    if (headers['transfer-encoding'] !== 'chunked') take(isEmpty ? 0 : Number(headers['content-length'] ?? 0));
    else
      for (let size = 1; size > 0; at += 2) {
        const lineEnd = received.indexOf('\r\n', at);
        size = Number.parseInt(received.toString('latin1', at, lineEnd), 16);
        at = lineEnd + 2;
        take(size);
      }
    responses.push({ status: Number(status), headers, body: Buffer.concat(chunks) });
  }
  return responses;
}
