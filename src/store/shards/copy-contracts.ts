// Copies contracts from one index to another, with everything that lists, search files and counts of a site show.

import type { InsertObject, RawBuilder, Selectable } from 'kysely';
import { DEFAULT_LOCALE } from '#model/locale.ts';
import { isCollectionStandard, NO_NUMBER, TOKEN_STANDARDS } from '#model/token.ts';
import { excluded, hashFromBlob, readStoredJson } from '#sqlite/columns.ts';
import { inRuns, insertRows, listed, listedHashes, type OnConflict, rowsWith } from '#sqlite/lists.ts';
import type { Block } from '../chain/block-records.ts';
import { canonicalBlocksAt, insertCanonical, readTip } from '../chain/blocks.ts';
import { readDayStarts } from '../chain/day-starts.ts';
import { contractIdsInOrder } from '../contracts/contract-names.ts';
import { newestChanges } from '../contracts/newest-changes.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import { ofOwnShard, readInfo, readReportedTip, writeInfo } from '../index-info.ts';
import type { Schema } from '../schema/schema.ts';
import { readFirstTokens } from '../tokens/collection-states.ts';
import { IMAGE_OF_DOCUMENT } from '../tokens/images.ts';

type IdMap = (id: number) => number;

const IDS: ReadonlySet<string> = new Set(['contract_key', 'deploy_id', 'token_id']);

/** Copies the contracts of an index's shard, and how far the index knows the chain. */
export async function copyContracts(from: StoreReader, to: StoreWriter, idOf: IdMap): Promise<void> {
  await copyChain(from, to);
  const copy = { from, to, idOf };
  for await (const page of contractIdsInOrder(from)) {
    const own = await ofOwnShard(from, page, (contractId) => contractId);
    const contracts = await rowsWith(from, 'contract', 'contract_id', listed(own));
    const deploys = await copyRows(copy, 'deploy', 'deploy_id', listed(contracts.map((row) => row.deploy_id)));
    await insertCopies(copy, 'contract', contracts);
    await copyReferences(copy, deploys);
    await copyTokens(copy, deploys);
  }
}

/** The index that rows come from, and another, whose ids differ. */
interface Copy {
  readonly from: StoreReader;
  readonly to: StoreWriter;
  readonly idOf: IdMap;
}

/** Returns the rows whose value in a column is in a list, as they are in the index that they come from. */
async function copyRows<Table extends keyof Schema>(
  copy: Copy,
  table: Table,
  column: keyof Schema[Table] & string,
  list: RawBuilder<unknown>,
  onConflict?: OnConflict<Schema, Table>,
): Promise<Selectable<Schema[Table]>[]> {
  const rows = await rowsWith(copy.from, table, column, list);
  await insertCopies(copy, table, rows as InsertObject<Schema, Table>[], onConflict);
  return rows;
}

function insertCopies<Table extends keyof Schema>(
  { to, idOf }: Copy,
  table: Table,
  rows: readonly InsertObject<Schema, Table>[],
  onConflict?: OnConflict<Schema, Table>,
): Promise<void> {
  const mapped = rows.map((row) => {
    const ids = Object.entries(row).filter(([column]) => IDS.has(column)) as [string, number][];
    return { ...row, ...Object.fromEntries(ids.map(([column, id]) => [column, idOf(id)])) };
  });
  return insertRows(to, table, mapped, onConflict);
}

async function copyReferences(copy: Copy, deploys: readonly Selectable<Schema['deploy']>[]): Promise<void> {
  const references = await copyRows(copy, 'code_reference', 'deploy_id', listed(deploys.map((row) => row.deploy_id)));
  const keys = listed([...new Set(references.map(({ key }) => key))]);
  await copyRows(copy, 'called_name', 'key', keys, (conflict) => conflict.doNothing());
  const hashes = new Set(deploys.map((row) => hashFromBlob(row.functions_hash)));
  await copyRows(copy, 'function_set', 'functions_hash', listedHashes([...hashes]), (conflict) => conflict.doNothing());
}

