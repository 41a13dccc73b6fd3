// The code of a contract as stored: interface and source, compressed together.
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

export interface PackedCode {
  /** Interface and source, UTF-8, a zstd frame (RFC 8878) with a checksum; a buffer of its own, for threads. */
  readonly data: Uint8Array;
  /** Undefined if the contract's interface is unknown. */
  readonly interfaceBytes: number | undefined;
  readonly sourceBytes: number;
}

export interface ContractCode {
  readonly source: string;
  /** Compact JSON in the node's key order. */
  readonly interfaceJson: string | undefined;
}

/**
 * Level 1 packs all sources of mainnet in 3.2 s, to a quarter; deflate at its fastest takes 5.2 s, to a little more.
 * Unpacking takes 2.4 s instead of 1.8. Faster levels save a fifth of the time for a third more bytes.
 */
const PARAMETERS = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 };
/** A small chunk is cheaper to set up. */
const CHUNK_BYTES = 4_096;
/** Minimum in Node. */
const MIN_CHUNK_BYTES = 64;

/** `source`: text or its UTF-8 bytes. */
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
  // Same error as zlib's for a wrong checksum.
  if (bytes.length !== length)
    throw Object.assign(new Error(`${bytes.length} bytes were unpacked of ${length}`), { code: 'Z_DATA_ERROR' });
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    source: whole.toString('utf8', interfaceBytes ?? 0),
    interfaceJson: interfaceBytes === undefined ? undefined : whole.toString('utf8', 0, interfaceBytes),
  };
}
