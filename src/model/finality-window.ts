// The depth from which canonical blocks are final: no fork replaces them.

/** A block is final if at least so many linked blocks are above it, and of so many higher burn blocks. */
export interface FinalityWindow {
  readonly blocks: number;
  readonly burnBlocks: number;
}
