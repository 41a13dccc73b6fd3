// The depth of final blocks: no fork replaces a canonical block below it.

/** A block is final if at least so many linked blocks are above it, and of so many higher burn blocks. */
export interface FinalityWindow {
  readonly blocks: number;
  readonly burnBlocks: number;
}
