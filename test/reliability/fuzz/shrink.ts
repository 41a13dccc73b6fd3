// Cuts out of a failing input what it fails without, for a few seconds at most.
import { CostError } from './read-within-limits.ts';

const LIMIT_MS = 5_000;

/** A shorter input that fails in the same way. */
export async function shrink(
  read: (input: Buffer) => Promise<boolean>,
  input: Buffer,
  error: unknown,
): Promise<Buffer> {
  // A cost depends on the length.
  if (error instanceof CostError) return input;
  const until = performance.now() + LIMIT_MS;
  let shortest = input;
  for (let size = input.length >> 1; size > 0; ) {
    let isShorter = false;
    for (let at = 0; at < shortest.length; ) {
      if (performance.now() > until) return shortest;
      const candidate = Buffer.concat([shortest.subarray(0, at), shortest.subarray(at + size)]);
      if ((await kindOfFailure(read, candidate)) === kindOf(error)) {
        shortest = candidate;
        isShorter = true;
      } else {
        at += size;
      }
    }
    if (!isShorter) size >>= 1;
  }
  return shortest;
}

async function kindOfFailure(read: (input: Buffer) => Promise<boolean>, input: Buffer): Promise<string | undefined> {
  try {
    await read(input);
    return undefined;
  } catch (error) {
    return kindOf(error);
  }
}

/** Messages quote the input behind their first words. */
function kindOf(error: unknown): string {
  return error instanceof Error ? `${error.name} ${error.message.slice(0, 15)}` : String(error);
}
