// Decides how long tests with random input go on. Two environment variables:
//
//   SOAK_SECONDS=60    the duration of each such test, instead of a small number of rounds
//   SEED=7             the seed of the first round, which is in the message of a failure
export const SOAK_MS = Number(process.env.SOAK_SECONDS ?? 0) * 1_000;

export const SEED = Number(process.env.SEED ?? 1);
export const IS_SOAK = SOAK_MS > 0;

/** Yields the seed of each round: `count` rounds, or more until the duration is over. */
export function* rounds(count: number): Generator<number> {
  const end = performance.now() + SOAK_MS;
  for (let round = 0; round < count || performance.now() < end; round++) yield SEED + round;
}

/** Returns the time limit of a random test in milliseconds: ten times the time on an idle machine, and the soak. */
export function limitOf(idleSeconds: number): number {
  return 10 * (1_000 * idleSeconds + SOAK_MS);
}
