// stxpress build: renders the index into static files.
import { dirname, resolve } from 'node:path';
import { hostsFolder } from '#build/hosts-folder.ts';
import { runBuild } from '#build/run-build.ts';
import { findHosts } from '#hosts/all.ts';
import type { Host } from '#hosts/host.ts';
import { FailureError } from '#model/failure.ts';
import { formatCount } from '#model/format-count.ts';
import { INDEX_FILE, openIndex } from '#store/index-database.ts';
import { finishRun, startRun } from '#store/runs.ts';
import { explainSqliteError } from '#store/sqlite.ts';
import type { Settings } from './config.ts';
import type { Context } from './context.ts';
import { EXIT_OK } from './exit-status.ts';
import { imageFolder } from './image-folder.ts';
import { readUrl } from './read-url.ts';
import { count, formatBytes } from './terminal-reporter.ts';

export type BuildSettings = Settings<'db' | 'out' | 'publicUrl' | 'buildHost' | 'only' | 'full' | 'verify'>;

export async function runBuildCommand(settings: BuildSettings, context: Context): Promise<number> {
  const publicUrl =
    settings.publicUrl === undefined ? '' : readUrl('--public-url', settings.publicUrl, 'https://tokens.example.org');
  const hosts = findHosts(settings.buildHost.flatMap((names) => names.split(',').map((name) => name.trim())));
  const startedAt = new Date();
  const start = performance.now();
  const store = await openIndex(settings.db, { mustExist: true });
  try {
    await startRun(store, 'build', startedAt);
    try {
      const summary = await runBuild(store, {
        out: settings.out,
        publicUrl,
        indexFolder: dirname(settings.db),
        imageFolder: imageFolder(settings.db),
        hosts,
        onlyTokens: settings.only === 'tokens',
        full: settings.full,
        verify: settings.verify,
        reporter: context.reporter,
      });
      await finishRun(store, 'build', new Date(), 'ok', { out: settings.out, ...summary });
      const { written, unchanged, removed, writtenBytes, mended, files, bytes } = summary;
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      context.print(
        `Built ${settings.out} in ${seconds} s: ${count(written, 'file')} written (${formatBytes(writtenBytes)}), ${formatCount(unchanged)} unchanged, ${formatCount(removed)} removed` +
          `${settings.verify ? `, ${formatCount(mended)} mended` : ''}. It has ${count(files, 'file')}, ${formatBytes(bytes)}.`,
        { out: settings.out, ...summary },
      );
      for (const host of hosts) context.print(`${host.name}: ${useOf(host, settings.out)}`, { host: host.name });
      return EXIT_OK;
    } catch (error) {
      const outcome = error instanceof FailureError ? error.failure.code : 'bug';
      await finishRun(store, 'build', new Date(), outcome, { out: settings.out }).catch(() => {});
      throw error;
    }
  } catch (error) {
    throw explainSqliteError(error, settings.db, INDEX_FILE);
  } finally {
    await store.destroy();
  }
}

/** What to do with the files of a host, with the folders' real names: from the root, since whoever reads it may be elsewhere. */
function useOf({ use }: Host, out: string): string {
  return use.replaceAll('`', '').replace(/\bdist(-hosts)?\b(\/[\w./-]*)?/g, (_, isHosts?: string, rest = '') => {
    const path = `${resolve(isHosts === undefined ? out : hostsFolder(out))}${rest}`;
    return /^[\w./-]+$/.test(path) ? path : `"${path}"`;
  });
}
