// Tests a reader with inputs that third parties could send: valid inputs, mutated inputs and random bytes, all made from
// a seed. The fixtures in `test/fixtures/fuzz` are inputs too.
//
//   FUZZ_SEED=7        the seed of the inputs, or `random` for a different one in each run
//   FUZZ_SECONDS=60    the duration of the test, instead of a fixed number of inputs
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { Random } from '../../support/random.ts';
import { shrink } from '../shrink.ts';
import { mutateBytes } from './mutate-bytes.ts';
import { CostError, readWithinLimits } from './read-within-limits.ts';
import { watchForHangs } from './watch-for-hangs.ts';

export interface Surface {
  /** The name of the surface (the tested reader), and of its folder in `test/fixtures/fuzz`. */
  readonly name: string;
  /** Returns valid inputs, at most a few dozen. The fuzzer mutates them to make other inputs. */
  readonly valid: (random: Random) => readonly Buffer[] | Promise<readonly Buffer[]>;
  /** Mutates an input with knowledge of its format. Used as often as {@link mutateBytes}. */
  readonly mutate?: (random: Random, input: Buffer) => Buffer;
  /** Texts with a special meaning for this reader, which mutations insert. */
  readonly tokens?: readonly string[];
  /** Reads an input like the program. Returns true if the program accepts the input. Throws if the result is a bug. */
  readonly read: (input: Buffer) => boolean | Promise<boolean>;
  /** The number of inputs to test without FUZZ_SECONDS. */
  readonly inputs: number;
  /** The maximum processor time of an input, in addition to a time proportional to its length. */
  readonly limitMs?: number;
}

const FIXTURES = fileURLToPath(new URL('../../fixtures/fuzz', import.meta.url));
/** The test's time limit in addition to FUZZ_SECONDS: time to make the first inputs, and to shrink the last one. */
const PATIENCE_MS = 180_000;
const SHRINKING_MS = 5_000;
/** The maximum length of inputs that a message shows uncompressed. Longer inputs are mostly repetitive. */
const LONGEST_PLAIN = 500;
/** The number of inputs after which `valid` makes new inputs. */
const INPUTS_PER_POOL = 2_000;

export function fuzz(surface: Surface): void {
  const { name } = surface;
  const seconds = Number(process.env.FUZZ_SECONDS ?? 0);
  const seed = seedOf(name);
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
    test(`accepts valid inputs, seed ${seed}`, async () => {
      for (const input of await surface.valid(new Random(seed))) {
        expect(await read(input), toText(input)).toBe(true);
      }
    });

    test(
      `accepts or refuses any other input, seed ${seed}`,
      async () => {
        const start = performance.now();
        const isOver = (index: number) =>
          seconds === 0 ? index >= surface.inputs : performance.now() - start > seconds * 1_000;
        let pool: readonly Buffer[] = [];
        let accepted = 0;
        let index = 0;
        for (; !isOver(index); index++) {
          const random = new Random(seed + Math.imul(index + 1, 0x9e3779b1));
          if (index % INPUTS_PER_POOL === 0) pool = await surface.valid(random);
          const input = generate(surface, random, pool);
          try {
            if (await read(input)) accepted++;
          } catch (error) {
            const small = await shorten(input, error, read);
            throw new Error(report(surface, seed, index, small, error), { cause: error });
          }
        }
        const summary = `${name}: seed ${seed}, ${index} inputs, ${accepted} accepted, in ${seconds} s\n`;
        if (seconds > 0) process.stderr.write(summary);
      },
      seconds * 1_000 + PATIENCE_MS,
    );

    test.each(fixturesOf(name))('accepts or refuses %s', async (file) => {
      await read(readFileSync(join(FIXTURES, name, file)));
    });
  });
}

function generate({ mutate, tokens = [] }: Surface, random: Random, pool: readonly Buffer[]): Buffer {
  if (random.chance(0.03)) return random.bytes(random.length(1_000));
  const input = random.pick(pool);
  const material = { inputs: pool, tokens };
  if (mutate === undefined || random.chance(0.5)) return mutateBytes(random, input, material);
  const mutated = mutate(random, input);
  return random.chance(0.2) ? mutateBytes(random, mutated, material) : mutated;
}

/** Finds a shorter input that fails with the same error, within {@link SHRINKING_MS}. */
async function shorten(input: Buffer, error: unknown, read: (input: Buffer) => Promise<boolean>): Promise<Buffer> {
  // A shorter input costs less, so it would not fail in the same way.
  if (error instanceof CostError) return input;
  // Compares only the beginning of the message, since its end may quote the input.
  const kindOf = (thrown: unknown) =>
    thrown instanceof Error ? `${thrown.name} ${thrown.message.slice(0, 15)}` : thrown;
  const fails = (shorter: Buffer) =>
    read(shorter).then(
      () => false,
      (thrown: unknown) => kindOf(thrown) === kindOf(error),
    );
  return shrink(input, shorterInputs, fails, performance.now() + SHRINKING_MS);
}

function* shorterInputs(input: Buffer): Generator<Buffer> {
  for (let size = input.length >> 1; size > 0; size >>= 1)
    for (let at = 0; at < input.length; at += size)
      yield Buffer.concat([input.subarray(0, at), input.subarray(at + size)]);
}

function seedOf(name: string): number {
  const wanted = process.env.FUZZ_SEED;
  if (wanted === undefined) return crc32(name);
  return wanted === 'random' ? Math.floor(Math.random() * 2 ** 32) : Number(wanted);
}

function fixturesOf(name: string): string[] {
  const folder = join(FIXTURES, name);
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

function report({ name }: Surface, seed: number, index: number, input: Buffer, error: unknown): string {
  return `${name}: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}
FUZZ_SEED=${seed}, input ${index}, shrunk to ${input.length} bytes. Save it in test/fixtures/fuzz/${name} to repeat it; ${toText(input)}`;
}

function toText(input: Buffer): string {
  if (input.length <= LONGEST_PLAIN) return `base64:\n${input.toString('base64')}`;
  return `gzip, base64:\n${gzipSync(input).toString('base64')}`;
}
