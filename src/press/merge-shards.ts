// Joins the exports of all shards of a site in one index, from which what no shard has is built.

import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { formatChainId } from '#model/chain.ts';
import { stop } from '#model/failure.ts';
import { formatShard, shardName } from '#model/shard.ts';
import { ONLY, type Only } from '#model/token.ts';
import { readTip } from '#store/chain/blocks.ts';
import { readInfo, writeInfo } from '#store/index-info.ts';
import { beginHistory } from '#store/ledger/ledger.ts';
import { copyContracts } from '#store/shards/copy-contracts.ts';
import {
  type ExportFacts,
  insertBuiltFiles,
  openShardExport,
  readBuiltFiles,
  readExportFacts,
  type ShardExport,
} from '#store/shards/shard-export.ts';
import { commandLine, shellQuote } from '#text/command-line.ts';
import { codeFingerprint } from './build-origin.ts';

/** Throws FailureError for exports that are not those of one site; nothing is built then. `path`: of the new index. */
export async function mergeShards(
  files: readonly string[],
  path: string,
): Promise<{ readonly publicUrl: string; readonly only: Only | undefined }> {
  await using store = await openShardExport(path);
  await store.transaction().execute(async (transaction) => {
    await writeInfo(transaction, { indexId: randomUUID() });
    await beginHistory(transaction);
  });
  let first: Facts | undefined;
  for (const [index, file] of files.entries()) {
    const facts = await addShard(store, file, { index, of: files.length });
    checkIsAlike(facts, first ?? facts);
    first ??= facts;
  }
  const { publicUrl = '', only } = first ?? {};
  return { publicUrl, only: ONLY.find((one) => one === only) };
}

/** One of each shard, in their order. Throws FailureError `usage`. */
export function findExports(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const found = names.flatMap((name) => {
    const [, number, of] = /^shard-(\d+)-of-(\d+)\.sqlite$/.exec(name) ?? [];
    return number === undefined ? [] : [{ name, number: Number(number), of: Number(of) }];
  });
  const [one] = found;
  if (one === undefined)
    throw stop(
      'usage',
      `There are no exports of shards in ${folder}. Builds of shards write them there: ` +
        `${commandLine('index', '--shard 1/8 …')} and ${commandLine('build', `--exports ${shellQuote(folder)}`)}, for each shard.`,
    );
  const other = found.find(({ of }) => of !== one.of);
  if (other !== undefined)
    throw stop(
      'usage',
      `${folder} holds exports of ${one.of} and of ${other.of} shards: ${one.name} and ${other.name}. ` +
        'Remove those that are old.',
    );
  const missing = Array.from({ length: one.of }, (_, index) => ({ number: index + 1, of: one.of })).filter(
    ({ number }) => !found.some((shard) => shard.number === number),
  );
  const lacking = missing.map(formatShard).join(', ');
  if (missing.length > 0)
    throw stop(
      'usage',
      missing.length === 1
        ? `${folder} lacks the export of shard ${lacking}. Nothing was built; run this shard again.`
        : `${folder} lacks the exports of shards ${lacking}. Nothing was built; run these shards again, each alone.`,
    );
  return found.sort((left, right) => left.number - right.number).map(({ name }) => join(folder, name));
}

interface Facts extends ExportFacts {
  readonly file: string;
  readonly chainId: number | undefined;
  /** Undefined where no blocks were indexed. */
  readonly tip: { readonly height: number; readonly indexBlockHash: string } | undefined;
}

async function addShard(
  to: ShardExport,
  file: string,
  { index, of }: { readonly index: number; readonly of: number },
): Promise<Facts> {
  await using from = await openShardExport(file, { mustExist: true });
  const facts = await readExportFacts(from);
  if (facts === undefined || basename(file) !== `${shardName(facts.shard)}.sqlite`)
    throw stop('usage', `${file} is not the export of the shard that its name says. Build that shard again.`);
  await to.transaction().execute(async (transaction) => {
    // Each shard has ids of its own.
    await copyContracts(from, transaction, (id) => id * of + index);
    for await (const files of readBuiltFiles(from)) await insertBuiltFiles(transaction, files);
  });
  return { ...facts, file, chainId: (await readInfo(from)).chainId, tip: await readTip(from) };
}

/** What is the same for all shards of a site, each with how it is written. */
const ALIKE: readonly (readonly [what: string, of: (facts: Facts) => string])[] = [
  ['their chain', ({ chainId }) => (chainId === undefined ? 'none' : formatChainId(chainId))],
  ['the tip of their blocks', ({ tip }) => (tip === undefined ? 'none' : `${tip.height} ${tip.indexBlockHash}`)],
  ['--public-url', ({ publicUrl }) => publicUrl || 'none'],
  ['--only', ({ only }) => only || 'none'],
  ['--nft', ({ nft }) => nft],
];

/** Throws FailureError `shards-differ`. */
function checkIsAlike(facts: Facts, first: Facts): void {
  for (const [what, of] of ALIKE)
    if (of(facts) !== of(first))
      throw stop(
        'shards-differ',
        `${first.file} and ${facts.file} differ in ${what}: ${of(first)} and ${of(facts)}. Nothing was built; build all ` +
          'shards alike, from the same archive.',
      );
  if (facts.code !== codeFingerprint())
    throw stop('shards-differ', `${facts.file} was built by another version of stxpress. Build all with one version.`);
}
