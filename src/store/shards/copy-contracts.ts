// Copies contracts from one index to another, with everything that lists, search files and counts of a site show.

import type { InsertObject, Selectable } from 'kysely';
import { DEFAULT_LOCALE } from '#model/locale.ts';
import { isCollectionStandard, NO_NUMBER, TOKEN_STANDARDS } from '#model/token.ts';
import { excluded, hashFromBlob, readStoredJson } from '#sqlite/columns.ts';
import { inRuns, insertRows, listed, listedHashes, type OnConflict } from '#sqlite/lists.ts';
import { type Block, canonicalBlocksAt, findBlocks, insertBlocks, readDayStarts, readTip } from '../chain/blocks.ts';
import { readReportedTip } from '../chain/reported-tip.ts';
import { contractIdsInOrder } from '../contracts/contract-names.ts';
import { newestChanges } from '../contracts/newest-changes.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import { ofOwnShard, readInfo, writeInfo } from '../index-info.ts';
import type { Schema } from '../schema/schema.ts';
import { readFirstTokens } from '../tokens/collection-states.ts';
import { IMAGE_OF_DOCUMENT } from '../tokens/images.ts';

type IdMap = (id: number) => number;
/** Inserts rows of one index into another. */
type Insert = ReturnType<typeof inserter>;

const IDS: ReadonlySet<string> = new Set(['contract_key', 'deploy_id', 'token_id']);

/** Copies the contracts of an index's shard, and how far the index knows the chain. */
export async function copyContracts(from: StoreReader, to: StoreWriter, idOf: IdMap): Promise<void> {
  await copyChain(from, to, idOf);
  const insert = inserter(to, idOf);
  for await (const page of contractIdsInOrder(from)) {
    const own = listed(await ofOwnShard(from, page, (contractId) => contractId));
    const contracts = await from.selectFrom('contract').selectAll().where('contract_id', 'in', own).execute();
    const deployIds = listed(contracts.map((row) => row.deploy_id));
    const deploys = await from.selectFrom('deploy').selectAll().where('deploy_id', 'in', deployIds).execute();
    await insert('deploy', deploys);
    await insert('contract', contracts);
    await copyReferences(from, insert, deploys);
    await copyTokens(from, insert, deploys);
  }
}

/** Copies what the sources of deploys call and define. */
async function copyReferences(
  from: StoreReader,
  insert: Insert,
  deploys: readonly Selectable<Schema['deploy']>[],
): Promise<void> {
  const ids = listed(deploys.map((row) => row.deploy_id));
  const references = await from.selectFrom('code_reference').selectAll().where('deploy_id', 'in', ids).execute();
  await insert('code_reference', references);
  const keys = listed([...new Set(references.map(({ key }) => key))]);
  const names = await from.selectFrom('called_name').selectAll().where('key', 'in', keys).execute();
  await insert('called_name', names, (conflict) => conflict.doNothing());
  const hashes = listedHashes([...new Set(deploys.map((row) => hashFromBlob(row.functions_hash)))]);
  const sets = await from.selectFrom('function_set').selectAll().where('functions_hash', 'in', hashes).execute();
  await insert('function_set', sets, (conflict) => conflict.doNothing());
}

function inserter(to: StoreWriter, idOf: IdMap) {
  return <Table extends keyof Schema>(
    table: Table,
    rows: readonly InsertObject<Schema, Table>[],
    onConflict?: OnConflict<Schema, Table>,
  ): Promise<void> => {
    const mapped = rows.map((row) => {
      const ids = Object.entries(row).filter(([column]) => IDS.has(column)) as [string, number][];
      return { ...row, ...Object.fromEntries(ids.map(([column, id]) => [column, idOf(id)])) };
    });
    return insertRows(to, table, mapped, onConflict);
  };
}

async function copyChain(from: StoreReader, to: StoreWriter, idOf: IdMap): Promise<void> {
  const [{ chainId }, known] = [await readInfo(from), await readInfo(to)];
  if (chainId !== undefined && known.chainId === undefined) await writeInfo(to, { chainId });
  const shown = await readShownBlocks(from);
  const hashes = shown.map(({ indexBlockHash }) => indexBlockHash);
  const there = new Set((await findBlocks(to, hashes)).map(({ indexBlockHash }) => indexBlockHash));
  const missing = shown.filter(({ indexBlockHash }) => !there.has(indexBlockHash));
  await insertBlocks(
    to,
    missing.map((block) => ({ ...block, blockId: idOf(block.blockId) })),
  );
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
async function copyTokens(
  from: StoreReader,
  insert: Insert,
  deploys: readonly Selectable<Schema['deploy']>[],
): Promise<void> {
  const idsOf = (some: typeof deploys) => listed(some.map((row) => row.deploy_id));
  const ofTokens = idsOf(deploys.filter(({ standard }) => standard !== null));
  const collections = deploys.filter(({ standard }) => isCollectionStandard(standard)).map((row) => row.deploy_id);
  const fungible = idsOf(deploys.filter(({ standard }) => standard === 'sip-010'));
  const firsts = listed([...(await readFirstTokens(from, collections)).values()]);
  const all = from.selectFrom('token').selectAll();
  const tokens = [
    ...(await all.where('deploy_id', 'in', ofTokens).where('token_number', '=', NO_NUMBER).execute()),
    ...(await all.where('token_id', 'in', firsts).execute()),
  ];
  await insert('token', tokens);

  const counts = from.selectFrom('collection').selectAll().where('deploy_id', 'in', listed(collections));
  await insert('collection', await counts.execute());

  const codes = from.selectFrom('deploy_code').selectAll().where('deploy_id', 'in', fungible);
  await insert('deploy_code', await codes.execute());

  const assets = tokens.flatMap(({ supply_assets: list }) =>
    list === null ? [] : readStoredJson<string[]>(list, 'a list of assets'),
  );
  const supplies = from.selectFrom('asset_supply').selectAll().where('asset_identifier', 'in', listed(assets));
  await insert('asset_supply', await supplies.execute());
  // A value or a document may be a megabyte, so only those of a few tokens are held at once.
  for (const run of inRuns(tokens, 100)) await copyValues(from, insert, listed(run.map((row) => row.token_id)));
}

/** Copies readings and default documents, with the images that they name. */
async function copyValues(
  from: StoreReader,
  insert: Insert,
  tokenIds: ReturnType<typeof listed<number>>,
): Promise<void> {
  await insert('reading', await from.selectFrom('reading').selectAll().where('token_id', 'in', tokenIds).execute());

  const documents = await from
    .selectFrom('document')
    .selectAll('document')
    .select(IMAGE_OF_DOCUMENT.as('image'))
    .where('token_id', 'in', tokenIds)
    .where('locale', '=', DEFAULT_LOCALE)
    .execute();
  await insert(
    'document',
    documents.map(({ image, ...row }) => row),
  );

  const uris = listed([...new Set(documents.flatMap(({ image }) => image ?? []))]);
  const images = await from.selectFrom('image').selectAll().where('uri', 'in', uris).execute();
  // Another shard may have a copy of an image that this one lacks.
  await insert(
    'image',
    images.map(({ image_id, ...row }) => row),
    (conflict) =>
      conflict
        .column('uri')
        .doUpdateSet(excluded('sha256', 'extension', 'failure_code', 'failure_message', 'is_stale'))
        .where('image.sha256', 'is', null),
  );
}
