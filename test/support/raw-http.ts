// Sends bytes to a server as they are, and reads the answers off the connection as strictly as HTTP/1.1 says.
import { connect } from 'node:net';

export interface RawResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * Everything that is answered until the server closes the connection; bodies are read by their Content-Length.
 * Rejects if what comes is no answer.
 */
export async function askRaw(port: number, bytes: string): Promise<RawResponse[]> {
  const received = await new Promise<Buffer>((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('data', (chunk) => chunks.push(chunk));
    // A server that refuses what it has read half of resets the connection.
    socket.on('error', () => {});
    socket.once('close', () => resolve(Buffer.concat(chunks)));
    socket.write(bytes, 'latin1');
    // What is not whole would be waited for.
    if (!bytes.includes('\r\n\r\n')) socket.end();
  });
  const answers: RawResponse[] = [];
  for (let at = 0; at < received.length; ) {
    const end = received.indexOf('\r\n\r\n', at);
    const [line = '', ...fields] = received.toString('latin1', at, end).split('\r\n');
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1];
    if (end < 0 || status === undefined) throw new Error(`no answer: ${received.toString('latin1', at, at + 100)}`);
    const headers = Object.fromEntries(
      fields.map((field) => [field.split(':', 1)[0]?.toLowerCase(), field.replace(/^[^:]*: */, '')]),
    );
    const isEmpty = status === '204' || status === '304';
    // Node's own refusals come in chunks, of which there are none.
    const ofChunks = headers['transfer-encoding'] === 'chunked' ? '0\r\n\r\n'.length : 0;
    at = end + 4 + (isEmpty ? 0 : Number(headers['content-length'] ?? ofChunks));
    if (at > received.length) throw new Error(`an answer is ${at - received.length} bytes short`);
    answers.push({ status: Number(status), headers, body: received.subarray(end + 4, at) });
  }
  return answers;
}
