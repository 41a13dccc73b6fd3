// Defines when a block is final, which means that no fork can replace it.

/**
 * A block is final if at least `blocks` blocks were built on it, and the chain has reached `burnBlocks` more burn
 * blocks.
 */
export interface FinalityWindow {
  readonly blocks: number;
  readonly burnBlocks: number;
}
