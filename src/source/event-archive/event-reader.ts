// Chooses how the JSON of a line is read, by the path of the line: to chain events, or to cut payloads for a seed.
import type { ChainEvent } from '#model/chain-event.ts';
import { BLOCK_RUN_PATH, BlockRunReader, emptyBlock } from '../observer/block-run.ts';
import { type CutPayload, cutEmpty } from '../observer/cut-payload.ts';
import { PayloadCutter } from '../observer/payload-cutter.ts';
import { PayloadReader } from '../observer/read-payload.ts';
import { kindOfPayload, PayloadReducer } from '../observer/reduce-payload.ts';
import { checkedReader } from '../seed/check-line.ts';
import type { OpenReader } from './parse-line.ts';

/** `isSeed`: the lines belong to a seed, which has only lines that the program writes. */
export function eventReader(isSeed = false): OpenReader<ChainEvent | readonly ChainEvent[]> {
  return (path, line) => {
    const kind = kindOfPayload(path);
    const reader =
      path === BLOCK_RUN_PATH
        ? new BlockRunReader(emptyBlock)
        : kind && new PayloadReader<ChainEvent>(new PayloadReducer(kind, isSeed));
    return isSeed ? checkedReader(reader, kind, line) : reader;
  };
}

export const cutReader: OpenReader<CutPayload | readonly CutPayload[]> = (path) => {
  if (path === BLOCK_RUN_PATH) return new BlockRunReader(cutEmpty);
  const kind = kindOfPayload(path);
  return kind && new PayloadReader(new PayloadCutter(kind));
};
