// Measures indexing of mainnet's sources without the VM. Usage: node test/real-data/check-mainnet.ts ARCHIVE
// ARCHIVE has the deploys of all mainnet contracts, each after the contracts that it calls.
// FOLDER/mainnet/make-archive.mjs writes it. Compares the first run with only parsing the archive, then measures a
// second run with one more block.
import { appendFileSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseline } from '../../scripts/bench/bench.ts';
import { stxpress } from '../../scripts/bench/measure.ts';
import { blockLine } from '../support/transactions.ts';
import { runChecks } from './checks.ts';

const MAX_TIMES = 2;
const MAX_MB = 512;
const MAX_SECOND_RUN_S = 1;

await runChecks('check-mainnet.ts ARCHIVE', '', async ({ input, work, check }) => {
  const [copy, db] = [join(work, 'chain.tsv'), join(work, 'index.sqlite')];
  copyFileSync(input, copy);
  const index = () => stxpress('index', '--db', db, '--archive', copy, '--offline', '--no-vm');
  const bare = await baseline('parse', copy);
  const first = await index();
  appendFileSync(copy, blockLine({ id: 'one more', parent: 'none', height: 1_000_000, transactions: [] }, 'raw'));
  const second = await index();
  console.log(`bare parse ${bare.seconds.toFixed(1)} s; index ${first.seconds.toFixed(1)} s, ${first.peakMb} MB`);
  console.log(`one more block ${second.seconds.toFixed(1)} s`);
  const times = first.seconds / bare.seconds;
  check(`at most ${MAX_TIMES} times a bare parse`, times <= MAX_TIMES, `${times.toFixed(2)} times`);
  check(`at most ${MAX_MB} MB`, (first.peakMb ?? 0) <= MAX_MB, `${first.peakMb} MB`);
  check('one more block in little time', second.seconds < MAX_SECOND_RUN_S, `${second.seconds.toFixed(2)} s`);
});
