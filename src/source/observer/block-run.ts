// A run of blocks: one line of a seed for consecutive blocks without content. Each block is the parent of the next.
import { type BlockEvent, NO_CALLS } from '#model/chain-event.ts';
import { parseJson } from '#text/parse-json.ts';
import { MalformedError } from './malformed-error.ts';
import { MAX_HEIGHT, readBurnBlockTime, readHash, readHeight, readSees, readTenureHeight } from './payload-members.ts';

export const BLOCK_RUN_PATH = '/stxpress/block_run';

/** The maximum number of blocks in a run. */
export const MAX_RUN = 1_000;
/** The maximum length of the JSON of a run, which is more than 1,000 blocks need. */
const MAX_BYTES = 1_000_000;
const HASH_DIGITS = 64;
const DIGITS = /^[0-9a-f]+$/;

/** A block without content. */
export type BlockHead = Pick<
  BlockEvent,
  | 'chainId'
  | 'indexBlockHash'
  | 'height'
  | 'parentIndexBlockHash'
  | 'burnBlockHeight'
  | 'burnBlockTime'
  | 'tenureHeight'
  | 'seesOwnBurnBlock'
>;

/** Facts that consecutive blocks share. `blocks`: the number of these blocks. */
interface SharedFacts {
  readonly blocks: number;
  readonly burn_block_height: number;
  readonly burn_block_time?: number | undefined;
  readonly tenure_height?: number | undefined;
  readonly sees_own_burn_block?: boolean | undefined;
}

const NOTHING: readonly never[] = Object.freeze([]);

/** Returns an event for a block without content. */
export function emptyBlock(head: BlockHead): BlockEvent {
  return {
    kind: 'block',
    ...head,
    deploys: NOTHING,
    failures: NOTHING,
    calls: NO_CALLS,
    supplyChanges: NOTHING,
    tokenEvents: NOTHING,
    notifications: NOTHING,
  };
}

/** Returns the JSON of a run. `heads`: 1 to {@link MAX_RUN} consecutive blocks. */
export function formatBlockRun(heads: readonly BlockHead[]): string {
  const facts: SharedFacts[] = [];
  let key: string | undefined;
  for (const { burnBlockHeight, burnBlockTime, tenureHeight, seesOwnBurnBlock } of heads) {
    const shared = {
      burn_block_height: burnBlockHeight,
      burn_block_time: burnBlockTime,
      tenure_height: tenureHeight,
      sees_own_burn_block: seesOwnBurnBlock,
    };
    const next = JSON.stringify(shared);
    const last = next === key ? facts.pop() : undefined;
    facts.push({ blocks: (last?.blocks ?? 0) + 1, ...shared });
    key = next;
  }
  const [first] = heads as readonly [BlockHead];
  return JSON.stringify({
    block_height: first.height,
    parent_index_block_hash: first.parentIndexBlockHash,
    index_block_hashes: heads.map(({ indexBlockHash }) => indexBlockHash.slice(2)).join(''),
    facts,
  });
}

/** Reads the blocks of a run. Throws MalformedError. */
export function readBlockRun(bytes: Buffer): BlockHead[] {
  if (bytes.length > MAX_BYTES) throw new MalformedError('a run of blocks is too long');
  const run = asObject(parseJson(bytes.toString()));
  let height = readHeight(run, 'block_height');
  let parentIndexBlockHash = readHash(run, 'parent_index_block_hash');
  const hashes = run.index_block_hashes;
  if (typeof hashes !== 'string' || !DIGITS.test(hashes) || hashes.length % HASH_DIGITS !== 0)
    throw new MalformedError('index_block_hashes are not hashes');
  if (hashes.length > MAX_RUN * HASH_DIGITS) throw new MalformedError('a run of blocks is too long');
  if (height + MAX_RUN > MAX_HEIGHT) throw new MalformedError('block_height is not a height');
  const blocks: BlockHead[] = [];
  for (const facts of Array.isArray(run.facts) ? run.facts : []) {
    const members = asObject(facts);
    const shared = {
      burnBlockHeight: readHeight(members, 'burn_block_height'),
      ...readBurnBlockTime(members),
      ...readTenureHeight(members),
      ...readSees(members.sees_own_burn_block),
    };
    const end = (blocks.length + readHeight(members, 'blocks')) * HASH_DIGITS;
    if (end > hashes.length) break;
    while (blocks.length * HASH_DIGITS < end) {
      const at = blocks.length * HASH_DIGITS;
      const indexBlockHash = `0x${hashes.slice(at, at + HASH_DIGITS)}`;
      blocks.push({ indexBlockHash, height, parentIndexBlockHash, ...shared });
      parentIndexBlockHash = indexBlockHash;
      height++;
    }
  }
  if (blocks.length * HASH_DIGITS !== hashes.length)
    throw new MalformedError('a run of blocks has another number of facts than of hashes');
  return blocks;
}

function asObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new MalformedError('a run of blocks is not an object');
  return value as Record<string, unknown>;
}
