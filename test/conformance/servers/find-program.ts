// Finds the program of a server. Also searches system folders that Debian omits from a user's PATH.
import { spawnSync } from 'node:child_process';

const SYSTEM_FOLDERS = '/usr/local/sbin:/usr/sbin:/sbin';

export function findProgram(name: string): string {
  const env = { PATH: `${process.env.PATH}:${SYSTEM_FOLDERS}` };
  const { stdout } = spawnSync('/bin/sh', ['-c', 'command -v "$0"', name], { env, encoding: 'utf8' });
  if (stdout === '') throw new Error(`${name} is not installed. Install it with: node test/conformance/install.mjs`);
  return stdout.trim();
}
