// Feeds one surface what strangers could send, from a seed: valid inputs, mutated ones, random bytes, and every file of
// its fixtures.
//
//   FUZZ_SEED=7        another seed than the surface's own; `random` for any
//   FUZZ_SECONDS=60    go on for so long, instead of the number of inputs that every run reads
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
  /** Its folder below `test/fixtures/fuzz`. */
  readonly name: string;
  /** Valid inputs, from which others are made; at most a few dozen. */
  readonly valid: (random: Random) => readonly Buffer[] | Promise<readonly Buffer[]>;
  /** What only this surface's inputs can suffer, tried as often as the mutations of any bytes. */
  readonly mutate?: (random: Random, input: Buffer) => Buffer;
  /** Texts that mean something here. */
  readonly tokens?: readonly string[];
  /** Reads one input as the program does, whether it was understood; throws at what must not come out of it. */
  readonly read: (input: Buffer) => boolean | Promise<boolean>;
  /** How many inputs a run reads that is given no time. */
  readonly inputs: number;
  /** Processor time that an input may take beside what its length explains. */
  readonly limitMs?: number;
}

const FIXTURES = fileURLToPath(new URL('../../fixtures/fuzz', import.meta.url));
/** Beside the time that is given: to make the first inputs, and to shrink the last. */
const PATIENCE_MS = 180_000;
const SHRINKING_MS = 5_000;
/** Longer inputs are shown compressed: most of them repeat themselves. */
const LONGEST_PLAIN = 500;
/** Valid inputs are made anew after so many inputs. */
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
    test(`behavior: valid inputs are understood, seed ${seed}`, async () => {
      for (const input of await surface.valid(new Random(seed))) {
        expect(await read(input), toText(input)).toBe(true);
      }
    });

    test(
      `behavior: any other input is understood or refused, seed ${seed}`,
      async () => {
        const start = performance.now();
        const isOver = (index: number) =>
          seconds === 0 ? index >= surface.inputs : performance.now() - start > seconds * 1_000;
        let pool: readonly Buffer[] = [];
        let understood = 0;
        let index = 0;
        for (; !isOver(index); index++) {
          const random = new Random(seed + Math.imul(index + 1, 0x9e3779b1));
          if (index % INPUTS_PER_POOL === 0) pool = await surface.valid(random);
          const input = generate(surface, random, pool);
          try {
            if (await read(input)) understood++;
          } catch (error) {
            const small = await shorten(input, error, read);
            throw new Error(report(surface, seed, index, small, error), { cause: error });
          }
        }
        const told = `${name}: seed ${seed}, ${index} inputs, ${understood} understood, in ${seconds} s\n`;
        if (seconds > 0) process.stderr.write(told);
      },
      seconds * 1_000 + PATIENCE_MS,
    );

    test.each(fixturesOf(name))('behavior: %s', async (file) => {
      await read(readFileSync(join(FIXTURES, name, file)));
    });
  });
}

function generate({ mutate, tokens = [] }: Surface, random: Random, pool: readonly Buffer[]): Buffer {
  if (random.chance(0.03)) return random.bytes(random.length(1_000));
  const input = random.pick(pool);
  const material = { others: pool, tokens };
  if (mutate === undefined || random.chance(0.5)) return mutateBytes(random, input, material);
  const mutated = mutate(random, input);
  return random.chance(0.2) ? mutateBytes(random, mutated, material) : mutated;
}

/** A shorter input that fails in the same way, looked for as long as {@link SHRINKING_MS}. */
async function shorten(input: Buffer, error: unknown, read: (input: Buffer) => Promise<boolean>): Promise<Buffer> {
  // A cost depends on the length.
  if (error instanceof CostError) return input;
  // Messages quote the input behind their first words.
  const kindOf = (thrown: unknown) =>
    thrown instanceof Error ? `${thrown.name} ${thrown.message.slice(0, 15)}` : thrown;
  const fails = (shorter: Buffer) =>
    read(shorter).then(
      () => false,
      (thrown: unknown) => kindOf(thrown) === kindOf(error),
    );
  return shrink(input, shorterOnes, fails, performance.now() + SHRINKING_MS);
}

function* shorterOnes(input: Buffer): Generator<Buffer> {
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
FUZZ_SEED=${seed}, input ${index}, shrunk to ${input.length} bytes. As a file in test/fixtures/fuzz/${name} it is replayed; ${toText(input)}`;
}

function toText(input: Buffer): string {
  if (input.length <= LONGEST_PLAIN) return `base64:\n${input.toString('base64')}`;
  return `gzip, base64:\n${gzipSync(input).toString('base64')}`;
}
