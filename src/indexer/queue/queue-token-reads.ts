// Queues getters to call at a node: all getters of a token, or only those without a value in a token list.
import type { NewJob } from '#model/job.ts';
import { type NftMode, TOKEN_GETTERS } from '#model/token.ts';
import { readTip } from '#store/chain/blocks.ts';
import { readHighestGap } from '#store/chain/gaps.ts';
import { isFungibleToken, tokenContractsAmong } from '#store/contracts/contracts.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { readListedTokens } from '#store/tokens/listed-tokens.ts';
import { type NewReading, writeReadings } from '#store/tokens/readings.ts';
import { insertTokens, readTokens, type ServedToken } from '#store/tokens/tokens.ts';
import { dropOtherSupplies, markUntrackedUnproven } from '#store/tokens/unproven-readings.ts';
import { insertJobs, tokensWithValueJobs } from '#store/work/jobs.ts';
import { finishReadTokens } from '../documents/finish-collections.ts';
import { queueCollectionReads, queueNumbersAgain } from './queue-collection-reads.ts';

/** Stores values from the token list for contracts that are tokens. Queues calls of their getters without a value. */
export async function queueTokenReads(store: StoreWriter, contractIds: readonly string[], nft: NftMode) {
  const all = await tokenContractsAmong(store, contractIds);
  await insertTokens(store, all);
  const allIds = all.map((contract) => contract.deployId);
  await queueCollectionReads(store, allIds, nft);
  const contracts = all.filter(isFungibleToken);
  const deployIds = contracts.map((contract) => contract.deployId);
  const tokens = await readTokens(store, deployIds);
  const listed = await readListedTokens(store, contractIds);
  const tokenIds = [...tokens.values()].map((token) => token.tokenId);
  const queued = await tokensWithValueJobs(store, tokenIds);
  const jobs: NewJob[] = [];
  const readings: NewReading[] = [];
  const saved: number[] = [];
  for (const { contractId, deployId } of contracts) {
    const token = tokens.get(deployId);
    if (token === undefined) continue;
    const { tokenId } = token;
    const results = listed.get(contractId) ?? [];
    for (const result of results) readings.push({ ...result, tokenId, source: 'token-list' });
    const known = [...results, ...token.readings.filter(({ source }) => source !== 'vm')];
    const getters = TOKEN_GETTERS.filter((getter) => !known.some((result) => result.getter === getter));
    if (getters.length > 0 && !queued.has(tokenId)) jobs.push({ kind: 'read-values', tokenId, contractId, getters });
    if (results.length > 0) saved.push(tokenId);
  }
  await storeReported(store, contractIds, readings);
  await insertJobs(store, jobs);
  await finishReadTokens(store, saved, nft);
}

/**
 * Stores values from a node or a token list. Marks values that the archives may have changed since as unproven, and
 * deletes supplies that are sums of mints and burns.
 */
export async function storeReported(
  store: StoreWriter,
  contractIds: readonly string[],
  readings: readonly NewReading[],
): Promise<void> {
  if (readings.length === 0) return;
  await writeReadings(store, readings);
  await markUntrackedUnproven(store);
  const tip = await readTip(store);
  const gap = await readHighestGap(store, { canonical: true });
  if (tip !== undefined) await dropOtherSupplies(store, contractIds, { below: tip.height }, gap);
}

export async function queueAllTokenReads(store: StoreWriter, tokens: readonly ServedToken[], nft: NftMode) {
  const deployIds = tokens.map((token) => token.deployId);
  await queueCollectionReads(store, deployIds, nft);
  if (nft !== 'none') await queueNumbersAgain(store, deployIds);
  const fungible = tokens.filter(({ standard }) => standard === 'sip-010');
  const jobs = fungible.map(({ tokenId, contractId }) => {
    return { kind: 'read-values', tokenId, contractId, getters: TOKEN_GETTERS } as const;
  });
  // The new jobs replace earlier jobs, whose getters they include.
  await insertJobs(store, jobs, { dueNow: true });
}
