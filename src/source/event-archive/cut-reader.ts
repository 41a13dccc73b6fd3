// Chooses how the JSON of a line is cut, by the path of the line.
import { BLOCK_RUN_PATH, BlockRunReader } from '../observer/block-run.ts';
import { type CutPayload, cutEmpty } from '../observer/cut-payload.ts';
import { PayloadCutter } from '../observer/payload-cutter.ts';
import { PayloadReader } from '../observer/read-payload.ts';
import { kindOfPayload } from '../observer/reduce-payload.ts';
import type { OpenReader } from './parse-line.ts';

export function cutReader(): OpenReader<CutPayload | readonly CutPayload[]> {
  return (path) => {
    if (path === BLOCK_RUN_PATH) return new RunCutter();
    const kind = kindOfPayload(path);
    return kind && new PayloadReader(new PayloadCutter(kind));
  };
}

class RunCutter {
  readonly #reader = new BlockRunReader();

  push(bytes: Buffer): void {
    this.#reader.push(bytes);
  }

  finish(bytes: Buffer): CutPayload[] {
    return this.#reader.finish(bytes).map(cutEmpty);
  }
}
