// Measures full builds, compared with `tar -x` of the same tree, and builds after few or no changes.
import { mkdirSync, statSync } from 'node:fs';
import { openIndex } from '#store/index-database.ts';
import { writeDocuments } from '#store/tokens/documents.ts';
import { writeState } from '#store/tokens/tokens.ts';
import { formatCount } from '#text/format-count.ts';
import { type Bench, baseline, buildSite, indexChain, makeChain } from './bench.ts';
import { type Comparison, compare, type Figure, MAX_PEAK_MB, type Report } from './figures.ts';
import { measure, stxpress } from './measure.ts';

const MAX_BYTES_PER_TOKEN = 400;

/**
 * Builds as many contracts as mainnet has. Compares a full build with `tar -x`, and a build without changes with `node
 * -e 0`. Compares a build after 100 contracts changed with writing the changed files.
 */
export async function build(bench: Bench): Promise<Report> {
  const { path, folder, rounds } = bench;
  const [archive, fork, db, dist] = [path('chain.tsv'), path('fork.tsv'), path('index.sqlite'), path('dist')];
  await makeChain(archive, bench, '--fork', fork);
  await indexChain(db, archive);
  await buildSite(db, dist);
  const full = await compareWithTar(bench, rounds, db, dist, { what: 'full build', target: { times: 1 } });
  const nothing = await compare(2 * rounds, {
    what: 'build with nothing changed',
    run: () => buildSite(db, dist),
    baseline: '`node -e 0`',
    runBaseline: () => measure(process.execPath, ['-e', '0']),
    target: { above: 0.25 },
  });
  await indexChain(db, fork);
  const changed = await compare(rounds, {
    what: 'build after 100 contracts changed',
    run: (round) => buildSite(db, distOf(folder, round)),
    baseline: 'writing those files',
    runBaseline: (round) => baseline('write', distOf(folder, round), path(`written-${round}`)),
    target: { above: 0.3 },
  });
  return { input: `${formatCount(bench.contracts)} contracts`, figures: [full, nothing, changed] };
}

/**
 * Builds as many contracts as mainnet has, and a million tokens of 200 collections. Then builds again after one token
 * got a document.
 */
export async function collections(bench: Bench): Promise<Report> {
  const { path, contracts, rounds } = bench;
  const tokens = bench.isJudged ? 1_000_000 : 20_000;
  const make = async (name: string, ...flags: string[]) => {
    await makeChain(path(name), bench, '--source-share', '0.1', '--tokens', tokens, ...flags);
    return path(name);
  };
  const [db, bare, dist] = [path('index.sqlite'), path('bare.sqlite'), path('dist')];
  await stxpress('index', '--db', bare, '--archive', await make('bare.tsv', '--without-mints'), '--offline');
  const index = await stxpress('index', '--db', db, '--archive', await make('chain.tsv'), '--offline');
  const bytes = (statSync(db).size - statSync(bare).size) / tokens;
  await buildSite(db, dist);
  const full = await compareWithTar(bench, Math.min(2, rounds), db, dist, {
    what: 'full build with tokens of collections',
    target: { times: 1.1 },
  });
  const changed = await compare(2 * rounds, {
    what: 'build after one token got a document',
    run: async (round) => {
      await addDocument(db, round);
      return buildSite(db, dist);
    },
    baseline: 'a build with nothing changed',
    runBaseline: () => buildSite(db, dist),
    target: { above: 0.3 },
  });
  const { seconds, peakMb = 0 } = index;
  console.log(`The index took ${seconds.toFixed(1)} s, peak ${peakMb} MB; ${Math.round(bytes)} bytes a token.`);
  const input = `${formatCount(contracts)} contracts and ${formatCount(tokens)} tokens of collections`;
  return { input, figures: [full, changed], isMissed: bytes > MAX_BYTES_PER_TOKEN || peakMb > MAX_PEAK_MB };
}

/** Returns the folder of the full build of a round. Later figures may build into the same folder again. */
const distOf = (folder: string, round: number): string => `${folder}/dist-${round}`;

/**
 * Measures a full build, compared with `tar -x` of the same tree. The build and `tar` write to new folders, after
 * `sync`. Nothing is deleted before the end, since deletions slow later writes.
 */
async function compareWithTar(
  { folder, path }: Bench,
  rounds: number,
  db: string,
  dist: string,
  figure: Pick<Comparison, 'what' | 'target'>,
): Promise<Figure> {
  const tree = path('tree.tar');
  await measure('tar', ['-cf', tree, '--exclude=.stxpress', '-C', dist, '.']);
  return compare(rounds, {
    ...figure,
    run: async (round) => {
      await measure('sync', []);
      return buildSite(db, distOf(folder, round));
    },
    baseline: '`tar -x` of the same tree',
    runBaseline: async (round) => {
      const to = path(`tar-${round}`);
      mkdirSync(to);
      await measure('sync', []);
      return measure('tar', ['-xf', tree, '-C', to]);
    },
  });
}

/** Adds a document to a different token in each round. */
async function addDocument(path: string, round: number): Promise<void> {
  const store = await openIndex(path);
  const numbered = store
    .selectFrom('token')
    .select('token_id')
    .where('token_number', '=', String(round + 2));
  const { token_id: tokenId } = await numbered.orderBy('token_id').executeTakeFirstOrThrow();
  await store.transaction().execute(async (transaction) => {
    const result = { document: { name: `Thing ${round}` }, warnings: [] };
    await writeDocuments(transaction, [{ tokenId, locale: '', uri: undefined, result }]);
    await writeState(transaction, [tokenId], 'complete');
  });
  await store.destroy();
}
