// Writes the files of the hosts that a build was asked for, within the site and beside it.

import { mkdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { readIfThere } from '#files/read-if-there.ts';
import { writeWhole } from '#files/write-whole.ts';
import { conditionalPaths, type Host, type HostSite, type ProgramName } from '#hosts/host.ts';
import { bundle } from '#site/bundle.ts';
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
    program: bundleProgram,
  };
}

/** The function on viewer requests may have 10 KB: its names are short but that of its entry, which is looked for. */
const OF_VIEWER_REQUEST = {
  target: 'es2017',
  format: 'iife',
  footer: { js: 'var answer;async function handler(event){return answer(event)}' },
  minify: true,
} as const;

/** A program of hosts/edge and the rules that it works on, as the one text that a host runs. */
function bundleProgram(name: ProgramName, rules: object): string {
  const own = name === 'cloudfront-viewer-request' ? OF_VIEWER_REQUEST : {};
  return bundle(`hosts/edge/${name}`, { ...own, charset: 'utf8', define: { RULES: JSON.stringify(rules) } });
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
