// This script measures publishing: node scripts/bench/publish.ts [--quick] …
// In one run it times a first publish to a bucket on loopback beside a bare loop of the same signed requests, and one
// after 100 contracts changed beside a loop of those files.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatCount } from '#text/format-count.ts';
import { filesBelow } from '../../test/support/sample.ts';
import { compare, report } from './figures.ts';
import { builderOf } from './full-build.ts';
import { measure, stxpress } from './measure.ts';
import { makeChain, readOptions, withFolder } from './options.ts';

const BARE_PUBLISH = fileURLToPath(new URL('./bare-publish.ts', import.meta.url));
const SINK_BUCKET = fileURLToPath(new URL('./sink-bucket.ts', import.meta.url));
const options = readOptions(process.argv.slice(2));
process.env.AWS_ACCESS_KEY_ID = 'KEY';
process.env.AWS_SECRET_ACCESS_KEY = 'SECRET';

await withFolder(options.temp, async (folder) => {
  const [archive, fork, db] = ['chain.tsv', 'fork.tsv', 'index.sqlite'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await makeChain(archive, options, '--fork', fork);
  await stxpress('index', '--db', db, '--archive', archive, '--no-vm', '--no-fetch');
  const dist = join(folder, 'dist');
  const build = builderOf(db);
  await build(dist);
  const bucket = spawn(process.execPath, [SINK_BUCKET], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(bucket.stdout, 'data')) as [Buffer];
    const endpoint = line.toString().trim();
    const list = join(folder, 'files');
    const publish = (to: string) =>
      stxpress(
        'publish-site',
        '--out',
        dist,
        '--endpoint',
        endpoint,
        '--to',
        `s3://site/${to}`,
        '--max-deletes',
        '1000000',
      );
    const files = filesBelow(dist);
    writeFileSync(list, files.join('\n'));
    const figures = [
      await compare(
        {
          what: `first publish of ${formatCount(files.length)} files`,
          run: (round) => publish(String(round)),
          baseline: 'a bare loop of the same requests',
          runBaseline: () => measure(process.execPath, [BARE_PUBLISH, dist, list, endpoint]),
          target: { times: 1.3 },
        },
        Math.min(options.rounds, 2),
      ),
    ];
    await stxpress('index', '--db', db, '--archive', fork, '--no-vm', '--no-fetch');
    await build(dist);
    const changed = readFileSync(join(dist, '.stxpress/changes.ndjson'), 'utf8').trim().split('\n');
    const paths = changed.flatMap((one) => {
      const { action, path } = JSON.parse(one) as { action: string; path: string };
      return action === 'write' ? [path] : [];
    });
    writeFileSync(list, paths.join('\n'));
    figures.push(
      await compare(
        {
          what: `publish after 100 contracts changed, ${formatCount(paths.length)} files`,
          run: (round) => publish(String(round)),
          baseline: 'a bare loop of those requests',
          runBaseline: () => measure(process.execPath, [BARE_PUBLISH, dist, list, endpoint]),
          target: { above: 2 },
        },
        Math.min(options.rounds, 2),
      ),
    );
    report('publish', `${formatCount(options.contracts)} contracts`, figures, options);
  } finally {
    bucket.kill();
  }
});
