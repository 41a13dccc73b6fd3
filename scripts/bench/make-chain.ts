// This script writes a synthetic chain as an event archive: node scripts/bench/make-chain.ts FILE [--contracts N]
// [--source-share X] [--fork FILE] [--tokens N [--without-mints]] The contracts resemble mainnet's in sizes, kinds and
// calls. A twentieth are fungible tokens. `--source-share` shortens the sources to a share of their size. `--fork`
// writes a fork that replaces the last 100 contracts and deploys them again. `--tokens` adds 200 collections with this
// number of tokens in total: two of three collections have one URI for all tokens, and each third collection has one
// per token. `--without-mints` only deploys the collections. Its output is deterministic.
import { hash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { c32address } from 'c32check';
import { randomOf } from '../../test/support/faults.ts';
import { COLLECTION_INTERFACE } from '../../test/support/interfaces.ts';
import { blockOfDeploys, unsignedDeploy } from '../unsigned-deploy.ts';
import { callPayload, unsignedTransaction } from '../unsigned-transaction.ts';
import { contractOf } from './synthetic-contract.ts';

/** The numbers of contracts and deployers on mainnet in late 2025. */
const MAINNET_CONTRACTS = 109_482;
const MAINNET_DEPLOYERS = 60_616;
const CONTRACTS_PER_BLOCK = 20;
const FORKED_BLOCKS = 5;
const COLLECTIONS = 200;
const MINTS_PER_BLOCK = 2_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    contracts: { type: 'string', default: String(MAINNET_CONTRACTS) },
    'source-share': { type: 'string', default: '1' },
    fork: { type: 'string' },
    tokens: { type: 'string' },
    'without-mints': { type: 'boolean', default: false },
  },
});
const [file] = positionals;
const [contracts, share] = [Number(values.contracts), Number(values['source-share'])];
if (file === undefined || !(contracts > 0) || !(share > 0)) {
  console.error(
    'usage: node scripts/bench/make-chain.ts FILE [--contracts N] [--source-share X] [--fork FILE] ' +
      '[--tokens N [--without-mints]]',
  );
  process.exit(1);
}

const random = randomOf(1);
const collector = addressOf('collector');
const heights = Math.ceil(contracts / CONTRACTS_PER_BLOCK);
await writeFile(file, lines());
if (values.fork !== undefined) {
  const forkedAt = Math.max(heights - FORKED_BLOCKS, 0);
  const forked = Array.from({ length: heights - forkedAt }, (_, index) => deploysAt(forkedAt + index, ' forked'));
  // The fork has one block more than the chain.
  const forkedLines = [...forked, []].map((deploys, index) => blockOfDeploys(forkedAt + index, deploys, forkedAt));
  await writeFile(values.fork, forkedLines);
}

function* lines(): Generator<string> {
  for (let height = 0; height < heights; height++) yield blockOfDeploys(height, deploysAt(height));
  if (values.tokens === undefined) return;
  yield blockOfDeploys(heights, Array.from({ length: COLLECTIONS }, collection));
  const mints = values['without-mints'] ? 0 : Number(values.tokens);
  for (let minted = 0, height = heights + 1; minted < mints; minted += MINTS_PER_BLOCK, height++)
    yield blockOfMints(height, minted, Math.min(MINTS_PER_BLOCK, mints - minted));
}

function deploysAt(height: number, mark = '') {
  const start = height * CONTRACTS_PER_BLOCK;
  return Array.from({ length: Math.min(CONTRACTS_PER_BLOCK, contracts - start) }, (_, index) => {
    const { source, contractInterface } = contractOf(start + index, { idOf, random, share, mark });
    return unsignedDeploy(idOf(start + index), source, index, contractInterface);
  });
}

/**
 * Returns the id of a contract, whose name contains its number. On average, a deployer has as many contracts as on
 * mainnet.
 */
function idOf(index: number): string {
  const deployer = Math.floor((index * MAINNET_DEPLOYERS) / MAINNET_CONTRACTS);
  return `${addressOf(`deployer ${deployer}`)}.contract-${index}`;
}

function addressOf(name: string): string {
  return c32address(22, hash('sha256', name).slice(0, 40));
}

function collection(_: unknown, index: number) {
  const base = `ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/${index}/`;
  const uri = index % 3 === 0 ? `(some (concat "${base}" (int-to-ascii id)))` : `(some "${base}{id}.json")`;
  const source = `(define-non-fungible-token thing uint)
(define-data-var last-id uint u0)
(define-read-only (get-last-token-id) (ok (var-get last-id)))
(define-read-only (get-token-uri (id uint)) (ok ${uri}))
(define-read-only (get-owner (id uint)) (ok (nft-get-owner? thing id)))
(define-public (transfer (id uint) (from principal) (to principal))
  (begin (asserts! (is-eq tx-sender from) (err u1)) (nft-transfer? thing id from to)))
(define-public (mint) (begin (var-set last-id (+ u1 (var-get last-id))) (nft-mint? thing (var-get last-id) tx-sender)))
`;
  return unsignedDeploy(`${collector}.collection-${index}`, source, index, COLLECTION_INTERFACE);
}

/** Returns a block with one transaction that mints tokens, of each collection in turn. */
function blockOfMints(height: number, minted: number, count: number): string {
  const transaction = unsignedTransaction(collector, callPayload(`${collector}.minter`, `mint-${height}`));
  const events = Array.from({ length: count }, (_, index) => {
    const number = Math.floor((minted + index) / COLLECTIONS) + 1;
    return {
      txid: transaction.txid,
      type: 'nft_mint_event',
      committed: true,
      event_index: index,
      nft_mint_event: {
        asset_identifier: `${collector}.collection-${(minted + index) % COLLECTIONS}::thing`,
        raw_value: `0x01${number.toString(16).padStart(32, '0')}`,
        recipient: collector,
      },
    };
  });
  return blockOfDeploys(height, [transaction], undefined, events);
}
