// stxpress build: renders the index into static files.
import { resolve } from 'node:path';
import { hostsFolder } from '#build/hosts-folder.ts';
import { runBuild } from '#build/run-build.ts';
import { findHosts } from '#hosts/all.ts';
import type { Host } from '#hosts/host.ts';
import { formatCount } from '#model/format-count.ts';
import { count, formatBytes } from './amounts.ts';
import type { Context } from './context.ts';
import { EXIT_OK } from './exit-status.ts';
import { followLink } from './follow-link.ts';
import { imageFolder } from './image-folder.ts';
import type { BUILD_OPTIONS } from './options.ts';
import { readUrl } from './read-url.ts';
import { recordRun } from './record-run.ts';
import type { Settings } from './setting.ts';
import { withIndex } from './with-index.ts';

export async function runBuildCommand(settings: Settings<typeof BUILD_OPTIONS>, context: Context): Promise<number> {
  const { db, out, only, full, verify, replace } = settings;
  const publicUrl =
    settings.publicUrl === undefined ? '' : readUrl('--public-url', settings.publicUrl, 'https://tokens.example.org');
  const hosts = findHosts(settings.hosts.flatMap((names) => names.split(',').map((name) => name.trim())));
  const start = performance.now();
  const summary = await withIndex(
    db,
    (store) =>
      recordRun(store, {
        command: 'build',
        db,
        context: { out },
        reporter: context.reporter,
        work: () =>
          runBuild(store, {
            out,
            publicUrl,
            indexFile: db,
            imageFolder: imageFolder(followLink(db)),
            hosts,
            only,
            full,
            verify,
            replace,
            reporter: context.reporter,
          }),
        describe: (result) => ({ outcome: 'ok', summary: { out, ...result } }),
      }),
    { mustExist: true },
  );
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const written = `${count(summary.written, 'file')} written (${formatBytes(summary.writtenBytes)})`;
  const rest = [
    `${formatCount(summary.unchanged)} unchanged`,
    `${formatCount(summary.removed)} removed`,
    ...(verify ? [`${formatCount(summary.mended)} mended`] : []),
  ].join(', ');
  const total = `${count(summary.files, 'file')}, ${formatBytes(summary.bytes)}`;
  context.print(`Built ${out} in ${seconds} s: ${written}, ${rest}. It has ${total}.`, { out, ...summary });
  for (const host of hosts) context.print(`${host.name}: ${useOf(host, out)}`, { host: host.name });
  return EXIT_OK;
}

/** What to do with the files of a host, with absolute paths: the reader may be in another folder. */
function useOf({ use }: Host, out: string): string {
  return use.replaceAll('`', '').replace(/\bdist(-hosts)?\b(\/[\w./-]*)?/g, (_, isHosts?: string, rest = '') => {
    const path = `${resolve(isHosts === undefined ? out : hostsFolder(out))}${rest}`;
    return /^[\w./-]+$/.test(path) ? path : `"${path}"`;
  });
}
