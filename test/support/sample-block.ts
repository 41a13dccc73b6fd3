// Returns an archive line with a block at height 8, the next block of the sample's chain.
import { blockLine, type callJson, hashOf, type Json } from './transactions.ts';

const SAMPLE_TIP = '0xd811c7344eaa1ead43bdbf04d5cc37c3c56f03a4056424c6525a63254a9d2317';

export function sampleBlock(transactions: readonly ReturnType<typeof callJson>[], events: readonly Json[]): string {
  const block = blockLine({ id: 'more', parent: 'replaced', height: 8, burnHeight: 108, transactions, events });
  return block.replace(hashOf('replaced'), SAMPLE_TIP);
}
