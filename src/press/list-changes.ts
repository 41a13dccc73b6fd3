// Writes the list of what a build changed, for uploads and cache purges: a line of JSON a file. Until the changes are
// in place, it is next to the last list.
import { closeSync, copyFileSync, existsSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { RecordedChange } from './record/build-record.ts';

export type ChangeList = ReturnType<typeof openChangeList>;

/** Begins a list that takes the place of `file`, or goes on with it. */
export function openChangeList(file: string, goesOn = false) {
  if (goesOn && existsSync(file)) copyFileSync(file, beside(file));
  const descriptor = openSync(beside(file), goesOn ? 'a' : 'w');
  return {
    add(changes: readonly RecordedChange[]): void {
      const lines = changes.map(({ action, path, hash, bytes }) =>
        JSON.stringify(action === 'write' ? { action, path, sha256: hash, bytes } : { action, path }),
      );
      // Not `writeSync`, which may write a part.
      if (lines.length > 0) writeFileSync(descriptor, `${lines.join('\n')}\n`);
    },
    close: () => closeSync(descriptor),
  };
}

/** Nothing changed: an empty list. */
export function clearChangeList(file: string): void {
  openChangeList(file).close();
  placeChangeList(file);
}

/** Puts a list that is complete in its place; it may be there already. */
export function placeChangeList(file: string): void {
  if (existsSync(beside(file))) renameSync(beside(file), file);
}

/** Removes a list whose changes were never decided. */
export function dropChangeList(file: string): void {
  rmSync(beside(file), { force: true });
}

function beside(file: string): string {
  return `${file}.new`;
}
