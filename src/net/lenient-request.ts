// Sends a GET request, and reads the response by the rules that browsers and curl share. They accept more than the
// parser of Node and undici, which rejects two equal Content-Length fields even with `insecureHTTPParser`.
import { addAbortListener } from 'node:events';
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

/** The maximum size of all headers of a response, as in Chromium. Node's fetch allows 16 KB, curl 300 KB. */
export const MAX_HEADER_BYTES = 256 * 1_024;
/** The maximum size of the line before a chunk, which has its size and its extensions. */
const MAX_CHUNK_LINE_BYTES = 16 * 1_024;
const NEWLINE = 0x0a;
const STATUS_LINE = /^HTTP\/\d+(?:\.\d+)?[ \t]+(\d{3})(?!\d)/i;
const CHUNK_SIZE = /^([\da-f]{1,16})\s*(?:;|$)/i;
const SWITCHING_PROTOCOLS = 101;
const FIRST_FINAL_STATUS = 200;
const BODILESS: ReadonlySet<number> = new Set([204, 304]);

/** Connects to a server with HTTP/1.1. May refuse an address. */
export type Connect = buildConnector.connector;

export interface OpenResponse {
  readonly status: number;
  /** Returns the values of all fields with a lower-case name. */
  readonly fields: (name: string) => readonly string[];
  readonly body: AsyncIterable<Buffer>;
  /** Closes the connection if the body was not read completely. */
  readonly close: () => void;
}

/** The error for a response that no client can read. The message begins with a subject such as "its length". */
export class ResponseError extends Error {}

/** `signal` ends the request, also while its body is read. Throws ResponseError, or an error of the connection. */
export async function requestLeniently(
  connect: Connect,
  url: URL,
  headers: Readonly<Record<string, string>>,
  { idleTimeoutMs, signal }: { readonly idleTimeoutMs: number; readonly signal: AbortSignal },
): Promise<OpenResponse> {
  const socket = await open(connect, url, signal);
  const listening = addAbortListener(signal, () => socket.destroy(signal.reason));
  socket.once('close', () => listening[Symbol.dispose]());
  // The error also ends the iterator that reads the socket.
  socket.on('error', () => {});
  socket.setTimeout(idleTimeoutMs, () => socket.destroy(Object.assign(new Error('idle'), { code: 'ETIMEDOUT' })));
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const lines = [`GET ${url.pathname}${url.search} HTTP/1.1`, `Host: ${url.host}`, 'Connection: close', ...fields];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  const close = () => void socket.destroy();
  try {
    const reader = new SocketReader(socket);
    const head = await readHead(reader);
    return { ...head, body: bodyOf(reader, head), close };
  } catch (error) {
    close();
    throw error;
  }
}

function open(connect: Connect, { protocol, hostname, host, port }: URL, signal: AbortSignal): Promise<Socket> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const listening = addAbortListener(signal, () => reject(signal.reason));
    // URLs write IPv6 addresses in brackets, but connectors do not.
    connect({ protocol, hostname: hostname.replace(/^\[|\]$/g, ''), host, port }, (error, socket) => {
      listening[Symbol.dispose]();
      if (signal.aborted) socket?.destroy();
      if (socket === null) reject(error);
      else resolve(socket);
    });
  });
}

type Head = Pick<OpenResponse, 'status' | 'fields'>;

/** Reads the head of the final response. Skips heads with status 1xx, which a server may send at any time. */
async function readHead(reader: SocketReader): Promise<Head> {
  let bytesLeft = MAX_HEADER_BYTES;
  for (;;) {
    const readLine = async () => {
      const line = await reader.line(bytesLeft);
      bytesLeft -= line.length + 1;
      return line;
    };
    const status = Number(STATUS_LINE.exec(await readLine())?.[1]);
    if (Number.isNaN(status)) throw new ResponseError('it does not begin with a status');
    const lines: string[] = [];
    for (let line = await readLine(); line !== ''; line = await readLine()) {
      // A line that begins with a blank continues the previous line (RFC 9112, 5.2).
      if (/^[ \t]/.test(line)) lines.push(`${lines.pop() ?? ''} ${line}`);
      else lines.push(line);
    }
    if (status === SWITCHING_PROTOCOLS) throw new ResponseError('its status does not match the request');
    if (status >= FIRST_FINAL_STATUS) return { status, fields: parseFields(lines) };
  }
}

