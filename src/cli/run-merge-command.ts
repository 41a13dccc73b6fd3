// stxpress merge: builds what no shard has, from the exports of all.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mergeShards } from '#press/merge-shards.ts';
import { runBuild } from '#press/run-build.ts';
import { openShardExport, readBuiltFiles } from '#store/shards/shard-export.ts';
import { count } from './amounts.ts';
import type { Context } from './context.ts';
import { describeBuild, readHosts, useOf } from './describe-build.ts';
import { EXIT_OK } from './exit-status.ts';
import type { MERGE_OPTIONS } from './options.ts';
import type { Settings } from './setting.ts';

export async function runMergeCommand(settings: Settings<typeof MERGE_OPTIONS>, context: Context): Promise<number> {
  const { out, exports } = settings;
  const { reporter } = context;
  const hosts = readHosts(settings.hosts);
  const start = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'stxpress-merge-'));
  try {
    const merged = join(folder, 'merged.sqlite');
    const { shards, publicUrl, only } = await mergeShards(exports, merged);
    // Two, since the build reads both at once.
    const [store, files] = [await openShardExport(merged), await openShardExport(merged)];
    try {
      const summary = await runBuild(store, {
        out,
        publicUrl,
        // The same at every merge, although the file is another.
        indexFile: join(out, 'merged'),
        imageFolder: folder,
        hosts,
        only,
        full: false,
        dump: false,
        verify: false,
        replace: false,
        exports,
        ofShards: readBuiltFiles(files),
        reporter,
      });
      const built = describeBuild(summary, { out, start });
      context.print(`Merged ${count(shards, 'shard')}. ${built}`, { out, shards, ...summary });
      for (const host of hosts) context.print(`${host.name}: ${useOf(host, out)}`, { host: host.name });
      return EXIT_OK;
    } finally {
      await store.destroy();
      await files.destroy();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
