// Indexes and builds each archive of FOLDER/archives, and compares the site with the result of a simple reader.
// Usage: node test/real-data/check-archives.ts FOLDER
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { type Checks, runChecks } from './checks.ts';

type Json = Record<string, unknown>;
interface NaiveBlock {
  readonly hash: string;
  readonly parent: string;
  readonly height: number;
  readonly transactions: readonly Json[];
}

/** Reads the blocks of an archive, each once. The archive must fit into memory. */
function readBlocks(archive: string): NaiveBlock[] {
  const blocks = new Map<string, NaiveBlock>();
  for (const line of archive.split('\n')) {
    const [, timestamp = '', eventPath, ...json] = line.split('\t');
    if (eventPath !== '/new_block') continue;
    const text = json.join('\t');
    const payload = JSON.parse(timestamp.includes('T') ? text : text.replaceAll('\\\\', '\\')) as Json;
    const hash = String(payload.index_block_hash);
    blocks.set(hash, {
      hash,
      parent: String(payload.parent_index_block_hash),
      height: Number(payload.block_height),
      transactions: payload.transactions as Json[],
    });
  }
  return [...blocks.values()];
}

/**
 * Returns the hashes of the canonical chain. The chain ends at the highest block; if several blocks have its height, at
 * the first of them. Below a gap, the same rule finds the next block.
 */
function canonicalHashes(blocks: readonly NaiveBlock[]): Set<string> {
  const byHash = new Map(blocks.map((block) => [block.hash, block]));
  const highestBelow = (height: number) =>
    blocks
      .filter((block) => block.height < height)
      .reduce<NaiveBlock | undefined>(
        (best, block) => (best === undefined || block.height > best.height ? block : best),
        undefined,
      );
  const canonical = new Set<string>();
  let next = highestBelow(Number.POSITIVE_INFINITY);
  while (next !== undefined) {
    canonical.add(next.hash);
    next = byHash.get(next.parent) ?? highestBelow(next.height);
  }
  return canonical;
}

async function checkArchive(name: string, { input, work, check, ok }: Checks): Promise<void> {
  const [path, db, out] = [join(input, 'archives', name), `${name}.sqlite`, join(work, name)];
  const index = () => ok('index', '--db', db, '--archive', path, '--offline');
  const status = async () =>
    JSON.parse((await ok('status', '--db', db, '--json')).stdout) as { revision: number; blocks: Json };
  await index();
  await ok('build', '--db', db, '--out', out);
  const before = await status();
  const archive = gunzipSync(readFileSync(path)).toString('utf8');
  const blocks = readBlocks(archive);
  const canonical = canonicalHashes(blocks);
  const orphans = blocks.filter((block) => !canonical.has(block.hash)).map((block) => block.height);
  const counts = { canonical: canonical.size, orphaned: orphans.length };
  check(`${name}: blocks`, isDeepStrictEqual(before.blocks, counts), JSON.stringify(before.blocks));
  const contracts = checkContracts(check, out, name, blocks, canonical);
  const unknown = contracts.filter(({ tx_id }) => !archive.includes(String(tx_id)));
  check(
    `${name}: has no other contracts`,
    unknown.length === 0,
    JSON.stringify(unknown.map((contract) => contract.contract_id)),
  );
  console.log(`${name}: ${contracts.length} contracts, orphans at ${orphans.join(', ') || 'no height'}`);

  await index();
  check(`${name}: does not change after replay`, (await status()).revision === before.revision);
  const { stdout } = await ok('build', '--db', db, '--out', out);
  check(`${name}: writes no files in the second build`, stdout.includes(' 0 files written '), stdout);
}

/** Checks every contract of the archive, and returns the contracts that the site serves. */
function checkContracts(
  check: Checks['check'],
  out: string,
  name: string,
  blocks: readonly NaiveBlock[],
  canonical: ReadonlySet<string>,
): Json[] {
  const folder = join(out, 'extended/v1/contract');
  const contracts = existsSync(folder)
    ? readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Json)
    : [];
  for (const block of blocks) {
    for (const transaction of block.transactions) {
      const raw = Buffer.from(String(transaction.raw_tx).slice(2), 'hex');
      if (raw.length === 1) continue; // burnchain operations have no transaction bytes
      const txId = `0x${createHash('sha512-256').update(raw).digest('hex')}`;
      check(`${name}: ${transaction.txid} is the hash of its bytes`, txId === transaction.txid);
      const contractInterface = transaction.contract_interface ?? transaction.contract_abi;
      const contract = contracts.find((candidate) => candidate.tx_id === txId);
      if (transaction.status !== 'success')
        check(`${name}: ${txId} failed and is not a contract`, contract === undefined);
      if (transaction.status !== 'success' || contractInterface === null || contractInterface === undefined) continue;
      check(`${name}: ${txId} is a contract`, contract !== undefined);
      if (contract === undefined) continue;
      check(
        `${name}: ${contract.contract_id} has its interface`,
        isDeepStrictEqual(JSON.parse(String(contract.abi)), contractInterface),
      );
      check(`${name}: ${contract.contract_id} has its source`, raw.includes(Buffer.from(String(contract.source_code))));
      check(`${name}: ${contract.contract_id} is at its height`, contract.block_height === block.height);
      check(
        `${name}: ${contract.contract_id} has the right "canonical"`,
        contract.canonical === canonical.has(block.hash),
      );
    }
  }
  return contracts;
}

await runChecks('check-archives.ts FOLDER', 'archives', async (checks) => {
  const archives = readdirSync(join(checks.input, 'archives')).filter((name) => name.endsWith('.tsv.gz'));
  for (const name of archives.sort()) await checkArchive(name, checks);
});
