// Finds the program of a server on this machine; Debian keeps some of them where a user's PATH does not look.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/sbin', '/sbin'];

export function findProgram(name: string): string {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...SYSTEM_FOLDERS];
  const found = folders.map((folder) => join(folder, name)).find(isExecutable);
  if (found === undefined)
    throw new Error(`${name} is not installed; install it with: node test/conformance/install.mjs`);
  return found;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
