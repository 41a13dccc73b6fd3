// Writes the files that the hosts of a build need: some into the site, others into a folder next to the site.

import { mkdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { readIfExists } from '#files/read-if-exists.ts';
import { writeAtomically } from '#files/write-atomically.ts';
import type { Host, HostSite, ProgramName } from '#hosts/host.ts';
import { readBundle } from '#site/bundle.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { hostsFolder } from './open-output.ts';

/** Returns the description of the site that is passed to the adapters of hosts. */
export function siteOf(out: string): HostSite {
  return {
    rules: SITE_RULES,
    folder: resolve(out),
    // The folders of hosts are siblings, so one relative path is correct for all of them.
    relativeFolder: relative(join(hostsFolder(out), 'host'), out),
    program: programText,
  };
}

/**
 * Returns the source of a bundled program in hosts/edge. Before the program, it defines the constants that the program
 * declares.
 */
function programText(name: ProgramName, constants: Readonly<Record<string, unknown>>): string {
  const values = Object.entries(constants).map(
    ([constant, value]) => `const ${constant} = ${JSON.stringify(value)};\n`,
  );
  return `${values.join('')}${readBundle(`edge/${name}.js`)}`;
}

/** Returns the files that hosts need in the site. Two hosts may need the same file, with the same content. */
export function hostFilesInSite(hosts: readonly Host[], site: HostSite): { path: string; body: string }[] {
  const files = hosts.flatMap((host) => host.files(site)).filter(({ where }) => where === 'site');
  return [...new Map(files.map(({ path, text }) => [path, { path, body: text }])).values()];
}

/**
 * Writes the files that hosts need outside the site, each atomically, if they are missing or differ. Returns the paths
 * of all such files.
 */
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
