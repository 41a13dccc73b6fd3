// This script checks archives of real chains: node test/real-data/check-archives.ts FOLDER
// Each FOLDER/archives/*.tsv.gz goes through the real commands; what they build is compared with a naive reading of it.
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { runCli } from '../support/run-cli.ts';
import { countChecks } from './count-checks.ts';

/** Known facts about some archives; the others are checked against the naive reading alone. */
const KNOWN: Readonly<
  Record<string, { contracts: number; contains?: string; orphanHeights?: readonly number[]; repeatedBlocks?: number }>
> = {
  'mainnet-block0.tsv.gz': { contracts: 6 },
  'epoch-3-transition.tsv.gz': { contracts: 37, repeatedBlocks: 1 },
  'mainnet-reorg-scenario1.tsv.gz': { contracts: 1, contains: '.badges', orphanHeights: [30, 45, 47] },
  'mainnet-out-of-order-microblock.tsv.gz': { contracts: 1, contains: '.market' },
  'fuzzed-transactions-1.tsv.gz': { contracts: 0 },
};

const folder = process.argv[2];
if (folder === undefined || !existsSync(join(folder, 'archives'))) {
  console.error('usage: node test/real-data/check-archives.ts FOLDER, a folder with archives/*.tsv.gz in it');
  process.exit(1);
}

const { check, finish } = countChecks();

type Json = Record<string, unknown>;
interface NaiveBlock {
  readonly hash: string;
  readonly parent: string;
  readonly height: number;
  readonly transactions: readonly Json[];
}

/** Blocks of an archive that fits into memory, repeated ones once. */
function readBlocks(path: string): { blocks: NaiveBlock[]; repeated: number } {
  const blocks = new Map<string, NaiveBlock>();
  let repeated = 0;
  for (const line of gunzipSync(readFileSync(path)).toString('utf8').split('\n')) {
    const [, timestamp = '', eventPath, ...json] = line.split('\t');
    if (eventPath !== '/new_block') continue;
    const text = json.join('\t');
    const payload = JSON.parse(timestamp.includes('T') ? text : text.replaceAll('\\\\', '\\')) as Json;
    const hash = String(payload.index_block_hash);
    if (blocks.has(hash)) repeated++;
    blocks.set(hash, {
      hash,
      parent: String(payload.parent_index_block_hash),
      height: Number(payload.block_height),
      transactions: payload.transactions as Json[],
    });
  }
  return { blocks: [...blocks.values()], repeated };
}

/** The chain that ends at the first of the highest blocks; below a gap, at the first of the highest there. */
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

async function checkArchive(path: string, name: string): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'stxpress-real-'));
  const run = (...args: string[]) => runCli(args, { cwd: work });
  const db = join(work, 'index.sqlite');
  const out = join(work, 'dist');
  try {
    const indexed = await run('index', '--db', db, '--archive', path, '--offline');
    check(`${name}: index exits 0`, indexed.status === 0, indexed.stderr);
    const built = await run('build', '--db', db, '--out', out);
    check(`${name}: build exits 0`, built.status === 0, built.stderr);
    const before = JSON.parse((await run('status', '--db', db, '--json')).stdout) as {
      revision: number;
      contracts: { contracts: number };
      blocks: Json;
    };
    const { blocks, repeated } = readBlocks(path);
    const canonical = canonicalHashes(blocks);
    const orphans = blocks.filter((block) => !canonical.has(block.hash)).map((block) => block.height);
    check(
      `${name}: blocks`,
      isDeepStrictEqual(before.blocks, { canonical: canonical.size, orphaned: orphans.length }),
      JSON.stringify(before.blocks),
    );
    checkContracts(out, name, blocks, canonical);
    checkKnown(name, before.contracts.contracts, out, orphans, repeated);

    const again = await run('index', '--db', db, '--archive', path, '--offline');
    const after = JSON.parse((await run('status', '--db', db, '--json')).stdout) as { revision: number };
    check(`${name}: replaying changes nothing`, again.status === 0 && after.revision === before.revision);
    const rebuilt = await run('build', '--db', db, '--out', out);
    check(`${name}: building again writes nothing`, rebuilt.stdout.includes(' 0 files written '), rebuilt.stdout);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function checkContracts(
  out: string,
  name: string,
  blocks: readonly NaiveBlock[],
  canonical: ReadonlySet<string>,
): void {
  const folder = join(out, 'extended/v1/contract');
  const contracts = existsSync(folder)
    ? readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Json)
    : [];
  for (const block of blocks) {
    for (const transaction of block.transactions) {
      const raw = Buffer.from(String(transaction.raw_tx).slice(2), 'hex');
      if (raw.length === 1) continue; // a burnchain operation
      const txId = `0x${createHash('sha512-256').update(raw).digest('hex')}`;
      check(`${name}: ${transaction.txid} is the hash of its bytes`, txId === transaction.txid);
      const contractInterface = transaction.contract_interface ?? transaction.contract_abi;
      const contract = contracts.find((candidate) => candidate.tx_id === txId);
      if (transaction.status !== 'success') check(`${name}: ${txId} failed and is no contract`, contract === undefined);
      if (transaction.status !== 'success' || contractInterface === null || contractInterface === undefined) continue;
      check(`${name}: ${txId} is a contract`, contract !== undefined);
      if (contract === undefined) continue;
      check(
        `${name}: ${contract.contract_id} has its interface`,
        isDeepStrictEqual(JSON.parse(String(contract.abi)), contractInterface),
      );
      check(`${name}: ${contract.contract_id} has its source`, raw.includes(Buffer.from(String(contract.source_code))));
      check(`${name}: ${contract.contract_id} is at its height`, contract.block_height === block.height);
      check(`${name}: ${contract.contract_id} is canonical or not`, contract.canonical === canonical.has(block.hash));
    }
  }
}

function checkKnown(name: string, contracts: number, out: string, orphans: readonly number[], repeated: number): void {
  const known = KNOWN[name];
  console.log(
    `${name}: ${contracts} contracts, orphans at ${orphans.join(', ') || 'no height'}, ${repeated} blocks repeated`,
  );
  if (known === undefined) return;
  check(`${name}: ${known.contracts} contracts`, contracts === known.contracts, String(contracts));
  const { contains } = known;
  if (contains !== undefined)
    check(
      `${name}: ${contains}`,
      readdirSync(join(out, 'extended/v1/contract')).some((file) => file.endsWith(contains)),
    );
  if (known.orphanHeights !== undefined)
    check(
      `${name}: orphans`,
      isDeepStrictEqual(
        orphans.toSorted((a, b) => a - b),
        known.orphanHeights,
      ),
      orphans.join(),
    );
  if (known.repeatedBlocks !== undefined) check(`${name}: repeated blocks`, repeated === known.repeatedBlocks);
}

const archives = readdirSync(join(folder, 'archives')).filter((name) => name.endsWith('.tsv.gz'));
for (const name of archives.sort()) await checkArchive(resolve(folder, 'archives', name), name);
finish();
