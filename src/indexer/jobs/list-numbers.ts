// Jobs that find the tokens of a SIP-009 collection, from the last token id at a node.
import { type Failure, isFailure } from '#model/failure.ts';
import type { Job } from '#model/job.ts';
import type { ChainSource } from '#source/chain-source.ts';
import { readLastNumber } from '#source/stacks-node/node-responses.ts';
import { isCollection, readServed } from '#store/contracts/contracts.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { insertNumbers } from '#store/tokens/collections.ts';
import { readToken, sharesAll } from '#store/tokens/tokens.ts';
import { finishReadTokens } from '../documents/finish-collections.ts';
import type { IndexOptions } from '../index-options.ts';
import { queueNumberReads } from '../queue/queue-collection-reads.ts';
import { queueNewTokens } from '../queue/queue-new-tokens.ts';
import { dropJob, endAttempt, FOR_EVER } from '../runner/end-attempt.ts';
import { type JobWorker, type Outcome, oneByOne } from '../runner/job-worker.ts';
import type { JobContext } from './job-context.ts';

/** Decimal token ids. */
type Listed = readonly string[] | Failure;

export function listNumbers({ access, options }: JobContext): JobWorker<'list-numbers', Listed> | undefined {
  if (access === undefined) return undefined;
  return {
    kind: 'list-numbers',
    task: 'collections',
    isOpen: () => access.isAvailable('values'),
    work: ({ contractId }) => list(access.source, contractId, options.maxNftTokens),
    save: oneByOne((store, job, listed) => saveNumbers(store, job, listed, options)),
  };
}

async function list({ node }: ChainSource, contractId: string, maxNftTokens: number): Promise<Listed> {
  const last = await readLastNumber(node, contractId);
  if (isFailure(last)) return last;
  // If tokens are left out, the list has one token more than the limit, so that they are counted.
  const count = last === undefined ? 0 : Number(last <= BigInt(maxNftTokens) ? last : maxNftTokens + 1);
  return Array.from({ length: count }, (_, index) => String(index + 1));
}

/** Adds tokens to a collection. Sets the states of the tokens or queues them. */
async function saveNumbers(
  store: StoreWriter,
  job: Job<'list-numbers'>,
  listed: Listed,
  { nft, maxNftTokens }: IndexOptions,
): Promise<Outcome> {
  const contract = await readServed(store, job.contractId);
  const collection = await readToken(store, job.tokenId);
  if (contract === undefined || collection?.deployId !== contract.deployId || !isCollection(contract))
    return dropJob(store, job);
  if (isFailure(listed)) return endAttempt(store, job, listed, FOR_EVER);
  const added = await insertNumbers(store, contract.deployId, listed, maxNftTokens);
  const outcome = await endAttempt(store, job, undefined);
  if (added > 0) await queueNewTokens(store, [contract.deployId], nft);
  await queueNumberReads(store, contract);
  if (!sharesAll(collection)) await finishReadTokens(store, [collection.tokenId], nft);
  return outcome;
}
