// Writes the files that hosts need outside the site, if the site has changed or a file is missing. Rendering them would
// double the time of a build without changes.

import { existsSync } from 'node:fs';
import type { Host } from '#hosts/host.ts';
import { readValues, writeValues } from '#sqlite/info.ts';
import { hostsFolder } from './open-output.ts';
import { syncToDisk } from './place-files.ts';
import type { BuildRecord } from './record/build-record.ts';

export async function writeHosts(hosts: readonly Host[], out: string, record: BuildRecord): Promise<void> {
  if (hosts.length === 0) return;
  // A build that changes the site removes the list.
  const { host_files: written } = await readValues(record);
  if (written !== undefined && (JSON.parse(written) as string[]).every((file) => existsSync(file))) return;
  const { writeHostFiles } = await import('./host-files.ts');
  const files = await writeHostFiles(hosts, out);
  if (files.length > 0) await syncToDisk(hostsFolder(out));
  await writeValues(record, { host_files: JSON.stringify(files) });
}
