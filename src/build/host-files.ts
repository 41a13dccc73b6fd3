// What a build writes for the hosts that it was asked for: their files within the site and beside it, once their limits are known to hold.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { HOSTS } from '#hosts/all.ts';
import type { Host, HostLimit, HostSite, SiteFacts } from '#hosts/host.ts';
import { stop } from '#model/failure.ts';
import { formatCount } from '#model/format-count.ts';
import type { Reporter } from '#model/reporter.ts';
import { ERRORS_FOLDER, VARIANTS_FOLDER } from '#model/site-rules.ts';
import { ROUTES } from '#routes/all.ts';
import { SITE_RULES } from '#routes/site-rules.ts';
import type { BuildRecord, RecordWriter } from '#store/build-record/build-record.ts';
import { readPlannedFiles } from '#store/build-record/planned-files.ts';
import { hostsFolder } from './hosts-folder.ts';
import { type SiteFile, siteFiles } from './site-files.ts';

/** Where no host asks. */
export const NO_FACTS: SiteFacts = {
  files: 0,
  bytes: 0,
  largestFile: { path: '', bytes: 0 },
  largestFolder: { path: '', files: 0 },
  conditional: [],
};

/** What the site has, as the record plans it. */
export async function readFacts(record: BuildRecord | RecordWriter): Promise<SiteFacts> {
  const folders = new Map<string, number>();
  const conditional: string[] = [];
  let files = 0;
  let bytes = 0;
  let largestFile = { path: '', bytes: 0 };
  for await (const page of readPlannedFiles(record)) {
    for (const file of page) {
      files++;
      bytes += file.bytes;
      if (file.bytes > largestFile.bytes) largestFile = file;
      const folder = dirname(file.path);
      folders.set(folder, (folders.get(folder) ?? 0) + 1);
      if (isConditional(file.path)) conditional.push(file.path);
    }
  }
  const [path, inFolder] = [...folders].reduce((most, one) => (one[1] > most[1] ? one : most), ['', 0]);
  return { files, bytes, largestFile, largestFolder: { path, files: inFolder }, conditional };
}

/** Prefixes of {@link SiteFacts.conditional}. */
const CONDITIONAL = SITE_RULES.routes
  .filter((route) => route.ownErrors.length > 0)
  .flatMap(({ fixed, ownErrors }) => [
    `${fixed}/`,
    ...ownErrors.map((status) => `${ERRORS_FOLDER}/${status}/${fixed}/`),
  ]);

function isConditional(path: string): boolean {
  return path.startsWith(`${VARIANTS_FOLDER}/`) || CONDITIONAL.some((prefix) => path.startsWith(prefix));
}

export function describeSite(host: Host, out: string, facts: SiteFacts): HostSite {
  return {
    rules: SITE_RULES,
    facts,
    folder: resolve(out),
    relativeFolder: relative(join(hostsFolder(out), host.name), out),
    program: (name) => readFileSync(new URL(`../hosts/edge/${name}`, import.meta.url), 'utf8'),
  };
}

/** Throws FailureError `host-limit` where a host would not take the site, and says what only some plans of it take. */
export function checkLimits(hosts: readonly Host[], out: string, facts: SiteFacts, reporter: Reporter): void {
  for (const host of hosts) {
    const site = describeSite(host, out, facts);
    for (const limit of host.limits) {
      const [value, where] = measure(limit, host, site);
      if (value > limit.most) {
        throw stop(
          'host-limit',
          `${host.name} takes at most ${formatCount(limit.most)} ${limit.of}, and this build has ${formatCount(value)}${where}. ${limit.wayOut} Nothing was written.`,
        );
      }
      const { warnsAbove } = limit;
      if (warnsAbove !== undefined && value > warnsAbove.most)
        reporter.warn(
          `${host.name}: this build has ${formatCount(value)} ${limit.of}, more than ${formatCount(warnsAbove.most)}: ${warnsAbove.because}.`,
        );
    }
  }
}

function measure({ of }: HostLimit, host: Host, site: HostSite): [number, string] {
  const { files, bytes, largestFile, largestFolder } = site.facts;
  switch (of) {
    case 'files':
      return [files, ''];
    case 'bytes':
      return [bytes, ''];
    case 'bytes in a file':
      return [largestFile.bytes, ` in ${largestFile.path}`];
    case 'files in a folder':
      return [largestFolder.files, ` in ${largestFolder.path}`];
    default:
      return [host.countRules?.(site) ?? 0, ''];
  }
}

function siteFilesOf(host: Host, site: HostSite): SiteFile[] {
  return host.files(site).flatMap(({ place, path, text }) => (place === 'site' ? [{ path, body: text }] : []));
}

/** Files of hosts within the site; hosts that share one agree on it. */
export function hostFilesInSite(hosts: readonly Host[], out: string, facts: SiteFacts): SiteFile[] {
  const files = new Map(
    hosts.flatMap((host) => siteFilesOf(host, describeSite(host, out, facts))).map((file) => [file.path, file]),
  );
  return [...files.values()];
}

/** Writes the files beside the site, each in one step, and leaves alone what is as it should be. In a bucket, the fixed errors and what hosts read within the site are no part of it. */
export async function writeHostFiles(hosts: readonly Host[], out: string, record: BuildRecord): Promise<void> {
  const facts = await readFacts(record);
  for (const host of hosts) {
    const site = describeSite(host, out, facts);
    const folder = join(hostsFolder(out), host.name);
    for (const { place, path, text } of host.files(site)) {
      if (place === 'beside') writeWhole(join(folder, path), text);
    }
    if (host.manifest === undefined) continue;
    const { path, line } = host.manifest;
    const notUploaded = new Set([...siteFiles(ROUTES), ...hostFilesInSite(HOSTS, out, facts)].map((file) => file.path));
    const lines: string[] = [];
    for await (const files of readPlannedFiles(record)) {
      const uploaded = files.filter((file) => !notUploaded.has(file.path));
      lines.push(...uploaded.map((file) => `${line({ ...file, sha256: file.hash }, SITE_RULES)}\n`));
    }
    writeWhole(join(folder, path), lines.join(''));
  }
}

function writeWhole(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  mkdirSync(dirname(path), { recursive: true });
  const beside = `${path}.new`;
  try {
    writeFileSync(beside, text);
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}
