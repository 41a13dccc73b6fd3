// A child process. For each version number that its parent sends, changes the tokens of the index to that version
// (versions.ts), and builds the site. Arguments: the index and the output folder.
import { sql } from 'kysely';
import { runBuild } from '#generator/run-build.ts';
import { openIndex } from '#store/index-database.ts';
import { buildOptions } from '../../support/build-options.ts';
import { TOKENS, versionOf } from './versions.ts';

const [db = '', out = ''] = process.argv.slice(2);
const store = await openIndex(db);
const rows = await store.selectFrom('token').select('token_id').orderBy('token_id').execute();

process.on('message', async (build: number) => {
  await store.transaction().execute(async (transaction) => {
    for (const [token, { token_id: tokenId }] of rows.slice(0, TOKENS).entries()) {
      const { name, symbol, decimals, isListed } = versionOf(token, build);
      const readings = { 'get-name': name, 'get-symbol': symbol, 'get-decimals': `${decimals}` };
      for (const [getter, value] of Object.entries(readings))
        await sql`update reading set value = ${value}
          where token_id = ${tokenId} and getter = ${getter} and value <> ${value}`.execute(transaction);
      const state = isListed ? 'partial' : 'error';
      await sql`update token set state = ${state} where token_id = ${tokenId} and state <> ${state}`.execute(
        transaction,
      );
    }
  });
  await runBuild(store, buildOptions(out, { only: 'tokens' }));
  process.send?.(build);
});
process.send?.('ready');
