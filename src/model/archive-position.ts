// The position reached in an event archive, with hashes that identify the archive under another path or compression.

/** Offsets count decompressed bytes, and lines count from 1. Hashes are SHA-256 in hex. */
export interface ArchivePosition {
  /** The number of bytes, from the start, that `prefixHash` covers: 1 MB, or all of a shorter archive. */
  readonly prefixBytes: number;
  readonly prefixHash: string;
  readonly lastLineOffset: number;
  readonly lastLineHash: string;
  readonly nextOffset: number;
  readonly nextLine: number;
}