async function copyChain(from: StoreReader, to: StoreWriter): Promise<void> {
  const [{ chainId, vmVersion }, known] = [await readInfo(from), await readInfo(to)];
  if (chainId !== undefined && known.chainId === undefined) await writeInfo(to, { chainId });
  const versions = new Set([...(known.vmVersion?.split(', ') ?? []), ...(vmVersion?.split(', ') ?? [])]);
  if (versions.size > 0) await writeInfo(to, { vmVersion: [...versions].sort().join(', ') });
  await insertCanonical(to, await readShownBlocks(from));
  const reported = await readReportedTip(from);
  if (reported !== undefined)
    await writeInfo(to, { reportedTip: Math.max(reported, (await readReportedTip(to)) ?? 0) });
}

/** The tip, the first blocks of days, and those of the last changes, whatever standards a build is restricted to. */
async function readShownBlocks(from: StoreReader): Promise<Block[]> {
  const heights = new Set<number>();
  for (const standards of [undefined, TOKEN_STANDARDS, ...TOKEN_STANDARDS.map((one) => [one])])
    for (const { height } of await newestChanges(from, standards)) heights.add(height);
  for (const { height } of await readDayStarts(from)) heights.add(height);
  const tip = await readTip(from);
  if (tip !== undefined) heights.add(tip.height);
  return canonicalBlocksAt(from, [...heights]);
}

/** Copies the contracts' own rows, and the first token of each collection, which lists show. */
async function copyTokens(copy: Copy, deploys: readonly Selectable<Schema['deploy']>[]): Promise<void> {
  const idsOf = (some: typeof deploys) => some.map((row) => row.deploy_id);
  const collections = idsOf(deploys.filter(({ standard }) => isCollectionStandard(standard)));
  const fungible = idsOf(deploys.filter(({ standard }) => standard === 'sip-010'));
  const own = copy.from.selectFrom('token').selectAll().where('token_number', '=', NO_NUMBER);
  const tokens = await own.where('deploy_id', 'in', listed([...collections, ...fungible])).execute();
  await insertCopies(copy, 'token', tokens);
  const firsts = await readFirstTokens(copy.from, collections);
  for (const token of await copyRows(copy, 'token', 'token_id', listed([...firsts.values()]))) tokens.push(token);
  await copyRows(copy, 'collection', 'deploy_id', listed(collections));
  await copyRows(copy, 'deploy_code', 'deploy_id', listed(fungible));
  const assets = tokens.flatMap(({ supply_assets: list }) =>
    list === null ? [] : readStoredJson<string[]>(list, 'a list of assets'),
  );
  await copyRows(copy, 'asset_supply', 'asset_identifier', listed(assets));
  // A value or a document may be a megabyte, so only those of a few tokens are held at once.
  for (const run of inRuns(tokens, 100)) await copyValues(copy, listed(run.map((row) => row.token_id)));
}

async function copyValues(copy: Copy, tokenIds: RawBuilder<number>): Promise<void> {
  await copyRows(copy, 'reading', 'token_id', tokenIds);
  const named = copy.from.selectFrom('document').selectAll('document').select(IMAGE_OF_DOCUMENT.as('image'));
  const documents = await named.where('token_id', 'in', tokenIds).where('locale', '=', DEFAULT_LOCALE).execute();
  const rows = documents.map(({ image, ...row }) => row);
  await insertCopies(copy, 'document', rows);
  const uris = new Set(documents.flatMap(({ image }) => image ?? []));
  const images = await rowsWith(copy.from, 'image', 'uri', listed([...uris]));
  const copies = images.map(({ image_id, ...row }) => row);
  // Another shard may have a copy of an image that this one lacks.
  await insertCopies(copy, 'image', copies, (conflict) =>
    conflict
      .column('uri')
      .doUpdateSet(excluded('sha256', 'extension', 'failure_code', 'failure_message', 'is_stale'))
      .where('image.sha256', 'is', null),
  );
}
