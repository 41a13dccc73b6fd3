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

/** Returns the problems of a site after an interrupted build: each file must have its old or new version. */
export function checkSite({ before, after }: SiteChange, folder: string): string[] {
  const tree = treeOf(folder);
  return [...new Set([...before.keys(), ...after.keys(), ...tree.keys()])]
    .filter((path) => ![before.get(path), after.get(path)].includes(tree.get(path)))
    .map((path) => `${path} has neither its old nor its new version: ${tree.get(path)?.length ?? 'no'} bytes`);
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

/**
 * Returns descriptions of the first three differences between two trees, each with the text around the first differing
 * character.
 */
export function treeDifferences(tree: Tree, expected: Tree): string[] {
  const paths = [...new Set([...tree.keys(), ...expected.keys()])].filter(
    (path) => tree.get(path) !== expected.get(path),
  );
  return paths.slice(0, 3).map((path) => {
    const [has, wanted] = [tree.get(path) ?? 'nothing', expected.get(path) ?? 'nothing'];
    const at = [...has].findIndex((character, index) => character !== wanted[index]);
    const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 150), at + 150));
    return `${path} has ${around(has)} instead of ${around(wanted)} (one of ${paths.length} differences)`;
  });
}
