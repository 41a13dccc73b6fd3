// Mutates bytes of any format: flips bits, changes lengths, and cuts, repeats and splices parts.
import type { Random } from '../../support/random.ts';

/**
 * The maximum length of a mutated input. Most inputs are much shorter; only the repetition of bytes reaches the
 * maximum.
 */
const MAX_BYTES = 300_000;
const MAX_USUAL_REPETITION = 2_000;
/** Values of lengths and counts at which readers often fail. */
const NUMBERS = [0, 1, 2, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff];
const NASTY_BYTES = Buffer.from([0x00, 0x09, 0x0a, 0x20, 0x22, 0x5c, 0x7f, 0x80, 0xa0, 0xc0, 0xed, 0xff]);

interface Material {
  /** Inputs to splice parts from. */
  readonly inputs: readonly Buffer[];
  /** Texts with a special meaning for the tested reader, to insert. */
  readonly tokens: readonly string[];
}

type Mutation = (random: Random, input: Buffer, material: Material) => Buffer;

/** Mutates an input one to four times. */
export function mutateBytes(random: Random, input: Buffer, material: Material): Buffer {
  let mutated = input;
  for (let left = 1 + random.below(4); left > 0; left--) {
    mutated = random.pick(MUTATIONS)(random, mutated, material).subarray(0, MAX_BYTES);
  }
  return mutated;
}

const MUTATIONS: readonly Mutation[] = [
  (random, input) => overwrite(input, random.below(input.length), (byte) => byte ^ (1 << random.below(8))),
  (random, input) => overwrite(input, random.below(input.length), () => random.pick([...NASTY_BYTES])),
  (random, input) => overwrite(input, random.below(input.length), (byte) => byte + random.pick([-1, 1])),
  writeNumber,
  (random, input) => input.subarray(0, random.below(input.length + 1)),
  (random, input) => input.subarray(random.below(input.length + 1)),
  (random, input) => replace(input, ...slice(random, input), Buffer.alloc(0)),
  (random, input) => insert(random, input, input.subarray(...slice(random, input))),
  (random, input) => insert(random, input, random.bytes(1 + random.length(40))),
  (random, input, { tokens }) => insert(random, input, Buffer.from(random.pick(tokens) ?? '')),
  (random, input, { inputs }) => {
    const other = random.pick(inputs) ?? input;
    return replace(input, ...slice(random, input), other.subarray(...slice(random, other)));
  },
  (random, input, { inputs }) => {
    const other = random.pick(inputs) ?? input;
    return Buffer.concat([
      input.subarray(0, random.below(input.length + 1)),
      other.subarray(random.below(other.length)),
    ]);
  },
  swap,
  stutter,
];

function overwrite(input: Buffer, at: number, change: (byte: number) => number): Buffer {
  const changed = Buffer.from(input);
  if (at < changed.length) changed[at] = change(changed[at] as number);
  return changed;
}

function replace(input: Buffer, from: number, end: number, by: Buffer): Buffer {
  return Buffer.concat([input.subarray(0, from), by, input.subarray(end)]);
}

function insert(random: Random, input: Buffer, bytes: Buffer): Buffer {
  const at = random.below(input.length + 1);
  return replace(input, at, at, bytes);
}

/** Returns the start and end of a random part of the input, which is usually short. */
function slice(random: Random, input: Buffer): [number, number] {
  const from = random.below(input.length + 1);
  return [from, from + random.length(input.length - from + 1)];
}

/**
 * Overwrites 1, 2 or 4 bytes with a number in either byte order, since these bytes may be a length, a count or a size.
 */
function writeNumber(random: Random, input: Buffer): Buffer {
  const width = random.pick([1, 2, 4]);
  if (input.length < width) return input;
  const number = (random.chance(0.3) ? input.length + random.below(5) - 2 : random.pick(NUMBERS)) % 256 ** width;
  const changed = Buffer.from(input);
  const at = random.below(input.length - width + 1);
  if (random.chance(0.5)) changed.writeUIntBE(Math.max(number, 0), at, width);
  else changed.writeUIntLE(Math.max(number, 0), at, width);
  return changed;
}

/** Swaps two parts of the input. */
function swap(random: Random, input: Buffer): Buffer {
  const cuts = Array.from({ length: 4 }, () => random.below(input.length + 1)).sort((left, right) => left - right);
  const parts = [0, ...cuts].map((from, at) => input.subarray(from, cuts[at]));
  return Buffer.concat([0, 3, 2, 1, 4].map((at) => parts[at] as Buffer));
}

/** Repeats a few bytes many times, for example to nest values, which reveals costs that grow faster than the length. */
function stutter(random: Random, input: Buffer): Buffer {
  const from = random.below(input.length + 1);
  const end = from + 1 + random.below(8);
  const repeated = input.subarray(from, end);
  const bytes = random.chance(0.02) ? MAX_BYTES : random.length(MAX_USUAL_REPETITION);
  return replace(input, from, end, Buffer.alloc(repeated.length === 0 ? 0 : bytes, repeated));
}
