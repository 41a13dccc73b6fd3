// Queues requests to a node and an API for the token ids and values of collections.

import type { NewJob } from '#model/job.ts';
import { unpackCode } from '#model/packed-code.ts';
import { gettersOf, isCollectionStandard, type NftMode, type TokenState } from '#model/token.ts';
import { sharedGetters } from '#standards/shared-getters.ts';
import { readCode } from '#store/chain/code-columns.ts';
import { readDeployBlock } from '#store/chain/deploys.ts';
import { isCollection, readServedOfDeploys, type ServedContract } from '#store/contracts/contracts.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { tokensInOrder } from '#store/tokens/collections.ts';
import { readTokens } from '#store/tokens/tokens.ts';
import { insertJobs } from '#store/work/jobs.ts';

/** Queues requests for token ids and shared values of collections. Only SIP-009 has a getter for the last token id. */
export async function queueCollectionReads(
  store: StoreWriter,
  deployIds: readonly number[],
  nft: NftMode,
): Promise<void> {
  if (nft === 'none') return;
  const contracts = (await readServedOfDeploys(store, deployIds)).filter(isCollection);
  const collections = await readTokens(store, deployIds);
  for (const contract of contracts) {
    const collection = collections.get(contract.deployId);
    if (collection === undefined) continue;
    const { tokenId } = collection;
    const { contractId } = contract;
    const { shared } = await splitGetters(store, contract);
    await insertJobs(store, [
      ...(shared.length === 0 ? [] : [{ kind: 'read-values', tokenId, contractId, getters: shared } as const]),
      ...(contract.standard === 'sip-009' ? [{ kind: 'list-numbers', tokenId, contractId } as const] : []),
    ]);
  }
}

/** Queues requests for values that the tokens of a collection do not share, unless an archive has the contract. */
export async function queueNumberReads(
  store: StoreWriter,
  contract: ServedContract,
  isWanted = (state: TokenState): boolean => state === 'queued',
): Promise<void> {
  if ((await readDeployBlock(store, contract.deployId)) !== undefined) return;
  const { unshared } = await splitGetters(store, contract);
  if (unshared.length === 0) return;
  for await (const page of tokensInOrder(store, contract.deployId)) {
    const jobs = page.flatMap(({ tokenId, state }): NewJob[] =>
      isWanted(state) ? [{ kind: 'read-values', tokenId, contractId: contract.contractId, getters: unshared }] : [],
    );
    await insertJobs(store, jobs);
  }
}

/** Queues requests for all values of collections' tokens that have been read from a node before. */
export async function queueNumbersAgain(store: StoreWriter, deployIds: readonly number[]): Promise<void> {
  for (const contract of (await readServedOfDeploys(store, deployIds)).filter(isCollection))
    await queueNumberReads(store, contract, (state) => state !== 'queued');
}

/** Returns the getters that provably return the same for all tokens, and the other getters. */
async function splitGetters(store: StoreWriter, { deployId, standard }: ServedContract) {
  const packed = (await readCode(store, [deployId])).get(deployId);
  if (packed === undefined || !isCollectionStandard(standard)) return { shared: [], unshared: [] };
  const shared = sharedGetters(standard, unpackCode(packed).source);
  return { shared: [...shared], unshared: gettersOf(standard).filter((getter) => !shared.has(getter)) };
}
