// Formats the lines of a seed. They have the form of an event archive. A reader accepts only lines that this file
// writes, so a change of their form needs another FORMAT in layout/seed-manifest.ts.
import { BLOCK_RUN_PATH, type BlockHead, formatBlockRun } from '../observer/block-run.ts';
import type { CutPayload, CutTransaction } from '../observer/cut-payload.ts';

/** Returns a line for a block or microblocks, with only the `chosen` transactions. */
export function formatPayload(payload: CutPayload, chosen: readonly CutTransaction[]): Buffer {
  return Buffer.from(`${columnsOf(payload)}${jsonOf(payload, chosen)}\n`);
}

/** Returns the columns of the line before its JSON. */
export function columnsOf({ kind, head }: Pick<CutPayload, 'kind' | 'head'>): string {
  return columns(head, kind === 'block' ? '/new_block' : '/new_microblocks');
}

/** Returns the JSON of the line. */
export function jsonOf({ kind, head, transactionCount }: CutPayload, chosen: readonly CutTransaction[]): string {
  const members = JSON.stringify({
    ...(kind === 'block' ? { block_height: head.height, index_block_hash: head.indexBlockHash } : {}),
    parent_index_block_hash: head.parentIndexBlockHash,
    burn_block_height: head.burnBlockHeight,
    burn_block_time: head.burnBlockTime,
    tenure_height: head.tenureHeight,
    sees_own_burn_block: head.seesOwnBurnBlock,
    transaction_count: transactionCount,
  });
  const transactions = chosen.map(({ json }) => json).join(',');
  const events = chosen.flatMap((transaction) => transaction.events || []).join(',');
  return `${members.slice(0, -1)},"transactions":[${transactions}],"events":[${events}]}`;
}

/** Returns a line for consecutive blocks without content. */
export function formatRun(heads: readonly [BlockHead, ...BlockHead[]]): Buffer {
  return Buffer.from(`${columns(heads[0], BLOCK_RUN_PATH)}${formatBlockRun(heads)}\n`);
}

/** Returns the columns of a line before its JSON: a number, a time and a path. */
function columns({ height, burnBlockTime = 0 }: BlockHead, path: string): string {
  return `${Math.max(height, 0)}\t${new Date(1_000 * burnBlockTime).toISOString()}\t${path}\t`;
}
