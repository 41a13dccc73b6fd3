// stxpress build: renders the index into static files.
import { dirname, join, resolve } from 'node:path';
import { hostsFolder } from '#generator/open-output.ts';
import { type BuildSummary, runBuild } from '#generator/run-build.ts';
import { findHosts } from '#hosts/all.ts';
import type { Host } from '#hosts/host.ts';
import { IMAGE_FOLDER } from '#layout/image-files.ts';
import type { Overlay } from '#routes/overlay.ts';
import { mayWrite } from '#sqlite/open-to-read.ts';
import type { Store } from '#store/index-database.ts';
import { countAllContracts } from '#store/status/counts.ts';
import { shellQuote } from '#text/command-line.ts';
import { count, formatBytes, formatCount } from '#text/format-count.ts';
import { checkWritable } from './check-writable.ts';
import { commandWith } from './command-with.ts';
import { followLink } from './follow-link.ts';
import type { SettingsOf } from './options.ts';
import { readUrl } from './read-url.ts';
import type { Context } from './surroundings.ts';
import { recordRun, withIndex } from './use-index.ts';

export async function run(settings: SettingsOf<'build'>, context: Context): Promise<undefined> {
  const { db, out, full } = settings;
  const { reporter, signal } = context;
  const publicUrl =
    settings.publicUrl === undefined ? '' : readUrl('--public-url', settings.publicUrl, 'https://tokens.example.org');
  const hosts = readHosts(settings.hosts);
  checkWritable('--out', out);
  const start = performance.now();
  const summary = await withIndex(
    db,
    async (store) => {
      if ((await countAllContracts(store)) === 0)
        reporter.warn(
          `${db} has no contracts, so the site is empty. Fill the index with: ${commandWith('index', { db }, '--archive', 'FILE')}`,
        );
      return await recordRun(store, {
        command: 'build',
        db,
        context: { out },
        reporter,
        work: async () =>
          runBuild(store, {
            ...settings,
            overlay: settings.overlay === undefined ? undefined : await readOverlay(store, settings.overlay),
            publicUrl,
            hosts,
            indexFile: db,
            imageFolder: join(dirname(followLink(db)), IMAGE_FOLDER),
            reporter,
            signal,
          }),
        describe: (result) => ({ outcome: 'ok', summary: { out, ...result } }),
      });
    },
    { mustExist: true, readOnly: !mayWrite(db) },
  );
  const { leftOut } = summary;
  if (leftOut.length > 0)
    reporter.warn(
      `${out} cannot hold ${count(leftOut.length, 'contract')}, which the build left out. ` +
        'Their names differ from earlier ones only in case, or are names of devices on Windows. ' +
        'To have them, build into a folder on a case-sensitive volume. ' +
        `List them with: ${commandWith('status', { db })}`,
    );
  context.print(describeBuild(summary, { out, start, full }));
  for (const host of hosts) context.print(`${host.name}: ${instructionsOf(host, out)}`);
}

async function readOverlay(store: Store, folder: string): Promise<Overlay> {
  return await (await import('#generator/read-overlay.ts')).readOverlay(store, folder);
}

/** `start`: the value of performance.now() when the build began. */
function describeBuild(
  summary: BuildSummary,
  { out, start, full = false }: { readonly out: string; readonly start: number; readonly full?: boolean },
): string {
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const written = `${count(summary.written, 'file')} written (${formatBytes(summary.writtenBytes)})`;
  const rest = [
    `${formatCount(summary.unchanged)} unchanged`,
    `${formatCount(summary.removed)} removed`,
    ...(full ? [`${formatCount(summary.repaired)} repaired`] : []),
  ].join(', ');
  const total = `${count(summary.files, 'file')}, ${formatBytes(summary.bytes)}`;
  return `Built ${out} in ${seconds} s: ${written}, ${rest}. It has ${total}. The hash of its responses is ${summary.siteHash}.`;
}

/** Parses the values of `--hosts`. Throws FailureError `usage` for an unknown host. */
function readHosts(flags: readonly string[]): readonly Host[] {
  return findHosts(flags.flatMap((names) => names.split(',').map((name) => name.trim())));
}

/** Returns how to use the files of a host, with absolute paths, which work in any folder. */
function instructionsOf({ instructions }: Host, out: string): string {
  return instructions
    .replaceAll('`', '')
    .replace(/\bdist(-hosts)?\b(\/[\w./-]*)?/g, (_, isHosts?: string, rest = '') => {
      return shellQuote(`${resolve(isHosts === undefined ? out : hostsFolder(out))}${rest}`);
    });
}
