// Reduces a failing program: removes steps, definitions and expressions while the program still fails. Tests many
// reduced programs on one chain.
import { type Expression, headOf, parseSource } from '#clarity/parse-source.ts';
import type { Program, Step } from './program.ts';

/**
 * Tests programs, and returns for each whether it fails. The programs are reduced versions of one program, with
 * different names.
 */
type FindFailing = (programs: readonly Program[]) => Promise<readonly boolean[]>;

/** A reduction of a program: replaces the step `at`, or cuts a part of that step's source. */
interface Change {
  readonly at: number;
  readonly by?: readonly Step[];
  readonly cut?: { readonly start: number; readonly end: number; readonly by: string };
}

/** The maximum number of reduced programs to test on one chain. */
const CANDIDATES_PER_CHAIN = 60;

/** Returns the smallest failing version of a program that was found within the time. */
export async function shrinkProgram<P extends Program>(
  program: P,
  findFailing: FindFailing,
  timeMs: number,
): Promise<P> {
  const end = performance.now() + timeMs;
  let tried = 0;
  const named = (steps: readonly Step[]): P => ({ ...program, name: `${program.name}~${tried++}`, steps });
  let smallest: readonly Step[] = program.steps;
  while (performance.now() < end) {
    const changes = changesOf(smallest);
    const good: Change[] = [];
    for (let at = 0; at < changes.length && performance.now() < end; at += CANDIDATES_PER_CHAIN) {
      const some = changes.slice(at, at + CANDIDATES_PER_CHAIN);
      const fails = await findFailing(some.map((change) => named(apply(smallest, [change]))));
      good.push(...some.filter((_, index) => fails[index] === true));
    }
    const disjoint = selectDisjoint(good);
    if (disjoint.length === 0) break;
    const candidates = [1, 2, 4, 8, 16].flatMap((parts) => split(disjoint, parts)).map((some) => apply(smallest, some));
    candidates.push(apply(smallest, disjoint.slice(0, 1)));
    const fails = await findFailing(candidates.map(named));
    const next = candidates.find((_, index) => fails[index] === true);
    if (next === undefined) break;
    smallest = next;
  }
  return { ...program, name: `${program.name} (shrunk)`, steps: smallest };
}

function split<T>(all: readonly T[], parts: number): T[][] {
  const size = Math.ceil(all.length / parts);
  return Array.from({ length: parts }, (_, part) => all.slice(part * size, (part + 1) * size)).filter(
    ({ length }) => length > 0,
  );
}

/** Selects changes that do not overlap, and prefers larger changes. */
function selectDisjoint(changes: readonly Change[]): Change[] {
  const sizeOf = ({ cut }: Change) =>
    cut === undefined ? Number.POSITIVE_INFINITY : cut.end - cut.start - cut.by.length;
  const taken: Change[] = [];
  for (const change of changes.toSorted((left, right) => sizeOf(right) - sizeOf(left))) {
    const touches = ({ at, cut }: Change) =>
      at === change.at &&
      (cut === undefined || change.cut === undefined || (cut.start < change.cut.end && change.cut.start < cut.end));
    if (!taken.some(touches)) taken.push(change);
  }
  return taken;
}

function apply(steps: readonly Step[], changes: readonly Change[]): readonly Step[] {
  const byStep = Map.groupBy(changes, ({ at }) => at);
  return steps.flatMap((step, at): readonly Step[] => {
    const stepChanges = byStep.get(at) ?? [];
    const replaced = stepChanges.find(({ by }) => by !== undefined)?.by;
    if (replaced !== undefined) return replaced;
    if (!('deploy' in step) || stepChanges.length === 0) return [step];
    let { source } = step;
    for (const { cut } of stepChanges.toSorted((left, right) => (right.cut?.start ?? 0) - (left.cut?.start ?? 0)))
      if (cut !== undefined) source = source.slice(0, cut.start) + cut.by + source.slice(cut.end);
    return [{ ...step, source: source.replaceAll(/\n\s*\n/g, '\n').trim() }];
  });
}

function changesOf(steps: readonly Step[]): Change[] {
  return steps.flatMap((step, at): Change[] => {
    const run = step.run === undefined ? {} : { run: step.run };
    const changes: Change[] = [{ at, by: [] }];
    if ('mine' in step && step.count > 1) changes.push({ at, by: [{ ...step, count: Math.floor(step.count / 2) }] });
    if ('block' in step) {
      changes.push({ at, by: step.block.map((transaction) => ({ ...transaction, ...run })) });
      for (const [index] of step.block.entries())
        if (step.block.length > 1) changes.push({ at, by: [{ ...step, block: step.block.toSpliced(index, 1) }] });
    }
    if ('deploy' in step) changes.push(...cutsOf(step.source).map((cut) => ({ at, cut })));
    return changes;
  });
}

/** Returns the cuts that remove or simplify a part of a source. */
function cutsOf(source: string): NonNullable<Change['cut']>[] {
  const cuts: NonNullable<Change['cut']>[] = [];
  const textOf = ({ start, end }: Expression) => source.slice(start, end);
  const open: Expression[] = [...parseSource(source)];
  for (const { start, end } of open) cuts.push({ start, end, by: '' });
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!('items' in next)) continue;
    const { items, start, end } = next;
    const head = headOf(next) ?? '';
    if (head === 'begin')
      for (const item of items.slice(1, -1)) cuts.push({ start: item.start, end: item.end, by: '' });
    if (['if', 'and', 'or', 'concat', 'not'].includes(head))
      for (const item of items.slice(1)) cuts.push({ start, end, by: textOf(item) });
    if (head === 'default-to' || head === 'int-to-ascii') cuts.push({ start, end, by: '"x"' });
    if (['>', 'is-eq', 'is-some'].includes(head)) cuts.push({ start, end, by: 'true' }, { start, end, by: 'false' });
    open.push(...items);
  }
  return cuts;
}
