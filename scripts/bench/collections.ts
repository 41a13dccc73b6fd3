// This script measures tokens of collections: node scripts/bench/collections.ts [--quick] …
// In one run it indexes and builds a million tokens of 200 collections beside mainnet's contracts, and times a full
// build beside `tar -x` of the same tree, and a build after one token got a document beside one with nothing changed.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { openIndex } from '#store/index-database.ts';
import { writeDocuments } from '#store/tokens/documents.ts';
import { writeState } from '#store/tokens/tokens.ts';
import { formatCount } from '#text/format-count.ts';
import { compare, MAX_PEAK_MB, report } from './figures.ts';
import { besideTar, builderOf } from './full-build.ts';
import { stxpress } from './measure.ts';
import { makeChain, makeCollections, readOptions, withFolder } from './options.ts';

const MAX_BYTES_PER_TOKEN = 400;

const options = readOptions(process.argv.slice(2));
const tokens = options.isJudged ? 1_000_000 : 20_000;

await withFolder(options.temp, async (folder) => {
  const make = async (name: string, ...more: string[]) => {
    const file = join(folder, name);
    await makeChain(file, options, '--source-share', '0.1');
    await makeCollections(file, { contracts: options.contracts, tokens }, ...more);
    return file;
  };
  const [db, bare] = [join(folder, 'index.sqlite'), join(folder, 'bare.sqlite')];
  await stxpress('index', '--db', bare, '--archive', await make('bare.tsv', '--without-mints'), '--offline');
  const archive = await make('chain.tsv');
  const index = await stxpress('index', '--db', db, '--archive', archive, '--offline');
  const bytes = (statSync(db).size - statSync(bare).size) / tokens;

  const build = builderOf(db);
  const dist = join(folder, 'dist');
  await build(dist);
  const full = await besideTar(folder, dist, build, {
    what: 'full build with tokens of collections',
    target: { times: 1.1 },
  });
  const changed = {
    what: 'build after one token got a document',
    run: async (round: number) => {
      await addDocument(db, round);
      return build(dist);
    },
    baseline: 'a build with nothing changed',
    runBaseline: () => build(dist),
    target: { above: 0.3 },
  };
  const figures = [await compare(full, Math.min(2, options.rounds)), await compare(changed, 2 * options.rounds)];
  const size = `${formatCount(options.contracts)} contracts and ${formatCount(tokens)} tokens of collections`;
  report('collections', size, figures, options);
  console.log(
    `The index took ${index.seconds.toFixed(1)} s, peak ${index.peakMb} MB; ${Math.round(bytes)} bytes a token.`,
  );
  if (options.isJudged && (bytes > MAX_BYTES_PER_TOKEN || (index.peakMb ?? 0) > MAX_PEAK_MB)) process.exitCode = 1;
});

/** To another token each round. */
async function addDocument(path: string, round: number): Promise<void> {
  const store = await openIndex(path);
  const { token_id: tokenId } = await store
    .selectFrom('token')
    .select('token_id')
    .where('token_number', '=', String(round + 2))
    .orderBy('token_id')
    .executeTakeFirstOrThrow();
  await store.transaction().execute(async (transaction) => {
    const result = { document: { name: `Thing ${round}` }, warnings: [] };
    await writeDocuments(transaction, [{ tokenId, locale: '', uri: undefined, result }]);
    await writeState(transaction, [tokenId], 'complete');
  });
  await store.destroy();
}
