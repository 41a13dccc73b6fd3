// Packs blocks without content into one buffer, which threads transfer faster than many objects. Most blocks of a chain
// have no content.
import { hasContent } from '#model/block-content.ts';
import type { BlockEvent, ChainEvent } from '#model/chain-event.ts';
import { emptyBlock } from '../observer/block-run.ts';

/** Sizes and offsets of a packed block: two hashes, then numbers as doubles. A missing number is NaN. */
const HASH_BYTES = 32;
const NUMBERS_AT = 2 * HASH_BYTES;
const NUMBERS = 6;
const HEAD_BYTES = NUMBERS_AT + 8 * NUMBERS;

/** Events in the order of the archive. Blocks without content are packed. */
export interface PackedEvents {
  /** The events that are not packed. */
  readonly events: ChainEvent[];
  readonly heads: Uint8Array;
  /** One byte for each event in order: 1 if it is packed. */
  readonly isPacked: Uint8Array;
}

export function packEvents(events: readonly ChainEvent[]): PackedEvents {
  const isPacked = Uint8Array.from(events, (event) => (event.kind === 'block' && !hasContent(event) ? 1 : 0));
  const empty = events.filter((_, index) => isPacked[index] === 1) as BlockEvent[];
  const heads = Buffer.from(new ArrayBuffer(empty.length * HEAD_BYTES));
  for (const [index, event] of empty.entries()) packHead(event, heads, index * HEAD_BYTES);
  return { events: events.filter((_, index) => isPacked[index] === 0), heads, isPacked };
}

export function unpackEvents({ events, heads, isPacked }: PackedEvents): ChainEvent[] {
  const bytes = Buffer.from(heads.buffer, heads.byteOffset, heads.byteLength);
  const unpacked: ChainEvent[] = [];
  let [at, next] = [0, 0];
  for (const packed of isPacked) {
    if (packed === 0) unpacked.push(events[next++] as ChainEvent);
    else {
      unpacked.push(unpackHead(bytes, at));
      at += HEAD_BYTES;
    }
  }
  return unpacked;
}

function packHead(event: BlockEvent, to: Buffer, at: number): void {
  to.write(event.indexBlockHash.slice(2), at, 'hex');
  to.write(event.parentIndexBlockHash.slice(2), at + HASH_BYTES, 'hex');
  const { height, burnBlockHeight, burnBlockTime, tenureHeight, chainId, seesOwnBurnBlock } = event;
  const sees = seesOwnBurnBlock === undefined ? undefined : Number(seesOwnBurnBlock);
  let numberAt = at + NUMBERS_AT;
  for (const value of [height, burnBlockHeight, burnBlockTime, tenureHeight, chainId, sees]) {
    to.writeDoubleLE(value ?? Number.NaN, numberAt);
    numberAt += 8;
  }
}

function unpackHead(from: Buffer, at: number): BlockEvent {
  const numberAt = (index: number) => from.readDoubleLE(at + NUMBERS_AT + 8 * index);
  const [time, tenure, chainId, sees] = [numberAt(2), numberAt(3), numberAt(4), numberAt(5)];
  return emptyBlock({
    indexBlockHash: `0x${from.toString('hex', at, at + HASH_BYTES)}`,
    parentIndexBlockHash: `0x${from.toString('hex', at + HASH_BYTES, at + NUMBERS_AT)}`,
    height: numberAt(0),
    burnBlockHeight: numberAt(1),
    ...(Number.isNaN(time) ? {} : { burnBlockTime: time }),
    ...(Number.isNaN(tenure) ? {} : { tenureHeight: tenure }),
    ...(Number.isNaN(chainId) ? {} : { chainId }),
    ...(Number.isNaN(sees) ? {} : { seesOwnBurnBlock: sees === 1 }),
  });
}
