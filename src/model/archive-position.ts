// How far an event archive was read, and how it is recognized again under another path or compression.

/** Offsets count decompressed bytes, lines count from 1; hashes are SHA-256, hex. */
export interface ArchivePosition {
  /** Length of the beginning that `prefixHash` covers: 1 MB, or the whole of a shorter archive. */
  readonly prefixBytes: number;
  readonly prefixHash: string;
  readonly lastLineOffset: number;
  readonly lastLineHash: string;
  readonly nextOffset: number;
  readonly nextLine: number;
}
