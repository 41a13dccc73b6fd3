// The depth of final blocks. Forks cannot replace canonical blocks below it.

/** A block is final if at least `blocks` linked blocks follow it, and `burnBlocks` higher burn blocks. */
export interface FinalityWindow {
  readonly blocks: number;
  readonly burnBlocks: number;
}
