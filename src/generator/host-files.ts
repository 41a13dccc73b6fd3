// Writes the files for the hosts of a build: some into the site, others into a folder next to it.

import { mkdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { readIfExists } from '#files/read-if-exists.ts';
import { writeAtomically } from '#files/write-atomically.ts';
import type { Host, HostSite, ProgramName } from '#hosts/host.ts';
import { readBundle } from '#site/bundle.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { hostsFolder } from './open-output.ts';

/** Returns the site, as the adapters of hosts receive it. */
export function siteOf(out: string): HostSite {
  return {
    rules: SITE_RULES,
    folder: resolve(out),
    // The folders of all hosts have the same parent.
    relativeFolder: relative(join(hostsFolder(out), 'host'), out),
    program: programText,
  };
}

/** Returns the source of a bundled program in hosts/edge, after definitions of the constants that it declares. */
function programText(name: ProgramName, constants: Readonly<Record<string, unknown>>): string {
  const values = Object.entries(constants).map(
    ([constant, value]) => `const ${constant} = ${JSON.stringify(value)};\n`,
  );
  return `${values.join('')}${readBundle(`edge/${name}.js`)}`;
}

/** Returns the files of hosts within the site. Hosts that share a file render it identically. */
export function hostFilesInSite(hosts: readonly Host[], site: HostSite): { path: string; body: string }[] {
  const files = hosts.flatMap((host) => host.files(site)).filter(({ where }) => where === 'site');
  return [...new Map(files.map(({ path, text }) => [path, { path, body: text }])).values()];
}

/** Writes the files outside the site that are missing or differ, each atomically. Returns the paths of all of them. */
export async function writeHostFiles(hosts: readonly Host[], out: string): Promise<string[]> {
  const site = siteOf(out);
  const written: string[] = [];
  for (const host of hosts)
    for (const { where, path, text } of host.files(site)) {
      if (where === 'site') continue;
      const file = join(hostsFolder(out), host.name, path);
      written.push(file);
      if (readIfExists(file)?.toString() === text) continue;
      mkdirSync(dirname(file), { recursive: true });
      await writeAtomically(file, text);
    }
  return written;
}
