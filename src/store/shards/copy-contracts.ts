// Copies contracts from one index to another, with everything that lists, search files and counts of a site show.

import type { Selectable } from 'kysely';
import { DEFAULT_LOCALE } from '#model/locale.ts';
import { isCollectionStandard, NO_NUMBER } from '#model/token.ts';
import { excluded, readStoredJson } from '#sqlite/columns.ts';
import { inRuns, insertRows, listed } from '#sqlite/lists.ts';
import { findBlock, insertBlocks, readTip } from '../chain/blocks.ts';
import { readReportedTip } from '../chain/reported-tip.ts';
import { contractIdsInOrder } from '../contracts/contract-names.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import { ofOwnShard, readInfo, writeInfo } from '../index-info.ts';
import type { Schema } from '../schema/schema.ts';
import { readFirstTokens } from '../tokens/collection-states.ts';
import { IMAGE_OF_DOCUMENT } from '../tokens/images.ts';

/** Maps ids of one index to ids of another. */
export type IdMap = (id: number) => number;

/** Copies the contracts of an index's shard, and how far the index knows the chain. */
export async function copyContracts(from: StoreReader, to: StoreWriter, idOf: IdMap): Promise<void> {
  await copyChain(from, to, idOf);
  for await (const page of contractIdsInOrder(from)) {
    const contracts = await from
      .selectFrom('contract')
      .selectAll()
      .where('contract_id', 'in', listed(await ofOwnShard(from, page, (contractId) => contractId)))
      .execute();
    const deploys = await from
      .selectFrom('deploy')
      .selectAll()
      .where('deploy_id', 'in', listed(contracts.map((row) => row.deploy_id)))
      .execute();
    await insertRows(
      to,
      'deploy',
      deploys.map((row) => ({ ...row, deploy_id: idOf(row.deploy_id) })),
    );
    await insertRows(
      to,
      'contract',
      contracts.map((row) => ({
        ...row,
        contract_key: idOf(row.contract_key),
        deploy_id: idOf(row.deploy_id),
      })),
    );
    await copyTokens(from, to, deploys, idOf);
  }
}

async function copyChain(from: StoreReader, to: StoreWriter, idOf: IdMap): Promise<void> {
  const [{ chainId }, known] = [await readInfo(from), await readInfo(to)];
  if (chainId !== undefined && known.chainId === undefined) await writeInfo(to, { chainId });
  const tip = await readTip(from);
  if (tip !== undefined && (await findBlock(to, tip.indexBlockHash)) === undefined)
    await insertBlocks(to, [{ ...tip, blockId: idOf(tip.blockId) }]);
  const reported = await readReportedTip(from);
  if (reported !== undefined)
    await writeInfo(to, { reportedTip: Math.max(reported, (await readReportedTip(to)) ?? 0) });
}

/** Copies the contracts' own rows, and the first token of each collection, which lists show. */
async function copyTokens(
  from: StoreReader,
  to: StoreWriter,
  deploys: readonly Pick<Selectable<Schema['deploy']>, 'deploy_id' | 'standard'>[],
  idOf: IdMap,
): Promise<void> {
  const deployIds = deploys.filter(({ standard }) => standard !== null).map((row) => row.deploy_id);
  const collections = deploys.filter(({ standard }) => isCollectionStandard(standard)).map((row) => row.deploy_id);
  const firsts = await readFirstTokens(from, collections);
  const tokens = [
    ...(await from
      .selectFrom('token')
      .selectAll()
      .where('deploy_id', 'in', listed(deployIds))
      .where('token_number', '=', NO_NUMBER)
      .execute()),
    ...(await from
      .selectFrom('token')
      .selectAll()
      .where('token_id', 'in', listed([...firsts.values()]))
      .execute()),
  ];
  await insertRows(
    to,
    'token',
    tokens.map((row) => ({ ...row, token_id: idOf(row.token_id), deploy_id: idOf(row.deploy_id) })),
  );

  const counts = await from
    .selectFrom('collection')
    .selectAll()
    .where('deploy_id', 'in', listed(collections))
    .execute();
  await insertRows(
    to,
    'collection',
    counts.map((row) => ({ ...row, deploy_id: idOf(row.deploy_id) })),
  );

  const fungible = deployIds.filter((deployId) => !collections.includes(deployId));
  const codes = await from.selectFrom('deploy_code').selectAll().where('deploy_id', 'in', listed(fungible)).execute();
  await insertRows(
    to,
    'deploy_code',
    codes.map((row) => ({ ...row, deploy_id: idOf(row.deploy_id) })),
  );

  const assets = tokens.flatMap(({ supply_assets: list }) =>
    list === null ? [] : readStoredJson<string[]>(list, 'a list of assets'),
  );
  const supplies = await from
    .selectFrom('asset_supply')
    .selectAll()
    .where('asset_identifier', 'in', listed(assets))
    .execute();
  await insertRows(to, 'asset_supply', supplies);
  // A value or a document may be a megabyte, so only those of a few tokens are held at once.
  for (const run of inRuns(tokens, 100))
    await copyValues(
      from,
      to,
      run.map((row) => row.token_id),
      idOf,
    );
}

/** Copies readings and default documents, with the images that they name. */
async function copyValues(from: StoreReader, to: StoreWriter, tokenIds: readonly number[], idOf: IdMap): Promise<void> {
  const readings = await from.selectFrom('reading').selectAll().where('token_id', 'in', listed(tokenIds)).execute();
  await insertRows(
    to,
    'reading',
    readings.map((row) => ({ ...row, token_id: idOf(row.token_id) })),
  );

  const documents = await from
    .selectFrom('document')
    .selectAll('document')
    .select(IMAGE_OF_DOCUMENT.as('image'))
    .where('token_id', 'in', listed(tokenIds))
    .where('locale', '=', DEFAULT_LOCALE)
    .execute();
  await insertRows(
    to,
    'document',
    documents.map(({ image, ...row }) => ({ ...row, token_id: idOf(row.token_id) })),
  );

  const uris = [...new Set(documents.flatMap(({ image }) => image ?? []))];
  const images = await from.selectFrom('image').selectAll().where('uri', 'in', listed(uris)).execute();
  // Another shard may have a copy of an image that this one lacks.
  await insertRows(
    to,
    'image',
    images.map(({ image_id, ...row }) => row),
    (conflict) =>
      conflict
        .column('uri')
        .doUpdateSet(excluded('sha256', 'extension', 'failure_code', 'failure_message', 'is_stale'))
        .where('image.sha256', 'is', null),
  );
}
