// Reads an input, and checks that time and memory grow at most in proportion to its length.
import type { Surface } from './fuzz.ts';

/** Time limit per byte: more than any reader needs, but less than a quadratic reader takes for the tested lengths. */
const MS_PER_BYTE = 0.003;
const LIMIT_MS = 2_000;
const LIMIT_KB = 300_000;
/** Memory limit per byte: ten parses of only parentheses, before garbage collection. */
const KB_PER_BYTE = 1;

/** Returns true if the input is accepted. Throws errors of the reader, and CostError for too high costs. */
export async function readWithinLimits(surface: Surface, input: Buffer): Promise<boolean> {
  const memory = process.resourceUsage().maxRSS;
  // Measures processor time, which does not depend on other programs.
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
