// Chooses how the JSON of a line is read to chain events, by the path of the line.
import type { ChainEvent } from '#model/chain-event.ts';
import { BLOCK_RUN_PATH, BlockRunReader } from '../observer/block-run.ts';
import { PayloadReader } from '../observer/read-payload.ts';
import { kindOfPayload, PayloadReducer } from '../observer/reduce-payload.ts';
import type { OpenReader } from './parse-line.ts';

/** `isSeed`: the lines belong to a seed, whose transactions must be the content of their ids. */
export function eventReader(isSeed = false): OpenReader<ChainEvent | readonly ChainEvent[]> {
  return (path) => {
    if (path === BLOCK_RUN_PATH) return new BlockRunReader();
    const kind = kindOfPayload(path);
    return kind && new PayloadReader(new PayloadReducer(kind, isSeed));
  };
}
