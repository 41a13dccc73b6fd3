// Tests a reader with inputs that third parties could send: valid inputs, edited inputs and random bytes. The fixtures
// in `test/fixtures/fuzz` are inputs too.
//
//   SEED=7             the seed of the inputs
//   SOAK_SECONDS=60    the duration of the test, instead of a fixed number of inputs
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SOAK_MS } from '../../support/soak.ts';
import { type Edit, edited } from './edits.ts';
import { watchForHangs } from './watch-for-hangs.ts';

export interface Surface {
  /** The name of the surface (the tested reader), and of its folder in `test/fixtures/fuzz`. */
  readonly name: string;
  readonly valid: fc.Arbitrary<Buffer>;
  /** Edits with knowledge of the format. Used as often as edits of bytes. */
  readonly edit?: fc.Arbitrary<Edit>;
  /** Texts with a special meaning for this reader, which edits insert. */
  readonly tokens?: readonly (string | Buffer)[];
  /** Reads an input like the program. Returns true if the program accepts the input. Throws if the result is a bug. */
  readonly read: (input: Buffer) => boolean | Promise<boolean>;
  /** The number of inputs to test without SOAK_SECONDS. */
  readonly inputs: number;
  /** The maximum processor time of an input, in addition to a time proportional to its length. */
  readonly limitMs?: number;
}

const FIXTURES = fileURLToPath(new URL('../../fixtures/fuzz', import.meta.url));
/** The time limit of a test in addition to SOAK_SECONDS, many times the time on an idle machine. */
const PATIENCE_MS = 600_000;
const VALID_INPUTS = 20;
/** The maximum length of inputs that a message shows uncompressed. Longer inputs are mostly repetitive. */
const LONGEST_PLAIN = 500;
/** The processor time per byte. At the tested lengths, a reader with quadratic cost would need more. */
const MS_PER_BYTE = 0.003;
const LIMIT_MS = 2_000;
const LIMIT_KB = 300_000;
/** The memory per byte. Ten parses of text that consists of parentheses need this much before garbage collection. */
const KB_PER_BYTE = 1;

export function fuzz(surface: Surface): void {
  const { name, valid, edit, tokens, inputs } = surface;
  const seed = Number(process.env.SEED ?? crc32(name)) | 0;
  const watch = watchForHangs(name);
  const read = async (input: Buffer): Promise<boolean> => {
    watch.begin(input);
    try {
      return await readWithinLimits(surface, input);
    } finally {
      watch.end();
    }
  };

  describe(name, () => {
    test('accepts valid inputs', async () => {
      const property = fc.asyncProperty(printable(valid), ({ bytes }) => read(bytes));
      await fc.assert(property, { seed, numRuns: Math.min(VALID_INPUTS, inputs) });
    });

    const limitMs = SOAK_MS + PATIENCE_MS;
    test('accepts or refuses any other input', { timeout: limitMs }, async () => {
      const property = fc.asyncProperty(printable(edited(valid, tokens, edit)), async ({ bytes }) => {
        await read(bytes);
      });
      const soak = { numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit: SOAK_MS };
      await fc.assert(property, { seed, ...(SOAK_MS > 0 ? soak : { numRuns: inputs }) });
    });

    test.each(fixturesOf(name))('accepts or refuses %s', async (file) => {
      await read(readFileSync(join(FIXTURES, name, file)));
    });
  });
}

/** Generates inputs that a message shows as text, to save in `test/fixtures/fuzz`. */
const printable = (arbitrary: fc.Arbitrary<Buffer>) =>
  arbitrary.map((bytes) => ({ bytes, [fc.toStringMethod]: () => toText(bytes) }));

function toText(input: Buffer): string {
  if (input.length <= LONGEST_PLAIN) return `base64: ${input.toString('base64')}`;
  return `gzip, base64: ${gzipSync(input).toString('base64')}`;
}

/**
 * Reads an input. Returns true if it is accepted. Throws the reader's errors, and an error if the used time or memory
 * exceeds a limit.
 */
async function readWithinLimits({ read, limitMs = LIMIT_MS }: Surface, input: Buffer): Promise<boolean> {
  const memory = process.resourceUsage().maxRSS;
  const start = process.cpuUsage();
  const isAccepted = await read(input);
  const { user, system } = process.cpuUsage(start);
  const kilobytes = process.resourceUsage().maxRSS - memory;
  expect((user + system) / 1_000, 'processor time in ms').toBeLessThan(limitMs + input.length * MS_PER_BYTE);
  expect(kilobytes, 'memory in KB').toBeLessThan(LIMIT_KB + input.length * KB_PER_BYTE);
  return isAccepted;
}

function fixturesOf(name: string): string[] {
  const folder = join(FIXTURES, name);
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}
