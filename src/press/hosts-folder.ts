// The folder beside the output folder in which each host has one of its own.
import { statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Host } from '#hosts/host.ts';
import { stop } from '#model/failure.ts';

export function hostsFolder(out: string): string {
  return join(out, '..', `${basename(resolve(out))}-hosts`);
}

/** Throws FailureError `usage` or `out-unwritable` for what would fail only when the site is in place. */
export function checkFolders(hosts: readonly Host[], out: string): void {
  const folder = resolve(out);
  for (const { name, unquotable } of hosts) {
    if (unquotable?.test(folder))
      throw stop(
        'usage',
        `--out is ${JSON.stringify(folder)}, and the configuration of ${name} cannot name such a folder. ` +
          'Nothing was written; build into another.',
      );
  }
  const beside = hostsFolder(out);
  if (hosts.length > 0 && statSync(beside, { throwIfNoEntry: false })?.isDirectory() === false)
    throw stop(
      'out-unwritable',
      `${beside} is a file where the build writes a folder for each host. ` +
        'Nothing was written; remove it, or name another folder with --out.',
    );
}
