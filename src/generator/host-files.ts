// Writes the files of the hosts that a build was asked for, within the site and beside it.

import { mkdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { readIfExists } from '#files/read-if-exists.ts';
import { writeAtomically } from '#files/write-atomically.ts';
import type { Host, HostSite, ProgramName } from '#hosts/host.ts';
import { readBundle } from '#site/bundle.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { hostsFolder } from './open-output.ts';

/** The site as hosts see it. */
export function siteOf(out: string): HostSite {
  return {
    rules: SITE_RULES,
    folder: resolve(out),
    // The folders of all hosts are siblings.
    relativeFolder: relative(join(hostsFolder(out), 'host'), out),
    program: programText,
  };
}

/** Returns the text of a program in hosts/edge, with the constants that it declares in front. */
function programText(name: ProgramName, constants: Readonly<Record<string, unknown>>): string {
  const values = Object.entries(constants).map(
    ([constant, value]) => `const ${constant} = ${JSON.stringify(value)};\n`,
  );
  return `${values.join('')}${readBundle(`edge/${name}.js`)}`;
}

/** Files of hosts within the site; hosts that share one agree on it. */
export function hostFilesInSite(hosts: readonly Host[], site: HostSite): { path: string; body: string }[] {
  const files = hosts.flatMap((host) => host.files(site)).filter(({ where }) => where === 'site');
  return [...new Map(files.map(({ path, text }) => [path, { path, body: text }])).values()];
}

/** Writes the files beside the site that are not as they should be, each in one step. Returns the paths of all. */
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
