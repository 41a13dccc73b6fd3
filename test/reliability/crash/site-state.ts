// What may be seen in an output folder while a build is under way, killed or cut off: each file as it was or as it will
// be, and no removal before all writes.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from '../../support/sample.ts';
import { describeOperation, type Operation } from './operation-log.ts';

/** Files by path, their bytes as latin1. */
export type Tree = ReadonlyMap<string, string>;

interface SiteChange {
  readonly before: Tree;
  readonly after: Tree;
}

/** All files below a folder but the build's bookkeeping; none if there is no such folder. */
export function treeOf(folder: string): Tree {
  if (!existsSync(folder)) return new Map();
  return new Map(filesBelow(folder).map((path) => [path, readFileSync(join(folder, path), 'latin1')]));
}

type Seen = 'same' | 'old' | 'new' | { readonly problem: string };

/** What a reader makes of the bytes at a path; undefined is a missing file. */
function judge({ before, after }: SiteChange, path: string, bytes: string | undefined): Seen {
  const [old, next] = [before.get(path), after.get(path)];
  if (old === next && bytes === old) return 'same';
  if (bytes === next) return 'new';
  if (bytes === old) return 'old';
  if (bytes === undefined) return { problem: `${path} is missing, and is there before and after the build` };
  if (old === undefined && next === undefined)
    return { problem: `${path} is neither of before nor of after the build` };
  return { problem: `${path} is torn: ${bytes.length} bytes, and none of its versions` };
}

/**
 * What is wrong with a site at rest, whatever stopped the build. `inOrder`: whether all writes come before the first
 * removal, as they do unless the power was cut.
 */
export function checkSite(change: SiteChange, folder: string, inOrder: boolean): string[] {
  const tree = treeOf(folder);
  const problems: string[] = [];
  let notYetWritten: string | undefined;
  let removed: string | undefined;
  for (const path of new Set([...change.before.keys(), ...change.after.keys(), ...tree.keys()])) {
    const seen = judge(change, path, tree.get(path));
    if (typeof seen === 'object') problems.push(seen.problem);
    else if (seen === 'old' && change.after.has(path)) notYetWritten ??= path;
    else if (seen === 'new' && !change.after.has(path)) removed ??= path;
  }
  if (inOrder && notYetWritten !== undefined && removed !== undefined)
    problems.push(`${removed} is removed already, and ${notYetWritten} is not written yet`);
  return problems;
}

/**
 * What a reader may not see while a run is at work: a served file that comes otherwise than whole, by renaming, that
 * changes twice, or that comes behind a removal.
 */
export function checkOperations(operations: readonly Operation[]): string[] {
  const problems: string[] = [];
  const changed = new Set<string>();
  let removal: string | undefined;
  for (const operation of operations.filter(({ result }) => result >= 0)) {
    const { kind, path, to } = operation;
    const served = [path, to].find((one) => /^dist\/(?!\.stxpress\/)/.test(one));
    if (served === undefined || !/^(create|truncate|write|link|rename|unlink)$/.test(kind)) continue;
    const text = describeOperation(operation);
    if (kind !== 'unlink' && (kind !== 'rename' || served !== to))
      problems.push(`${text}: it is not put in place whole`);
    if (changed.has(served)) problems.push(`${text}: it has changed before`);
    changed.add(served);
    if (kind === 'unlink') removal ??= text;
    else if (removal !== undefined) problems.push(`${text}: behind ${removal}`);
  }
  return problems;
}

export function differingPaths(tree: Tree, other: Tree): string[] {
  return [...new Set([...tree.keys(), ...other.keys()])].filter((path) => tree.get(path) !== other.get(path));
}

/** The first differences of two trees, each with what is around the place where it begins. */
export function treeDifferences(tree: Tree, expected: Tree): string[] {
  const paths = differingPaths(tree, expected);
  return paths.slice(0, 3).map((path) => {
    const [has, wanted] = [tree.get(path) ?? 'nothing', expected.get(path) ?? 'nothing'];
    const at = [...has].findIndex((character, index) => character !== wanted[index]);
    const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 150), at + 150));
    return `${path} has ${around(has)} instead of ${around(wanted)} (one of ${paths.length} differences)`;
  });
}
