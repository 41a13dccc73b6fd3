// The position that an index run has reached in an event archive. Hashes identify the archive under another path or
// compression.

/** A position in an archive. Offsets count decompressed bytes, lines count from 1, and hashes are SHA-256 in hex. */
export interface ArchivePosition {
  /** The number of bytes at the start of the archive that `prefixHash` covers: 1 MB, or all of a shorter archive. */
  readonly prefixBytes: number;
  readonly prefixHash: string;
  readonly lastLineOffset: number;
  readonly lastLineHash: string;
  readonly nextOffset: number;
  readonly nextLine: number;
}
