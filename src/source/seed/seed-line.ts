// Formats the lines of a seed. They have the form of an event archive. A reader accepts only lines that this file
// writes, so a change of their form needs another FORMAT in layout/seed-manifest.ts.
import { BLOCK_RUN_PATH, type BlockHead, formatBlockRun } from '../observer/block-run.ts';
import type { CutPayload, CutTransaction } from '../observer/cut-payload.ts';

const COMMA = Buffer.from(',');
const EVENTS = Buffer.from('],"events":[');
const END = Buffer.from(']}\n');

/** Returns a line for a block or microblocks, with only the `chosen` transactions. */
export function formatPayload(payload: CutPayload, chosen: readonly CutTransaction[]): Buffer {
  const { kind, head, transactionCount, transactions, eventsAt } = payload;
  const members = JSON.stringify({
    ...(kind === 'block' ? { block_height: head.height, index_block_hash: head.indexBlockHash } : {}),
    parent_index_block_hash: head.parentIndexBlockHash,
    burn_block_height: head.burnBlockHeight,
    burn_block_time: head.burnBlockTime,
    tenure_height: head.tenureHeight,
    sees_own_burn_block: head.seesOwnBurnBlock,
    transaction_count: transactionCount,
  });
  const path = kind === 'block' ? '/new_block' : '/new_microblocks';
  const begin = Buffer.from(`${columns(head, path)}${members.slice(0, -1)},"transactions":[`);
  const bytes = Buffer.from(payload.bytes.buffer, payload.bytes.byteOffset, payload.bytes.byteLength);
  if (chosen.length === transactions.length)
    return Buffer.concat([begin, bytes.subarray(0, eventsAt), EVENTS, bytes.subarray(eventsAt), END]);
  const withEvents = chosen.filter(({ eventsStart, eventsEnd }) => eventsStart < eventsEnd);
  return Buffer.concat([
    begin,
    ...separated(chosen.map(({ start, end }) => bytes.subarray(start, end))),
    EVENTS,
    ...separated(withEvents.map(({ eventsStart, eventsEnd }) => bytes.subarray(eventsStart, eventsEnd))),
    END,
  ]);
}

/** Returns a line for consecutive blocks without content. */
export function formatRun(heads: readonly [BlockHead, ...BlockHead[]]): Buffer {
  return Buffer.from(`${columns(heads[0], BLOCK_RUN_PATH)}${formatBlockRun(heads)}\n`);
}

/** Returns the columns of a line before its JSON: a number, a time and a path. */
function columns({ height, burnBlockTime = 0 }: BlockHead, path: string): string {
  return `${Math.max(height, 0)}\t${new Date(1_000 * burnBlockTime).toISOString()}\t${path}\t`;
}

function separated(items: readonly Buffer[]): Buffer[] {
  return items.flatMap((item, index) => (index === 0 ? [item] : [COMMA, item]));
}
