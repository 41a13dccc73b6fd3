// Queues the getters to call at a node: those that no token list gives, or all of them.
import { TOKEN_GETTERS, type TokenGetter } from '#model/token.ts';
import { fungibleTokensAmong, readServedOfDeploys } from '#store/contracts.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { deleteJobsOfTokens, insertJobs, tokensWithJobs } from '#store/jobs.ts';
import { readListedTokens } from '#store/listed-tokens.ts';
import { type NewReading, writeReadings } from '#store/readings.ts';
import { insertTokens, readTokens, type TokenKey } from '#store/tokens.ts';
import { settleReadValues } from '../jobs/settle-values.ts';

/** Takes what a token list says of those contracts that are tokens, and queues the getters that it leaves out. */
export async function queueValues(store: StoreWriter, contractIds: readonly string[]): Promise<void> {
  const contracts = await fungibleTokensAmong(store, contractIds);
  const deployIds = contracts.map((contract) => contract.deployId);
  await insertTokens(store, deployIds);
  const tokens = await readTokens(store, deployIds);
  const listed = new Map(
    (await readListedTokens(store, contractIds)).map(({ contractId, answers }) => [contractId, answers]),
  );
  const isQueued = await tokensWithJobs(
    store,
    'read-values',
    [...tokens.values()].map((token) => token.tokenId),
  );
  const jobs: ReturnType<typeof valueJob>[] = [];
  const readings: NewReading[] = [];
  const settled: number[] = [];
  for (const { contractId, deployId } of contracts) {
    const token = tokens.get(deployId);
    if (token === undefined) continue;
    const answers = listed.get(contractId) ?? [];
    readings.push(...answers.map((answer) => ({ ...answer, tokenId: token.tokenId, source: 'token-list' as const })));
    const known = new Set([...answers, ...token.readings.filter(({ source }) => source !== 'vm')].map(getterOf));
    const unknown = TOKEN_GETTERS.filter((getter) => !known.has(getter));
    if (unknown.length > 0 && !isQueued.has(token.tokenId)) jobs.push(valueJob(token, contractId, unknown));
    if (answers.length > 0) settled.push(token.tokenId);
  }
  await writeReadings(store, readings);
  await insertJobs(store, jobs);
  await settleReadValues(store, settled);
}

/** Queues every getter of the given tokens, whatever was read of them before. */
export async function queueAllValues(store: StoreWriter, tokens: readonly TokenKey[]): Promise<void> {
  const contracts = await readServedOfDeploys(
    store,
    tokens.map((token) => token.deployId),
  );
  const contractIds = new Map(contracts.map((contract) => [contract.deployId, contract.contractId]));
  const jobs = tokens.flatMap((token) => {
    const contractId = contractIds.get(token.deployId);
    return contractId === undefined ? [] : [valueJob(token, contractId, TOKEN_GETTERS)];
  });
  // What is left of an earlier one is among them.
  await deleteJobsOfTokens(
    store,
    'read-values',
    jobs.map((job) => job.tokenId),
  );
  await insertJobs(store, jobs);
}

function valueJob({ tokenId }: Pick<TokenKey, 'tokenId'>, contractId: string, getters: readonly TokenGetter[]) {
  return { kind: 'read-values' as const, tokenId, contractId, getters };
}

function getterOf({ getter }: { readonly getter: TokenGetter }): TokenGetter {
  return getter;
}
