// The code of a contract as it is stored: interface and source, compressed together.
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

export interface PackedCode {
  /**
   * The interface and behind it the source, UTF-8, as a zstd frame (RFC 8878) with a checksum. It has a buffer of its
   * own, so that threads hand over nothing else.
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

/**
 * All sources of mainnet take 3.2 s so, to a quarter; deflate at its fastest takes 5.2 s, to a little more. Unpacking
 * takes 2.4 s instead of 1.8. Faster levels win a fifth of the time for a third more bytes.
 */
const PARAMETERS = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 };
/** A small chunk costs less to set up. */
const CHUNK_BYTES = 4_096;
/** Node's own lower limit. */
const MIN_CHUNK_BYTES = 64;

/** `source` as text, or as the UTF-8 bytes of it. */
export function packCode(source: string | Uint8Array, interfaceJson: string | undefined): PackedCode {
  const sourceBytes = typeof source === 'string' ? Buffer.from(source) : source;
  const whole = interfaceJson === undefined ? sourceBytes : Buffer.concat([Buffer.from(interfaceJson), sourceBytes]);
  return {
    data: new Uint8Array(
      zstdCompressSync(whole, { params: PARAMETERS, pledgedSrcSize: whole.length, chunkSize: CHUNK_BYTES }),
    ),
    interfaceBytes: interfaceJson === undefined ? undefined : whole.length - sourceBytes.length,
    sourceBytes: sourceBytes.length,
  };
}

export function unpackCode({ data, interfaceBytes, sourceBytes }: PackedCode): ContractCode {
  const length = (interfaceBytes ?? 0) + sourceBytes;
  const bytes = zstdDecompressSync(data, { chunkSize: Math.max(length, MIN_CHUNK_BYTES) });
  // As zlib says it of what its checksum refuses.
  if (bytes.length !== length)
    throw Object.assign(new Error(`${bytes.length} bytes were unpacked of ${length}`), { code: 'Z_DATA_ERROR' });
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    source: whole.toString('utf8', interfaceBytes ?? 0),
    interfaceJson: interfaceBytes === undefined ? undefined : whole.toString('utf8', 0, interfaceBytes),
  };
}
