// Creates the error for a source whose chain differs from the chain of the index.
import { formatChainId, SAMPLE_CHAIN_ID } from '#model/chain.ts';
import { type FailureError, stop } from '#model/failure.ts';

/** Returns the error. `source` is an archive's name, or `The node` with its URL. No data from it may be stored. */
export function otherChain(source: string, chainId: number, heldChainId: number): FailureError {
  const isSample = heldChainId === SAMPLE_CHAIN_ID;
  const held = isSample ? 'the bundled sample' : `chain ${formatChainId(heldChainId)}`;
  const remedy = isSample ? 'Remove that index, or name another with --db' : 'Give it an index of its own with --db';
  return stop(
    'other-chain',
    `${source} belongs to chain ${formatChainId(chainId)}, but the index holds ${held}. ` +
      `This run stored nothing from it. ${remedy}.`,
  );
}
