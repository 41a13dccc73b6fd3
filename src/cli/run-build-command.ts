// stxpress build: renders the index into static files.
import { dirname, join } from 'node:path';
import { runBuild } from '#generator/run-build.ts';
import { IMAGE_FOLDER } from '#layout/image-files.ts';
import { mayWrite } from '#sqlite/open-to-read.ts';
import { countAllContracts } from '#store/status/count-contracts.ts';
import { commandWith } from './command-with.ts';
import { describeBuild, readHosts, useOf } from './describe-build.ts';
import { followLink } from './follow-link.ts';
import type { SettingsOf } from './options.ts';
import { readUrl } from './read-url.ts';
import { recordRun, withIndex } from './use-index.ts';
import type { Context } from './world.ts';

export async function run(settings: SettingsOf<'build'>, context: Context): Promise<undefined> {
  const { db, out, verify } = settings;
  const { reporter, signal } = context;
  const publicUrl =
    settings.publicUrl === undefined ? '' : readUrl('--public-url', settings.publicUrl, 'https://tokens.example.org');
  const hosts = readHosts(settings.hosts);
  const overlay =
    settings.overlay === undefined
      ? undefined
      : (await import('#generator/read-overlay.ts')).readOverlay(settings.overlay);
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
        work: () =>
          runBuild(store, {
            ...settings,
            overlay,
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
  context.print(describeBuild(summary, { out, start, verify }));
  for (const host of hosts) context.print(`${host.name}: ${useOf(host, out)}`);
}
