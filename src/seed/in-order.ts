// Puts the lines of canonical blocks into the order of the chain. Archives may have them in any order.
import type { SeedLine } from './part-writer.ts';

/** The maximum number of bytes in memory. Lines above it are dropped, and found again in another pass. */
const MAX_HELD_BYTES = 64_000_000;
/** The memory of a block without content. */
const HEAD_BYTES = 500;

/** `read`: yields the lines of all archives in any order. `maxBytes` is substituted in tests. */
export function inOrder(read: () => AsyncGenerator<SeedLine>, maxBytes = MAX_HELD_BYTES) {
  const held = new Map<number, SeedLine>();
  let lines = read();
  let [bytes, isComplete, hasTaken] = [0, true, false];
  return {
    take,
    /** Reads the current pass to its end. */
    async finish(): Promise<void> {
      while ((await lines.next()).done !== true);
    },
    close: () => lines.return(undefined),
  };

  /** Returns the line of a height; undefined if the archives lack it. Heights must ascend. */
  async function take(height: number): Promise<SeedLine | undefined> {
    for (;;) {
      const line = held.get(height);
      if (line !== undefined) {
        hasTaken = true;
        release(height, line);
        return line;
      }
      const next = await lines.next();
      if (next.done !== true) hold(next.value, height);
      // Another pass finds the lines that this pass dropped, unless it would find the same ones.
      else if (isComplete || !hasTaken) return undefined;
      else [lines, isComplete, hasTaken] = [read(), true, false];
    }
  }

  function hold(line: SeedLine, from: number): void {
    const { height } = line.head;
    // The first line of a block counts.
    if (height < from || held.has(height)) return;
    held.set(height, line);
    bytes += sizeOf(line);
    if (bytes <= maxBytes) return;
    isComplete = false;
    // Keeps the lowest heights, which are needed first.
    for (const highest of [...held.keys()].sort((left, right) => right - left)) {
      if (bytes <= maxBytes / 2 || highest === from) break;
      release(highest, held.get(highest) as SeedLine);
    }
  }

  function release(height: number, line: SeedLine): void {
    held.delete(height);
    bytes -= sizeOf(line);
  }
}

function sizeOf({ text }: SeedLine): number {
  return HEAD_BYTES + (text?.length ?? 0);
}
