// How far an event archive has been consumed, and how it is recognised again, whatever its path or compression.

/** Offsets count decompressed bytes, lines count from 1; hashes are SHA-256, hex. */
export interface ArchivePosition {
  /** How much of the beginning `prefixHash` covers: 1 MB, or the whole of a shorter archive. */
  readonly prefixBytes: number;
  readonly prefixHash: string;
  readonly lastLineOffset: number;
  readonly lastLineHash: string;
  readonly nextOffset: number;
  readonly nextLine: number;
}
