// Reads one input and measures what it costs: time and memory may grow with its length, and no faster.
import type { Surface } from './fuzz.ts';

/** More than any reader needs, and at the lengths that are tried less than one whose cost is quadratic. */
const MS_PER_BYTE = 0.003;
const LIMIT_MS = 2_000;
const LIMIT_KB = 300_000;
/** Ten parses of nothing but parentheses, which the garbage collector has not looked at yet. */
const KB_PER_BYTE = 1;

/** Whether the input was understood. Throws what reading throws, and for an input that costs too much. */
export async function readWithinLimits(surface: Surface, input: Buffer): Promise<boolean> {
  const memory = process.resourceUsage().maxRSS;
  // Time of the processor: what else the machine does is not the reader's fault.
  const start = process.cpuUsage();
  const understood = await surface.read(input);
  const { user, system } = process.cpuUsage(start);
  const milliseconds = (user + system) / 1_000;
  const kilobytes = process.resourceUsage().maxRSS - memory;
  if (milliseconds > (surface.limitMs ?? LIMIT_MS) + input.length * MS_PER_BYTE) {
    throw new CostError(`${input.length} bytes take ${Math.round(milliseconds)} ms`);
  }
  if (kilobytes > LIMIT_KB + input.length * KB_PER_BYTE)
    throw new CostError(`${input.length} bytes take ${kilobytes} KB of memory`);
  return understood;
}

export class CostError extends Error {}
