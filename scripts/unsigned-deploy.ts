// Makes blocks of unsigned deploy transactions in the form that an event observer receives.
import { hash } from 'node:crypto';
import { shortText, u32, unsignedTransaction } from './unsigned-transaction.ts';

/**
 * Returns a deploy on mainnet in the form that an event observer stores. The address in `contractId` deploys the
 * contract.
 */
export function unsignedDeploy(contractId: string, source: string, index: number, contractInterface: unknown) {
  const [address = '', name = ''] = contractId.split('.');
  const code = Buffer.from(source);
  // The payload begins with 1, the type of a deploy without a Clarity version.
  const payload = Buffer.concat([Buffer.from([1]), shortText(name), u32(code.length), code]);
  return { ...unsignedTransaction(address, payload), tx_index: index, contract_interface: contractInterface };
}

/** Returns a line of an archive, which contains a block. Blocks from height `forkedAt` on belong to a fork. */
export function blockOfDeploys(
  height: number,
  transactions: readonly object[],
  forkedAt = Number.POSITIVE_INFINITY,
  events: readonly object[] = [],
): string {
  const hashAt = (at: number) => `0x${hash('sha256', `block ${at}${at >= forkedAt ? ' of the fork' : ''}`)}`;
  const block = {
    block_height: height,
    index_block_hash: hashAt(height),
    parent_index_block_hash: hashAt(height - 1),
    burn_block_height: 800_000 + height,
    burn_block_time: 1_700_000_000 + 600 * height,
    events,
    transactions,
  };
  return `${height}\t2024-01-01T00:00:00.000Z\t/new_block\t${JSON.stringify(block)}\n`;
}
