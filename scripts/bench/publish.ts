// Measures publishing to a bucket on loopback, the first time and after 100 changed contracts, compared with only
// sending the same signed requests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { formatCount } from '#text/format-count.ts';
import { filesBelow } from '../../test/support/sample.ts';
import { writtenFiles } from './baselines.ts';
import { BASELINES, type Bench, baseline, buildSite, indexChain, makeChain } from './bench.ts';
import { compare, type Figure, type Report, type Target } from './figures.ts';
import { stxpress } from './measure.ts';

export async function publish(bench: Bench): Promise<Report> {
  const { path } = bench;
  process.env.AWS_ACCESS_KEY_ID = 'KEY';
  process.env.AWS_SECRET_ACCESS_KEY = 'SECRET';
  const [archive, fork, db, dist] = [path('chain.tsv'), path('fork.tsv'), path('index.sqlite'), path('dist')];
  await makeChain(archive, bench, '--fork', fork);
  await indexChain(db, archive);
  await buildSite(db, dist);
  using bucket = spawn(process.execPath, [BASELINES, 'bucket'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(bucket.stdout, 'data')) as [Buffer];
  const endpoint = line.toString().trim();
  const list = path('files');
  const publishFiles = (what: string, files: readonly string[], of: string, target: Target): Promise<Figure> => {
    writeFileSync(list, files.join('\n'));
    const to = ['--out', dist, '--endpoint', endpoint, '--max-deletes', '1000000'];
    return compare(Math.min(bench.rounds, 2), {
      what: `${what} ${formatCount(files.length)} files`,
      run: (round) => stxpress('publish-site', ...to, '--to', `s3://site/${round}`),
      baseline: `a plain loop of ${of} requests`,
      runBaseline: () => baseline('publish', dist, list, endpoint),
      target,
    });
  };
  const figures = [await publishFiles('first publish of', filesBelow(dist), 'the same', { times: 1.3 })];
  await indexChain(db, fork);
  await buildSite(db, dist);
  const changed = writtenFiles(dist);
  figures.push(await publishFiles('publish after 100 contracts changed,', changed, 'those', { above: 2 }));
  return { input: `${formatCount(bench.contracts)} contracts`, figures };
}
