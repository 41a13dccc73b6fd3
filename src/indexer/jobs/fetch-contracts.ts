// Jobs that look up contracts at an API: their deploys, sources and interfaces.

import { findNames } from '#clarity/find-names.ts';
import { type ChainFailure, type Failure, fail, isFailure } from '#model/failure.ts';
import { packCode } from '#model/packed-code.ts';
import { splitContractId } from '#model/principal.ts';
import type { NftMode } from '#model/token.ts';
import type { ChainSource } from '#source/chain-source.ts';
import type { ReportedContract } from '#source/stacks-api/api-responses.ts';
import { readInterfaceFacts } from '#standards/classify-contract.ts';
import { readTip } from '#store/chain/blocks.ts';
import { insertChainFailures } from '#store/chain/chain-log.ts';
import { contractsInBlocks, replaceReported } from '#store/chain/deploys.ts';
import { type NewDeploy, upsertDeploys } from '#store/chain/upsert-deploys.ts';
import { type NewReport, writeReportFailure, writeReports } from '#store/contracts/reports.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { describeDeploy } from '../chain/describe-deploy.ts';
import { serveContracts } from '../chain/serve-contracts.ts';
import type { IndexOptions } from '../index-options.ts';
import { queueTokenReads } from '../queue/queue-token-reads.ts';
import { findWritesIfEvaluated, forgetWritesOf } from '../replay/find-writes.ts';
import { endAttempt, FOR_EVER } from '../runner/end-attempt.ts';
import type { Finished, JobWorker, Outcome } from '../runner/job-worker.ts';
import type { JobContext } from './job-context.ts';

interface FoundContract {
  readonly deploy: NewDeploy;
  readonly report: Omit<NewReport, 'deployId'>;
  readonly interfaceFailure: Failure | undefined;
}

export function fetchContracts(context: JobContext): JobWorker<'fetch-contract', FoundContract | Failure> | undefined {
  const { access, options, chain } = context;
  if (access?.source.api === undefined) return undefined;
  return {
    kind: 'fetch-contract',
    task: 'contracts',
    isOpen: () => access.isAvailable('contracts'),
    work: ({ contractId }) => lookUp(access.source, contractId),
    save: async (transaction, finished) => {
      const outcomes = await save(transaction, finished, options);
      chain.change(finished.map(({ job }) => job.contractId));
      return outcomes;
    },
  };
}

async function lookUp(source: ChainSource, contractId: string): Promise<FoundContract | Failure> {
  const tip = await source.tip();
  const contract = await source.readContract(contractId);
  if (contract === undefined) {
    // If the server reports no tip, it may not be an API at all.
    return isFailure(tip) || tip.height === undefined
      ? fail('not-an-api', `The server does not know ${contractId}. Check that --api-url names a Stacks API.`)
      : fail('http-404', `The API does not know ${contractId}.`);
  }
  if (isFailure(contract)) return contract;
  if (contract.sourceCode === undefined) {
    const failure = fail('source-invalid', `Neither the API nor the node has the source of ${contractId}.`);
    return { ...failure, retryable: false };
  }
  return toFound(contract, contract.sourceCode, isFailure(tip) ? undefined : tip.height);
}

function toFound(contract: ReportedContract, sourceCode: string, tipHeight: number | undefined): FoundContract {
  const { contractId, blockHeight, canonical, interfaceFailure } = contract;
  return {
    // Packs the code while the result waits to be stored, because an interface has thousands of objects.
    deploy: describe(contract, sourceCode),
    report: { contractId, blockHeight, canonical, tipHeight },
    interfaceFailure,
  };
}

function describe(contract: ReportedContract, sourceCode: string): NewDeploy {
  // The contract id begins with the address of the sender of its deploy transaction.
  const { address: senderAddress } = splitContractId(contract.contractId);
  const deploy = {
    contractId: contract.contractId,
    txId: contract.txId,
    txIndex: 0,
    senderAddress,
    references: findNames(Buffer.from(sourceCode), senderAddress),
    ...(contract.clarityVersion === undefined ? {} : { wireClarityVersion: contract.clarityVersion }),
    code: packCode(sourceCode, contract.interface && JSON.stringify(contract.interface)),
    interfaceFacts: contract.interface && readInterfaceFacts(contract.interface),
  };
  return describeDeploy(deploy, false);
}

async function save(
  store: StoreWriter,
  finished: readonly Finished<'fetch-contract', FoundContract | Failure>[],
  { reporter, nft }: IndexOptions,
): Promise<Outcome[]> {
  const found: FoundContract[] = [];
  for (const { job, result } of finished) {
    await endAttempt(store, job, isFailure(result) ? result : undefined, FOR_EVER);
    if (!isFailure(result)) found.push(result);
    else if (!result.retryable) await writeReportFailure(store, job.contractId, result);
  }
  for (const failure of await insertChainFailures(store, await storeContracts(store, found, nft)))
    reporter.warn(`${failure.subject}: ${failure.message}`);
  return finished.map(({ result }) => (isFailure(result) ? 'failed' : 'done'));
}

/** Stores contracts that no block has. Returns the invalid interfaces in the responses. */
async function storeContracts(
  store: StoreWriter,
  all: readonly FoundContract[],
  nft: NftMode,
): Promise<ChainFailure[]> {
  const inBlocks = await contractsInBlocks(
    store,
    all.map(({ deploy }) => deploy.contractId),
  );
  const found = all.filter(({ deploy }) => !inBlocks.has(deploy.contractId));
  const failures = found.flatMap(({ deploy, interfaceFailure }): ChainFailure[] =>
    interfaceFailure === undefined ? [] : [{ ...interfaceFailure, subject: deploy.contractId }],
  );
  const deploys = found.map(({ deploy }) => deploy);
  await replaceReported(store, deploys);
  const deployIds = await upsertDeploys(store, deploys);
  const reports = found.map(({ report }, index) => ({ ...report, deployId: deployIds[index] as number }));
  await writeReports(store, reports);
  const ids = deploys.map((deploy) => deploy.contractId);
  await forgetWritesOf(store, ids);
  await findWritesIfEvaluated(store);
  await serveContracts(store, ids, await readTip(store));
  await queueTokenReads(store, ids, nft);
  return failures;
}
