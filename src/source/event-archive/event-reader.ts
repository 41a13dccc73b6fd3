// Chooses how the JSON of a line is read, by the path of the line: to chain events, or to cut payloads for a seed.
import type { ChainEvent } from '#model/chain-event.ts';
import { BLOCK_RUN_PATH, emptyBlock, readBlockRun } from '../observer/block-run.ts';
import { type CutPayload, cutEmpty, cutPayload } from '../observer/cut-payload.ts';
import { MalformedError } from '../observer/malformed-error.ts';
import { parsePayload } from '../observer/parse-payload.ts';
import { kindOfPayload, reducePayload } from '../observer/reduce-payload.ts';
import { checkPayloadLine, checkRunLine } from '../seed/check-line.ts';
import type { OpenReader } from './parse-line.ts';

/** `isSeed`: the lines belong to a seed, which has only lines that the program writes. */
export function eventReader(isSeed = false): OpenReader<ChainEvent> {
  return (path, line) => {
    if (path === BLOCK_RUN_PATH)
      return (json) => {
        const heads = readBlockRun(json);
        if (isSeed) checkRunLine(line, heads);
        return heads.map(emptyBlock);
      };
    const kind = kindOfPayload(path);
    if (kind === undefined) {
      if (isSeed) throw new MalformedError('a seed has no lines of this path');
      return undefined;
    }
    return (json) => {
      const payload = parsePayload(json);
      const event = reducePayload(payload, kind, isSeed);
      if (isSeed) checkPayloadLine(line, payload, kind);
      return [event];
    };
  };
}

export const cutReader: OpenReader<CutPayload> = (path) => {
  if (path === BLOCK_RUN_PATH) return (json) => readBlockRun(json).map(cutEmpty);
  const kind = kindOfPayload(path);
  return kind && ((json) => [cutPayload(parsePayload(json), kind)]);
};
