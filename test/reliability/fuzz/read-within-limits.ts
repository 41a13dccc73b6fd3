// Reads an input, and checks that the used time and memory grow at most in proportion to the input's length.
import type { Surface } from './fuzz.ts';

/**
 * The time limit per byte. Each reader needs less time; at the tested lengths, a reader with quadratic cost would need
 * more.
 */
const MS_PER_BYTE = 0.003;
const LIMIT_MS = 2_000;
const LIMIT_KB = 300_000;
/**
 * The memory limit per byte. Ten parses of text that consists of parentheses need this much before garbage collection.
 */
const KB_PER_BYTE = 1;

/**
 * Reads an input. Returns true if it is accepted. Throws the reader's errors, and CostError if the costs exceed the
 * limits.
 */
export async function readWithinLimits(surface: Surface, input: Buffer): Promise<boolean> {
  const memory = process.resourceUsage().maxRSS;
  // Unlike wall time, processor time does not depend on other programs.
  const start = process.cpuUsage();
  const accepted = await surface.read(input);
  const { user, system } = process.cpuUsage(start);
  const milliseconds = (user + system) / 1_000;
  const kilobytes = process.resourceUsage().maxRSS - memory;
  if (milliseconds > (surface.limitMs ?? LIMIT_MS) + input.length * MS_PER_BYTE) {
    throw new CostError(`${input.length} bytes take ${Math.round(milliseconds)} ms`);
  }
  if (kilobytes > LIMIT_KB + input.length * KB_PER_BYTE)
    throw new CostError(`${input.length} bytes take ${kilobytes} KB of memory`);
  return accepted;
}

export class CostError extends Error {}
