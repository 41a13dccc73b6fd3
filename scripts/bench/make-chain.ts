// This script writes a synthetic chain as an event archive: node scripts/bench/make-chain.ts FILE [--contracts N]
// [--source-share X] [--fork FILE]
// The contracts resemble mainnet's in sizes, kinds and calls. A twentieth are fungible tokens. `--source-share` shortens
// the sources to a share of their size. `--fork` writes a fork that replaces the last 100 contracts and deploys them
// again. Its output is deterministic.
import { hash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { c32address } from 'c32check';
import { randomOf } from '../../test/support/random.ts';
import { deployJson, lineAt } from '../../test/support/transactions.ts';
import { contractOf } from './synthetic-contract.ts';

/** The numbers of contracts and deployers on mainnet in late 2025. */
const MAINNET_CONTRACTS = 109_482;
const MAINNET_DEPLOYERS = 60_616;
const CONTRACTS_PER_BLOCK = 20;
const FORKED_BLOCKS = 5;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    contracts: { type: 'string', default: String(MAINNET_CONTRACTS) },
    'source-share': { type: 'string', default: '1' },
    fork: { type: 'string' },
  },
});
const [file] = positionals;
const [contracts, share] = [Number(values.contracts), Number(values['source-share'])];
if (file === undefined || !(contracts > 0) || !(share > 0)) {
  console.error('usage: node scripts/bench/make-chain.ts FILE [--contracts N] [--source-share X] [--fork FILE]');
  process.exit(1);
}

const random = randomOf(1);
const heights = Math.ceil(contracts / CONTRACTS_PER_BLOCK);
await writeFile(file, lines());
if (values.fork !== undefined) {
  const forkedAt = Math.max(heights - FORKED_BLOCKS, 0);
  const forked = Array.from({ length: heights - forkedAt }, (_, index) => deploysAt(forkedAt + index, ' forked'));
  // The fork has one block more than the chain.
  const forkedLines = [...forked, []].map((deploys, index) =>
    lineAt(forkedAt + index, deploys, { forkedAt: forkedAt }),
  );
  await writeFile(values.fork, forkedLines);
}

function* lines(): Generator<string> {
  for (let height = 0; height < heights; height++) yield lineAt(height, deploysAt(height));
}

function deploysAt(height: number, mark = '') {
  const start = height * CONTRACTS_PER_BLOCK;
  return Array.from({ length: Math.min(CONTRACTS_PER_BLOCK, contracts - start) }, (_, index) => {
    const { source, contractInterface } = contractOf(start + index, { idOf, random, share, mark });
    return deployJson(idOf(start + index), source, { interface: contractInterface });
  });
}

/**
 * Returns the id of a contract, whose name contains its number. On average, a deployer has as many contracts as on
 * mainnet.
 */
function idOf(index: number): string {
  const deployer = Math.floor((index * MAINNET_DEPLOYERS) / MAINNET_CONTRACTS);
  return `${c32address(22, hash('sha256', `deployer ${deployer}`).slice(0, 40))}.contract-${index}`;
}
