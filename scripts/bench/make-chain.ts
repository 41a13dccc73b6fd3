// This script makes a synthetic chain as an event archive: node scripts/bench/make-chain.ts FILE [--contracts N]
// [--seed N]
//   [--source-share X] [--principals FILE] [--fork FILE]
// Contracts have the shape of mainnet's (sizes, families, who calls whom; a twentieth are fungible tokens), their size
// cut to a share of it; they are named as mainnet's, where a list of its contract ids is given, plain or gzip, and else
// belong to as many deployers. `--fork` writes a fork of the last 100 contracts, which takes the chain over: each
// is deployed anew.
// The same seed gives the same bytes; a FILE that ends in .gz is compressed.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createGzip, gunzipSync } from 'node:zlib';
import { c32address } from 'c32check';
import { randomOf } from '../../test/support/faults.ts';
import { blockOfDeploys, type ObservedDeploy, unsignedDeploy } from '../unsigned-deploy.ts';
import { contractOf } from './synthetic-contract.ts';

/** Contracts of mainnet in late 2025, and its deployers. */
const MAINNET_CONTRACTS = 109_482;
const MAINNET_DEPLOYERS = 60_616;
const CONTRACTS_PER_BLOCK = 20;
const FORKED_BLOCKS = 5;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    contracts: { type: 'string', default: String(MAINNET_CONTRACTS) },
    seed: { type: 'string', default: '1' },
    'source-share': { type: 'string', default: '1' },
    principals: { type: 'string' },
    fork: { type: 'string' },
  },
});
const [file] = positionals;
const [contracts, seed, share] = [values.contracts, values.seed, values['source-share']].map(Number) as [
  number,
  number,
  number,
];
if (file === undefined || !(contracts > 0) || !(share > 0) || !Number.isInteger(seed)) {
  console.error(
    'usage: node scripts/bench/make-chain.ts FILE [--contracts N] [--seed N] [--source-share X] [--principals FILE] [--fork FILE]',
  );
  process.exit(1);
}

const random = randomOf(seed);
const ids = values.principals === undefined ? undefined : readIds(values.principals);
const output = createWriteStream(file);
const archive = file.endsWith('.gz') ? createGzip() : output;
if (archive !== output) archive.pipe(output);

const heights = Math.ceil(contracts / CONTRACTS_PER_BLOCK);
for (let height = 0; height < heights; height++) {
  if (!archive.write(blockOfDeploys(height, deploysAt(height)))) await once(archive, 'drain');
}
archive.end();
await once(output, 'finish');
if (values.fork !== undefined) {
  const forkedAt = Math.max(heights - FORKED_BLOCKS, 0);
  const forked = Array.from({ length: heights - forkedAt }, (_, index) => deploysAt(forkedAt + index, ' forked'));
  // One block more than the chain has.
  const lines = [...forked, []].map((deploys, index) => blockOfDeploys(forkedAt + index, deploys, forkedAt));
  writeFileSync(values.fork, lines.join(''));
}

function deploysAt(height: number, mark = ''): ObservedDeploy[] {
  const start = height * CONTRACTS_PER_BLOCK;
  return Array.from({ length: Math.min(CONTRACTS_PER_BLOCK, contracts - start) }, (_, index) => {
    const { source, contractInterface } = contractOf(start + index, { idOf, random, share, mark });
    return unsignedDeploy(idOf(start + index), source, index, contractInterface);
  });
}

function readIds(path: string): string[] {
  const bytes = readFileSync(path);
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').trim().split('\n');
}

/** Beyond the list, and without one, contracts are named by their number; each deployer has as many as on mainnet. */
function idOf(index: number): string {
  const listed = ids?.[index];
  if (listed !== undefined) return listed;
  const deployer = Math.floor((index * MAINNET_DEPLOYERS) / MAINNET_CONTRACTS);
  const hash160 = createHash('sha256').update(`deployer ${deployer}`).digest('hex').slice(0, 40);
  return `${c32address(22, hash160)}.contract-${index}`;
}
