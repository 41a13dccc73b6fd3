// Checks the output folder of an interrupted build: each file must have its old or new version, and all writes must
// come before the first removal.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from '../../support/sample.ts';
import { describeOperation, type Operation } from './operation-log.ts';

/** The bytes of files as latin1 strings, by path. */
export type Tree = ReadonlyMap<string, string>;

interface SiteChange {
  readonly before: Tree;
  readonly after: Tree;
}

/** Reads all files in a folder except the build's internal records; empty if the folder is missing. */
export function treeOf(folder: string): Tree {
  if (!existsSync(folder)) return new Map();
  return new Map(filesBelow(folder).map((path) => [path, readFileSync(join(folder, path), 'latin1')]));
}

type Version = 'same' | 'old' | 'new' | { readonly problem: string };

/** Determines whether a file has its old or new version. Undefined bytes stand for a missing file. */
function versionOf({ before, after }: SiteChange, path: string, bytes: string | undefined): Version {
  const [old, next] = [before.get(path), after.get(path)];
  if (old === next && bytes === old) return 'same';
  if (bytes === next) return 'new';
  if (bytes === old) return 'old';
  if (bytes === undefined) return { problem: `${path} is missing, but exists before and after the build` };
  if (old === undefined && next === undefined) return { problem: `${path} exists neither before nor after the build` };
  return { problem: `${path} is torn: its ${bytes.length} bytes match neither version` };
}

/**
 * Returns the problems of a site after an interrupted build. If `inOrder` is true, also checks that all writes came
 * before the first removal. A power cut does not guarantee this order.
 */
export function checkSite(change: SiteChange, folder: string, inOrder: boolean): string[] {
  const tree = treeOf(folder);
  const problems: string[] = [];
  let notYetWritten: string | undefined;
  let removed: string | undefined;
  for (const path of new Set([...change.before.keys(), ...change.after.keys(), ...tree.keys()])) {
    const version = versionOf(change, path, tree.get(path));
    if (typeof version === 'object') problems.push(version.problem);
    else if (version === 'old' && change.after.has(path)) notYetWritten ??= path;
    else if (version === 'new' && !change.after.has(path)) removed ??= path;
  }
  if (inOrder && notYetWritten !== undefined && removed !== undefined)
    problems.push(`${removed} is removed already, and ${notYetWritten} is not written yet`);
  return problems;
}

/**
 * Returns a problem for each operation that readers could notice: a served file is not replaced by a rename, changes
 * twice, or changes after a removal.
 */
export function checkOperations(operations: readonly Operation[]): string[] {
  const problems: string[] = [];
  const changed = new Set<string>();
  let removal: string | undefined;
  for (const operation of operations.filter(({ result }) => result >= 0)) {
    const { kind, path, to } = operation;
    const served = [path, to].find((name) => /^dist\/(?!\.stxpress\/)/.test(name));
    if (served === undefined || !/^(create|truncate|write|link|rename|unlink)$/.test(kind)) continue;
    const text = describeOperation(operation);
    if (kind !== 'unlink' && (kind !== 'rename' || served !== to))
      problems.push(`${text}: the file is not replaced atomically`);
    if (changed.has(served)) problems.push(`${text}: the file changed before`);
    changed.add(served);
    if (kind === 'unlink') removal ??= text;
    else if (removal !== undefined) problems.push(`${text}: after ${removal}`);
  }
  return problems;
}

export function differingPaths(tree: Tree, other: Tree): string[] {
  return [...new Set([...tree.keys(), ...other.keys()])].filter((path) => tree.get(path) !== other.get(path));
}

/**
 * Returns descriptions of the first three differences between two trees, each with the text around the first differing
 * character.
 */
export function treeDifferences(tree: Tree, expected: Tree): string[] {
  const paths = differingPaths(tree, expected);
  return paths.slice(0, 3).map((path) => {
    const [has, wanted] = [tree.get(path) ?? 'nothing', expected.get(path) ?? 'nothing'];
    const at = [...has].findIndex((character, index) => character !== wanted[index]);
    const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 150), at + 150));
    return `${path} has ${around(has)} instead of ${around(wanted)} (one of ${paths.length} differences)`;
  });
}