/** Skips lines without a name. Replaces control characters in values by blanks. */
function parseFields(lines: readonly string[]): Head['fields'] {
  const named = lines.map((line) => {
    const at = line.indexOf(':');
    const value = line.slice(at + 1).replace(/[^\t\x20-\x7e\x80-\xff]/g, ' ');
    return [line.slice(0, Math.max(at, 0)).trim().toLowerCase(), value.trim()] as const;
  });
  const fields = Map.groupBy(named, ([name]) => name);
  return (name) => (fields.get(name) ?? []).map(([, value]) => value);
}

function bodyOf(reader: SocketReader, { status, fields }: Head): AsyncIterable<Buffer> {
  if (BODILESS.has(status)) return reader.take(0);
  if (/(?:^|[\s,])chunked$/i.test(fields('transfer-encoding').join())) return readChunks(reader);
  return reader.take(lengthOf(fields('content-length')));
}

/** Returns the length, and Infinity if none of the values is a number. */
function lengthOf(values: readonly string[]): number {
  const texts = values.flatMap((value) => value.split(','));
  const numbers = new Set(texts.flatMap((text) => /^\s*\+?(\d+)/.exec(text)?.[1] ?? []).map(Number));
  if (numbers.size > 1) throw new ResponseError('it has different values of Content-Length');
  const [length = Number.POSITIVE_INFINITY] = numbers;
  return length;
}

async function* readChunks(reader: SocketReader): AsyncGenerator<Buffer> {
  for (;;) {
    const [, hex] = CHUNK_SIZE.exec(await reader.line(MAX_CHUNK_LINE_BYTES)) ?? [];
    if (hex === undefined) throw new ResponseError('a chunk of its body has no size');
    const size = Number.parseInt(hex, 16);
    if (size === 0) return;
    yield* reader.take(size);
    if ((await reader.line(MAX_CHUNK_LINE_BYTES)) !== '')
      throw new ResponseError('a chunk of its body is larger than its size');
  }
}

/** Reads lines and bytes of a socket. Throws an error if the connection ends before. */
class SocketReader {
  readonly #pieces: AsyncIterator<Buffer>;
  #left: Buffer | undefined;

  constructor(socket: Socket) {
    this.#pieces = socket[Symbol.asyncIterator]();
  }

  /** Returns a line without its end, which is LF or CRLF. */
  async line(maxBytes: number): Promise<string> {
    const parts: Buffer[] = [];
    for (let bytes = 0; ; ) {
      const piece = await this.#next();
      if (piece === undefined) throw endedEarly();
      const at = piece.indexOf(NEWLINE);
      parts.push(at === -1 ? piece : piece.subarray(0, at));
      bytes += at === -1 ? piece.length : at;
      if (bytes > maxBytes) throw new ResponseError('its headers are too large');
      if (at === -1) continue;
      this.#left = piece.subarray(at + 1);
      const line = Buffer.concat(parts).toString('latin1');
      return line.endsWith('\r') ? line.slice(0, -1) : line;
    }
  }

  /** Yields this number of bytes. Infinity stands for all bytes. */
  async *take(bytes: number): AsyncGenerator<Buffer> {
    for (let left = bytes; left > 0; ) {
      const piece = await this.#next();
      if (piece === undefined && left === Number.POSITIVE_INFINITY) return;
      if (piece === undefined) throw endedEarly();
      this.#left = piece.subarray(left);
      yield piece.subarray(0, left);
      left -= piece.length;
    }
  }

  async #next(): Promise<Buffer | undefined> {
    const left = this.#left;
    this.#left = undefined;
    if (left !== undefined && left.length > 0) return left;
    const { done, value } = await this.#pieces.next();
    return done === true ? undefined : value;
  }
}

function endedEarly(): Error {
  return Object.assign(new Error('the connection was closed early'), { code: 'ECONNRESET' });
}
