// Stores the deploys of a batch, their inclusions in blocks, and what their interfaces show about epochs.
import type { BlockEvent, ChainEvent, ContractDeploy } from '#model/chain-event.ts';
import type { ChainFailure } from '#model/failure.ts';
import {
  deleteOtherInclusions,
  findConflictingDeploys,
  findIncluded,
  insertInclusions,
  type NewInclusion,
  replaceDeploy,
} from '#store/chain/deploys.ts';
import { contractsWithoutFacts, noteEpochs, readCalendar } from '#store/chain/epochs.ts';
import { findParents, linkMicroblocks } from '#store/chain/microblocks.ts';
import { type NewDeploy, upsertDeploys } from '#store/chain/upsert-deploys.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { queueEvaluations } from '#store/replay/evaluation-inputs.ts';
import type { AddedBlock } from '../new-block.ts';
import { forgetShapesOf } from '../replay/place-shapes.ts';
import { describeDeploy, findEpochs } from './describe-deploy.ts';

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
  const guessed = await learnEpochs(store, [...blocks, ...microblocks]);
  return {
    deploys: first.inclusions.length,
    failures: [...first.failures, ...late.failures],
    contractIds: [...first.contractIds, ...late.contractIds, ...guessed],
  };
}

async function storeIncluded(store: StoreWriter, included: readonly Included[]) {
  const deploys = included.map(({ deploy }) => describeDeploy(deploy, true));
  const contractIds = [...new Set(deploys.map(({ contractId }) => contractId))];
  if (included.length === 0) return { inclusions: [], failures: [], contractIds };
  const failures = await correctDeploys(store, deploys);
  const deployIds = await upsertDeploys(store, deploys);
  await forgetShapesOf(store, contractIds);
  const inclusions = included.map(({ deploy: { txIndex, sponsorAddress, events }, in: where }, index) => {
    return { txIndex, sponsorAddress, events, in: where, deployId: deployIds[index] as number };
  });
  await insertInclusions(store, inclusions);
  return { inclusions, failures, contractIds };
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

/**
 * Stores what interfaces show about epochs. If the calendar changes, returns the contracts whose rules depend on it.
 */
async function learnEpochs(store: StoreWriter, blocks: Parameters<typeof findEpochs>[0]): Promise<string[]> {
  const seen = findEpochs(blocks);
  if (seen.length === 0) return [];
  const before = await readCalendar(store);
  await noteEpochs(store, seen);
  return before.equals(await readCalendar(store)) ? [] : contractsWithoutFacts(store);
}

/** Replaces stored deploys that an API reported differently. The transaction id proves the bytes in the block. */
async function correctDeploys(store: StoreWriter, deploys: readonly NewDeploy[]): Promise<ChainFailure[]> {
  const conflicting = await findConflictingDeploys(store, deploys);
  // A differing deploy may be correct: forks may run a transaction under different rules, and an API reports only one
  // result.
  const conflicts = new Set(conflicting.map(({ deploy }) => deploy));
  const agreeing = new Set(deploys.flatMap((deploy) => (conflicts.has(deploy) ? [] : [deploy.txId])));
  const misreported = conflicting.flatMap(({ isFromChain, deploy }) =>
    isFromChain || agreeing.has(deploy.txId) ? [] : [deploy],
  );
  const failures: ChainFailure[] = [];
  for (const deploy of misreported) {
    await replaceDeploy(store, deploy);
    const { contractId, txId } = deploy;
    const what = 'source, interface or Clarity version';
    const message = `The API returned another ${what} than ${txId} has in its block, which is kept.`;
    failures.push({ code: 'source-contradiction', subject: `source of ${contractId}`, message });
  }
  await queueEvaluations(
    store,
    misreported.map(({ contractId }) => contractId),
  );
  return failures;
}
