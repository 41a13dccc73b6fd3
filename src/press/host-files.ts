// Writes the files of the hosts that a build was asked for, within the site and beside it.

import { mkdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { readIfThere } from '#files/read-if-there.ts';
import { writeWhole } from '#files/write-whole.ts';
import { conditionalPaths, type Host, type HostSite, type ProgramName } from '#hosts/host.ts';
import { readBundle } from '#site/bundle.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { hostsFolder } from './open-output.ts';
import type { BuildRecord, RecordReader } from './record/build-record.ts';
import { readPlannedPaths } from './record/planned-files.ts';

const CONDITIONAL = conditionalPaths(SITE_RULES);

/** The site as hosts see it, by what the record plans. */
export async function describeSite(out: string, record: RecordReader): Promise<HostSite> {
  const conditional = new Set<string>();
  for (const folder of CONDITIONAL)
    for await (const paths of readPlannedPaths(record, folder)) for (const path of paths) conditional.add(path);
  return siteOf(out, [...conditional].sort());
}

export function siteOf(out: string, conditional: readonly string[]): HostSite {
  return {
    rules: SITE_RULES,
    conditional,
    folder: resolve(out),
    // The folders of all hosts are siblings.
    relativeFolder: relative(join(hostsFolder(out), 'host'), out),
    program: programText,
  };
}

/** Returns the text of a program in hosts/edge, with the rules that it applies in front. */
function programText(name: ProgramName, rules: object): string {
  return `const RULES = ${JSON.stringify(rules)};\n${readBundle(`edge/${name}.js`)}`;
}

/** Files of hosts within the site; hosts that share one agree on it. */
export function hostFilesInSite(hosts: readonly Host[], site: HostSite): { path: string; body: string }[] {
  const files = hosts.flatMap((host) => host.files(site)).filter(({ where }) => where === 'site');
  return [...new Map(files.map(({ path, text }) => [path, { path, body: text }])).values()];
}

/** Writes the files beside the site that are not as they should be, each in one step. Returns the paths of all. */
export async function writeHostFiles(hosts: readonly Host[], out: string, record: BuildRecord): Promise<string[]> {
  const site = await describeSite(out, record);
  const written: string[] = [];
  for (const host of hosts)
    for (const { where, path, text } of host.files(site)) {
      if (where === 'site') continue;
      const file = join(hostsFolder(out), host.name, path);
      written.push(file);
      if (readIfThere(file)?.toString() === text) continue;
      mkdirSync(dirname(file), { recursive: true });
      await writeWhole(file, text);
    }
  return written;
}
