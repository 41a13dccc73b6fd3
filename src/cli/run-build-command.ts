// stxpress build: renders the index into static files.
import { dirname, join } from 'node:path';
import { IMAGE_FOLDER } from '#layout/image-files.ts';
import { formatShard } from '#model/shard.ts';
import { exportFile } from '#press/export-shard.ts';
import { runBuild } from '#press/run-build.ts';
import { mayWrite } from '#sqlite/open-to-read.ts';
import { readInfo } from '#store/index-info.ts';
import { countAllContracts } from '#store/status/count-contracts.ts';
import { commandWith } from './command-with.ts';
import { describeBuild, readHosts, useOf } from './describe-build.ts';
import { followLink } from './follow-link.ts';
import type { SettingsOf } from './options.ts';
import { readUrl } from './read-url.ts';
import { recordRun, withIndex } from './use-index.ts';
import type { Context } from './world.ts';

export async function run(settings: SettingsOf<'build'>, context: Context): Promise<undefined> {
  const { db, out, verify, exports } = settings;
  const { reporter, signal } = context;
  const publicUrl =
    settings.publicUrl === undefined ? '' : readUrl('--public-url', settings.publicUrl, 'https://tokens.example.org');
  const hosts = readHosts(settings.hosts);
  const start = performance.now();
  const { shard, summary } = await withIndex(
    db,
    async (store) => {
      const { shard } = await readInfo(store);
      if ((await countAllContracts(store)) === 0)
        reporter.warn(
          `${db} has 0 contracts, and so has the site. Fill it with: ${commandWith('index', { db }, '--archive', 'FILE')}`,
        );
      const summary = await recordRun(store, {
        command: 'build',
        db,
        context: { out },
        reporter,
        work: () =>
          runBuild(store, {
            ...settings,
            publicUrl,
            hosts,
            indexFile: db,
            imageFolder: join(dirname(followLink(db)), IMAGE_FOLDER),
            reporter,
            signal,
          }),
        describe: (result) => ({ outcome: 'ok', summary: { out, ...result } }),
      });
      return { shard, summary };
    },
    { mustExist: true, readOnly: !mayWrite(db) },
  );
  context.print(describeBuild(summary, { out, start, verify }), { out, ...summary });
  if (shard === undefined) {
    for (const host of hosts) context.print(`${host.name}: ${useOf(host, out)}`, { host: host.name });
    return;
  }
  const [name, file] = [formatShard(shard), exportFile(exports, shard)];
  context.print(`The export of shard ${name} is ${file}: merge reads those of all shards.`, { shard: name });
  const names = hosts.map((host) => host.name).join(', ');
  if (names !== '') reporter.info(`No file of ${names} is written for a shard: name --host at the merge.`);
}
