// Copies contracts from one index to another: as much of each as lists, search files and counts of a site show.

import type { Selectable } from 'kysely';
import { DEFAULT_LOCALE } from '#model/locale.ts';
import { isCollectionStandard, NO_NUMBER } from '#model/token.ts';
import { excluded, readStoredJson } from '#sqlite/columns.ts';
import { inRuns, readInRuns } from '#sqlite/lists.ts';
import { findBlock, insertBlocks, readTip } from '../chain/blocks.ts';
import { readReportedTip } from '../chain/reported-tip.ts';
import { contractIdsInOrder } from '../contracts/contract-names.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import { ofOwnShard, readInfo, writeInfo } from '../index-info.ts';
import type { Schema } from '../schema/schema.ts';
import { readFirstTokens } from '../tokens/collection-states.ts';
import { IMAGE_OF_DOCUMENT } from '../tokens/images.ts';

/** Turns ids of one index into those of another. */
export type IdMap = (id: number) => number;

/** Copies those of the shard of an index, and how far it knows the chain. */
export async function copyContracts(from: StoreReader, to: StoreWriter, idOf: IdMap): Promise<void> {
  await copyChain(from, to, idOf);
  for await (const page of contractIdsInOrder(from)) {
    const contracts = await readInRuns(await ofOwnShard(from, page, (contractId) => contractId), (run) =>
      from.selectFrom('contract').selectAll().where('contract_id', 'in', run).execute(),
    );
    const deploys = await readInRuns(
      contracts.map((row) => row.deploy_id),
      (run) => from.selectFrom('deploy').selectAll().where('deploy_id', 'in', run).execute(),
    );
    const newDeploys = deploys.map((row) => ({ ...row, deploy_id: idOf(row.deploy_id) }));
    for (const run of inRuns(newDeploys, 8)) await to.insertInto('deploy').values(run).execute();
    const newContracts = contracts.map((row) => ({
      ...row,
      contract_key: idOf(row.contract_key),
      deploy_id: idOf(row.deploy_id),
    }));
    for (const run of inRuns(newContracts, 8)) await to.insertInto('contract').values(run).execute();
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

/** Their own rows, and the first token of each collection, which is what lists show of it. */
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
    ...(await readInRuns(deployIds, (run) =>
      from
        .selectFrom('token')
        .selectAll()
        .where('deploy_id', 'in', run)
        .where('token_number', '=', NO_NUMBER)
        .execute(),
    )),
    ...(await readInRuns([...firsts.values()], (run) =>
      from.selectFrom('token').selectAll().where('token_id', 'in', run).execute(),
    )),
  ];
  const newTokens = tokens.map((row) => ({ ...row, token_id: idOf(row.token_id), deploy_id: idOf(row.deploy_id) }));
  for (const run of inRuns(newTokens, 10)) await to.insertInto('token').values(run).execute();

  const counts = await readInRuns(collections, (run) =>
    from.selectFrom('collection').selectAll().where('deploy_id', 'in', run).execute(),
  );
  const newCounts = counts.map((row) => ({ ...row, deploy_id: idOf(row.deploy_id) }));
  for (const run of inRuns(newCounts, 4)) await to.insertInto('collection').values(run).execute();

  const fungible = deployIds.filter((deployId) => !collections.includes(deployId));
  const codes = await readInRuns(fungible, (run) =>
    from.selectFrom('deploy_code').selectAll().where('deploy_id', 'in', run).execute(),
  );
  const newCodes = codes.map((row) => ({ ...row, deploy_id: idOf(row.deploy_id) }));
  for (const run of inRuns(newCodes, 4)) await to.insertInto('deploy_code').values(run).execute();

  const assets = tokens.flatMap(({ supply_assets: list }) =>
    list === null ? [] : readStoredJson<string[]>(list, 'a list of assets'),
  );
  const supplies = await readInRuns(assets, (run) =>
    from.selectFrom('asset_supply').selectAll().where('asset_identifier', 'in', run).execute(),
  );
  for (const run of inRuns(supplies, 2)) await to.insertInto('asset_supply').values(run).execute();
  // A value or a document may have a megabyte: those of a few tokens are held at once.
  for (const run of inRuns(tokens, 100))
    await copyValues(
      from,
      to,
      run.map((row) => row.token_id),
      idOf,
    );
}

/** Readings and default documents, with the images that these name. */
async function copyValues(from: StoreReader, to: StoreWriter, tokenIds: readonly number[], idOf: IdMap): Promise<void> {
  const readings = await readInRuns(tokenIds, (run) =>
    from.selectFrom('reading').selectAll().where('token_id', 'in', run).execute(),
  );
  const newReadings = readings.map((row) => ({ ...row, token_id: idOf(row.token_id) }));
  for (const run of inRuns(newReadings, 10)) await to.insertInto('reading').values(run).execute();

  const documents = await readInRuns(tokenIds, (run) =>
    from
      .selectFrom('document')
      .selectAll('document')
      .select(IMAGE_OF_DOCUMENT.as('image'))
      .where('token_id', 'in', run)
      .where('locale', '=', DEFAULT_LOCALE)
      .execute(),
  );
  const newDocuments = documents.map(({ image, ...row }) => ({ ...row, token_id: idOf(row.token_id) }));
  for (const run of inRuns(newDocuments, 10)) await to.insertInto('document').values(run).execute();

  const uris = [...new Set(documents.flatMap(({ image }) => image ?? []))];
  const images = await readInRuns(uris, (run) =>
    from.selectFrom('image').selectAll().where('uri', 'in', run).execute(),
  );
  const newImages = images.map(({ image_id, ...row }) => row);
  for (const run of inRuns(newImages, 6))
    await to
      .insertInto('image')
      .values(run)
      // Another shard may have got what this one did not.
      .onConflict((conflict) =>
        conflict
          .column('uri')
          .doUpdateSet(excluded('sha256', 'extension', 'failure_code', 'failure_message', 'is_stale'))
          .where('image.sha256', 'is', null),
      )
      .execute();
}
