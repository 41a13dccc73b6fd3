// Creates the error for a source whose chain differs from that of the index.
import { formatChainId, SAMPLE_CHAIN_ID } from '#model/chain.ts';
import { type FailureError, stop } from '#model/failure.ts';

/** `source` as the message names it: an archive's name, or `The node`. */
export function otherChain(source: string, chainId: number, heldChainId: number): FailureError {
  const held =
    heldChainId === SAMPLE_CHAIN_ID
      ? 'the bundled sample. Nothing of it was indexed; remove that index, or name another'
      : `chain ${formatChainId(heldChainId)}. Nothing of it was indexed; give it an index of its own`;
  return stop('other-chain', `${source} is of chain ${formatChainId(chainId)}, and the index holds ${held} with --db.`);
}
