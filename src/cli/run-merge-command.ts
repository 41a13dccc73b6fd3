// stxpress merge: builds what no shard has, from the exports of all.
import { join } from 'node:path';
import { findExports, mergeShards } from '#press/merge-shards.ts';
import { runBuild } from '#press/run-build.ts';
import { removeDatabase } from '#sqlite/keep-database.ts';
import { takeLock } from '#sqlite/lock.ts';
import { openShardExport, readBuiltFiles } from '#store/shards/shard-export.ts';
import { count } from './amounts.ts';
import { describeBuild, readHosts, useOf } from './describe-build.ts';
import type { SettingsOf } from './options.ts';
import type { Context } from './world.ts';

export async function run(settings: SettingsOf<'merge'>, context: Context): Promise<undefined> {
  const { out, exports } = settings;
  const { reporter, signal } = context;
  const hosts = readHosts(settings.hosts);
  const start = performance.now();
  const shardExports = findExports(exports);
  const merged = join(exports, 'merged.sqlite');
  using _lock = takeLock(`${merged}.lock`, `merging the shards in ${exports}`);
  // A kill may have left one.
  removeDatabase(merged);
  using cleanup = new DisposableStack();
  cleanup.defer(() => removeDatabase(merged));
  const { publicUrl, only } = await mergeShards(shardExports, merged);
  const shards = shardExports.length;
  // Two, since the build reads both at once.
  await using store = await openShardExport(merged);
  await using files = await openShardExport(merged);
  const summary = await runBuild(store, {
    out,
    publicUrl,
    // The same at every merge, although the file is another.
    indexFile: join(out, 'merged'),
    imageFolder: exports,
    hosts,
    only,
    exports,
    ofShards: readBuiltFiles(files),
    reporter,
    signal,
  });
  const built = describeBuild(summary, { out, start });
  context.print(`Merged ${count(shards, 'shard')}. ${built}`, { out, shards, ...summary });
  for (const host of hosts) context.print(`${host.name}: ${useOf(host, out)}`, { host: host.name });
}
