// The code of a contract as it is stored: interface and source, deflated together.
import { deflateSync, inflateSync } from 'node:zlib';

/** In the sqlite3 shell, `sqlar_uncompress(data, <bytes of both>)` reads it. */
export interface PackedCode {
  /**
   * The interface and behind it the source, UTF-8, as a zlib stream (RFC 1950), which has a checksum. It has a buffer
   * of its own, so that threads hand over nothing else.
   */
  readonly data: Uint8Array;
  /** Undefined for a contract whose interface is not known. */
  readonly interfaceBytes: number | undefined;
  readonly sourceBytes: number;
}

export interface ContractCode {
  readonly source: string;
  /** Compact JSON in the node's key order. */
  readonly interfaceJson: string | undefined;
}

/** The fastest: code shrinks to a quarter and less at every level, and a small window and chunk cost less to set up. */
const OPTIONS = { level: 1, windowBits: 13, memLevel: 6, chunkSize: 4_096 };
/** Node's own lower limit. */
const MIN_CHUNK_BYTES = 64;

/** `source` as text, or as the UTF-8 bytes of it. */
export function packCode(source: string | Uint8Array, interfaceJson: string | undefined): PackedCode {
  const sourceBytes = typeof source === 'string' ? Buffer.from(source) : source;
  const whole = interfaceJson === undefined ? sourceBytes : Buffer.concat([Buffer.from(interfaceJson), sourceBytes]);
  return {
    data: new Uint8Array(deflateSync(whole, OPTIONS)),
    interfaceBytes: interfaceJson === undefined ? undefined : whole.length - sourceBytes.length,
    sourceBytes: sourceBytes.length,
  };
}

export function unpackCode({ data, interfaceBytes, sourceBytes }: PackedCode): ContractCode {
  const length = (interfaceBytes ?? 0) + sourceBytes;
  const bytes = inflateSync(data, { chunkSize: Math.max(length, MIN_CHUNK_BYTES) });
  // As zlib says it of what its checksum refuses.
  if (bytes.length !== length)
    throw Object.assign(new Error(`${bytes.length} bytes were unpacked of ${length}`), { code: 'Z_DATA_ERROR' });
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    source: whole.toString('utf8', interfaceBytes ?? 0),
    interfaceJson: interfaceBytes === undefined ? undefined : whole.toString('utf8', 0, interfaceBytes),
  };
}
