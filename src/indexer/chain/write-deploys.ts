// Stores the deploys of a batch, and their inclusions in blocks.
import type { BlockEvent, ChainEvent, ContractDeploy } from '#model/chain-event.ts';
import {
  deleteOtherInclusions,
  findIncluded,
  insertInclusions,
  type NewInclusion,
  replaceReported,
} from '#store/chain/deploys.ts';
import { findParents, linkMicroblocks } from '#store/chain/microblocks.ts';
import { upsertDeploys } from '#store/chain/upsert-deploys.ts';
import type { StoreWriter } from '#store/index-database.ts';
import type { AddedBlock } from '../new-block.ts';
import { forgetWritesOf } from '../replay/find-writes.ts';
import { describeDeploy } from './describe-deploy.ts';

interface Events {
  readonly added: readonly AddedBlock[];
  /** The added blocks, and blocks that were stored before and arrive again. */
  readonly blocks: readonly BlockEvent[];
  readonly microblocks: readonly Exclude<ChainEvent, BlockEvent>[];
}

/** A deploy, and the block or the microblock that includes it. */
interface Included {
  readonly deploy: ContractDeploy;
  readonly in: NewInclusion['in'];
}

/** Stores deploys. Returns the contracts whose served deploy may change, and the number of deploys in new blocks. */
export async function writeDeploys(store: StoreWriter, { added, blocks, microblocks }: Events) {
  const inBlocks = added.flatMap(({ event, block: { blockId } }) =>
    event.deploys.map((deploy): Included => ({ deploy, in: { blockId } })),
  );
  const inMicroblocks = microblocks.flatMap(({ deploys, parentIndexBlockHash: microblockParent }) =>
    deploys.map((deploy): Included => ({ deploy, in: { microblockParent } })),
  );
  const first = await storeIncluded(store, [...inBlocks, ...inMicroblocks]);
  const parentHashes = microblocks.map(({ parentIndexBlockHash }) => parentIndexBlockHash);
  await linkMicroblocks(store, await findParents(store, [...new Set(parentHashes)]));
  // A block may arrive twice in a batch, so its deploys are stored before.
  const addedEvents = new Set(added.map(({ event }) => event));
  const repeated = blocks.filter((event) => !addedEvents.has(event));
  const late = await storeIncluded(store, await findLateInterfaces(store, repeated));
  await deleteOtherInclusions(store, late.inclusions);
  return {
    deploys: first.inclusions.length,
    contractIds: [...first.contractIds, ...late.contractIds],
  };
}

async function storeIncluded(store: StoreWriter, included: readonly Included[]) {
  const deploys = included.map(({ deploy }) => describeDeploy(deploy, true));
  const contractIds = [...new Set(deploys.map(({ contractId }) => contractId))];
  if (included.length === 0) return { inclusions: [], contractIds };
  // The transaction id proves the bytes in a block.
  await replaceReported(store, deploys);
  const deployIds = await upsertDeploys(store, deploys);
  await forgetWritesOf(store, contractIds);
  const inclusions = included.map(({ deploy: { txIndex, events }, in: where }, index) => {
    return { txIndex, events, in: where, deployId: deployIds[index] as number };
  });
  await insertInclusions(store, inclusions);
  return { inclusions, contractIds };
}

/** Finds deploys in repeated blocks whose interface is not stored, or differs from the interface of another fork. */
async function findLateInterfaces(store: StoreWriter, repeated: readonly BlockEvent[]) {
  const withInterface = repeated.flatMap(({ indexBlockHash, deploys }) =>
    deploys.flatMap((deploy) => (deploy.interfaceFacts === undefined ? [] : [{ deploy, indexBlockHash }])),
  );
  if (withInterface.length === 0) return [];
  const included = await findIncluded(
    store,
    withInterface.map(({ deploy }) => deploy.txId),
  );
  const known = new Map(included.map((inclusion) => [`${inclusion.txId} ${inclusion.indexBlockHash}`, inclusion]));
  return withInterface.flatMap(({ deploy, indexBlockHash }) => {
    const inclusion = known.get(`${deploy.txId} ${indexBlockHash}`);
    const { clarityVersion, epoch } = describeDeploy(deploy, true);
    const isKnown =
      inclusion?.hasInterface === true && inclusion.clarityVersion === clarityVersion && inclusion.epoch === epoch;
    return inclusion === undefined || isKnown ? [] : [{ deploy, in: { blockId: inclusion.blockId } }];
  });
}
