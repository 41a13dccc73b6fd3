// Works off the jobs that ask an API about contracts: their deploys, sources and interfaces.
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { splitContractId } from '#model/principal.ts';
import type { Reporter } from '#model/reporter.ts';
import type { ChainSource } from '#source/chain-source.ts';
import type { ReportedContract } from '#source/stacks-api/read-contract.ts';
import { readTip } from '#store/blocks.ts';
import { type ChainFailure, insertChainFailures } from '#store/chain-log.ts';
import { findKnownCode, replaceCode, upsertDeploys } from '#store/deploys.ts';
import { nextRevision, readInfo, type Store, type StoreWriter } from '#store/index-database.ts';
import { deleteJobs } from '#store/jobs.ts';
import { type NewReport, writeReportFailure, writeReports } from '#store/reports.ts';
import { describeDeploy } from './describe-deploy.ts';
import { queueValues } from './read-values.ts';
import { serveContracts } from './serve-contracts.ts';
import {
  type Finished,
  type JobWorker,
  type Outcome,
  settleAttempt,
  type WorkOptions,
  type WorkSummary,
  workOffJobs,
} from './work-off-jobs.ts';

type Asked = { readonly contract: ReportedContract; readonly tipHeight: number | undefined } | Failure;

export async function fetchContracts(store: Store, source: ChainSource, options: WorkOptions): Promise<WorkSummary> {
  return workOffJobs(store, contractWorker(source, options.reporter), options);
}

function contractWorker(source: ChainSource, reporter: Reporter): JobWorker<'fetch-contract', Asked> {
  return {
    kind: 'fetch-contract',
    task: 'contracts',
    work: async ({ contractId }) => {
      const tip = await source.tip();
      const contract = await source.readContract(contractId);
      if (contract === undefined) return fail('http-404', `The API does not know ${contractId}.`);
      return isFailure(contract) ? contract : { contract, tipHeight: isFailure(tip) ? undefined : tip.height };
    },
    settle: (store, finished) => settle(store, finished, reporter),
    isStopped: () => source.downBecauseOf('contracts') !== undefined,
  };
}

async function settle(
  store: StoreWriter,
  finished: readonly Finished<'fetch-contract', Asked>[],
  reporter: Reporter,
): Promise<Outcome[]> {
  const contracts: ReportedContract[] = [];
  const reports: NewReport[] = [];
  for (const { job, result } of finished) {
    if (!isFailure(result)) {
      contracts.push(result.contract);
      reports.push({ ...result.contract, tipHeight: result.tipHeight });
    } else if (result.retryable) {
      // What the operator asked for is never given up.
      await settleAttempt(store, job, result, { maxAttempts: Number.POSITIVE_INFINITY });
    } else {
      await writeReportFailure(store, job.contractId, result);
    }
  }
  const settled = finished.filter(({ result }) => !isFailure(result) || !result.retryable);
  await deleteJobs(
    store,
    settled.map(({ job }) => job.jobId),
  );
  const failures = await storeContracts(store, contracts, reports);
  for (const failure of await insertChainFailures(store, failures))
    reporter.warn(`${failure.subject}: ${failure.message}`, { code: failure.code });
  return finished.map(({ result }) => (isFailure(result) ? 'failed' : 'done'));
}

/** Returns what is wrong with them, or between them and what was known. */
async function storeContracts(
  store: StoreWriter,
  contracts: readonly ReportedContract[],
  reports: readonly NewReport[],
): Promise<ChainFailure[]> {
  if (contracts.length === 0) return [];
  const { chainId, revision } = await readInfo(store);
  const failures = contracts.flatMap(({ contractId, interfaceFailure }): ChainFailure[] =>
    interfaceFailure === undefined
      ? []
      : [{ code: interfaceFailure.failure, subject: contractId, message: interfaceFailure.message }],
  );
  const deploys = contracts.map((contract) =>
    describeDeploy(
      {
        contractId: contract.contractId,
        txId: contract.txId,
        txIndex: 0,
        // The address of a contract is that of the transaction's origin.
        senderAddress: splitContractId(contract.contractId).address,
        ...(contract.clarityVersion === undefined ? {} : { wireClarityVersion: contract.clarityVersion }),
        sourceCode: contract.sourceCode ?? '',
        ...(contract.interface === undefined ? {} : { interface: contract.interface }),
      },
      undefined,
      chainId,
    ),
  );
  for (const known of await findKnownCode(store, deploys)) {
    const kept = known.isFromChain ? 'the one of the transaction is kept' : 'the newer one is kept';
    const message = `The API tells another source than the one that ${known.deploy.txId} is known to have deployed; ${kept}.`;
    failures.push({ code: 'source-contradiction', subject: `source of ${known.deploy.contractId}`, message });
    if (!known.isFromChain) await replaceCode(store, known.deploy);
  }
  await upsertDeploys(store, deploys);
  await writeReports(store, reports);
  const ids = contracts.map((contract) => contract.contractId);
  const served = await serveContracts(store, ids, await readTip(store), revision + 1);
  if (served.changed.length > 0) await nextRevision(store);
  await queueValues(store, ids);
  return [...failures, ...served.failures];
}
