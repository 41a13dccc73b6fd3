// stxpress build: renders the index into static files.
import { dirname, join } from 'node:path';
import { IMAGE_FOLDER } from '#model/image-file.ts';
import { formatShard } from '#model/shard.ts';
import { exportFile } from '#press/export-shard.ts';
import { runBuild } from '#press/run-build.ts';
import { readInfo } from '#store/index-info.ts';
import type { Context } from './context.ts';
import { describeBuild, readHosts, useOf } from './describe-build.ts';
import { EXIT_OK } from './exit-status.ts';
import { followLink } from './follow-link.ts';
import type { BUILD_OPTIONS } from './options.ts';
import { readUrl } from './read-url.ts';
import { recordRun } from './record-run.ts';
import type { Settings } from './setting.ts';
import { withIndex } from './with-index.ts';

export async function runBuildCommand(settings: Settings<typeof BUILD_OPTIONS>, context: Context): Promise<number> {
  const { db, out, only, full, dump, verify, replace, exports } = settings;
  const publicUrl =
    settings.publicUrl === undefined ? '' : readUrl('--public-url', settings.publicUrl, 'https://tokens.example.org');
  const hosts = readHosts(settings.hosts);
  const start = performance.now();
  const { shard, summary } = await withIndex(
    db,
    async (store) => ({
      shard: (await readInfo(store)).shard,
      summary: await recordRun(store, {
        command: 'build',
        db,
        context: { out },
        reporter: context.reporter,
        work: () =>
          runBuild(store, {
            out,
            publicUrl,
            indexFile: db,
            imageFolder: join(dirname(followLink(db)), IMAGE_FOLDER),
            hosts,
            only,
            full,
            dump,
            verify,
            replace,
            exports,
            reporter: context.reporter,
          }),
        describe: (result) => ({ outcome: 'ok', summary: { out, ...result } }),
      }),
    }),
    { mustExist: true },
  );
  context.print(describeBuild(summary, { out, start, verify }), { out, ...summary });
  if (shard === undefined) {
    for (const host of hosts) context.print(`${host.name}: ${useOf(host, out)}`, { host: host.name });
    return EXIT_OK;
  }
  const [name, file] = [formatShard(shard), exportFile(exports, shard)];
  context.print(`The export of shard ${name} is ${file}: merge reads those of all shards.`, { shard: name });
  const names = hosts.map((host) => host.name).join(', ');
  if (names !== '') context.reporter.info(`No file of ${names} is written for a shard: name --host at the merge.`);
  return EXIT_OK;
}
