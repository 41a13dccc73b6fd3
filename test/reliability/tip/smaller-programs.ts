// Makes smaller versions of a program, to find the smallest program that fails.
import { parseSource } from '#clarity/parse-source.ts';
import type { Program } from './program.ts';

/** Yields copies of a program, each without some consecutive steps, or without one definition of a deploy. */
export function* smallerPrograms(program: Program): Generator<Program> {
  const { steps } = program;
  for (let size = steps.length >> 1; size > 0; size >>= 1)
    for (let at = 0; at < steps.length; at += size) yield { ...program, steps: steps.toSpliced(at, size) };
  for (const [at, step] of steps.entries()) {
    if (!('deploy' in step)) continue;
    for (const { start, end } of parseSource(step.source)) {
      const source = step.source.slice(0, start) + step.source.slice(end).trimStart();
      yield { ...program, steps: steps.with(at, { ...step, source }) };
    }
  }
}
