// Defines a response as bytes, and functions that make odd responses.

export interface OddResponse {
  readonly bytes: Buffer;
  /** True to keep the connection open after the response. */
  readonly staysOpen?: boolean;
}

export const TEXT = '{"name":"a token with a name that is long enough to be compressed, compressed, compressed"}';
export const BODY = Buffer.from(TEXT);
export const EMPTY = Buffer.alloc(0);
export const OK = 'HTTP/1.1 200 OK';
export const LENGTH = lengthOf(BODY);

export function lengthOf(body: Uint8Array): string {
  return `Content-Length: ${body.length}`;
}

/** Returns a response with this status line, these headers and this body. */
export function withHead(lines: readonly string[], body: Uint8Array = BODY): OddResponse {
  return raw(`${lines.join('\r\n')}\r\n\r\n`, body);
}

export function raw(latin1: string, body: Uint8Array = BODY, options: Partial<OddResponse> = {}): OddResponse {
  return { bytes: Buffer.concat([Buffer.from(latin1, 'latin1'), body]), ...options };
}
