// Nests serialized Clarity values deeper than the language allows.
import type { Random } from '../../support/random.ts';

const WRAPPERS = ['07', '08', '0a', '0b00000001', '0b0000ffff', '0c000000010161', '0cffffffff00'].map((hex) =>
  Buffer.from(hex, 'hex'),
);
/** Depths around the language's limit of 32 and the decoder's limit of 64, and two far above. */
const DEPTHS = [1, 31, 32, 33, 63, 64, 65, 66, 1_000, 20_000];

/** Inserts the type bytes of nested values at a random offset. */
export function nest(random: Random, input: Buffer): Buffer {
  const depth = random.pick(DEPTHS);
  const wrapper = random.pick(WRAPPERS);
  const at = random.chance(0.5) ? 0 : random.below(input.length + 1);
  return Buffer.concat([input.subarray(0, at), Buffer.alloc(depth * wrapper.length, wrapper), input.subarray(at)]);
}
