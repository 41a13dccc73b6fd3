// Writes the files that hosts need outside the site. Remembers their state, since rendering them would double the time
// of a build without changes.

import { rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Host } from '#hosts/host.ts';
import { readValues, writeValues } from '#sqlite/info.ts';
import { hostsFolder } from './open-output.ts';
import { syncToDisk } from './place-files.ts';
import { type BuildRecord, readOrigin } from './record/build-record.ts';

interface HostStamp {
  readonly origin: string;
  readonly files: readonly string[];
  /** The size and time of each of `files`, in the same order. */
  readonly states: readonly string[];
}

/** Writes the files of hosts for the current site, and removes files that the hosts no longer need. */
export async function writeHosts(hosts: readonly Host[], out: string, record: BuildRecord): Promise<void> {
  if (hosts.length === 0) return;
  const site = resolve(out);
  const { history, revision, fingerprint, extras } = (await readOrigin(record)) ?? {};
  // The path of the site is included, since some files contain it.
  const origin = [history, revision, fingerprint, extras, site].join(' ');
  const { host_files: text } = await readValues(record);
  const stamp = text === undefined ? undefined : (JSON.parse(text) as HostStamp);
  if (stamp?.origin === origin && stamp.files.every((file, index) => stateOf(file) === stamp.states[index])) return;
  const { writeHostFiles } = await import('./host-files.ts');
  const files = await writeHostFiles(hosts, site);
  // Files of an older version may have other names. They are removed only from the folders of these hosts.
  const folders = hosts.map(({ name }) => join(hostsFolder(site), name, '/'));
  for (const obsolete of new Set(stamp?.files).difference(new Set(files)))
    if (folders.some((folder) => obsolete.startsWith(folder))) rmSync(obsolete, { force: true });
  if (files.length > 0) await syncToDisk(hostsFolder(site));
  const stampNow: HostStamp = { origin, files, states: files.map(stateOf) };
  await writeValues(record, { host_files: JSON.stringify(stampNow) });
}

function stateOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? 'missing' : `${stats.size} ${stats.mtimeMs}`;
}
