// Works off the jobs that ask an API about contracts: their deploys, sources and interfaces.
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { splitContractId } from '#model/principal.ts';
import type { Reporter } from '#model/reporter.ts';
import type { ChainSource } from '#source/chain-source.ts';
import type { ReportedContract } from '#source/stacks-api/read-contract.ts';
import { readTip } from '#store/blocks.ts';
import { type ChainFailure, insertChainFailures } from '#store/chain-log.ts';
import { contractsOfTransactions, findKnownCode, type NewDeploy, replaceCode, upsertDeploys } from '#store/deploys.ts';
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

interface Told {
  readonly deploy: NewDeploy;
  readonly report: NewReport;
  readonly interfaceFailure: Failure | undefined;
}
type Asked = Told | Failure;

export async function fetchContracts(store: Store, source: ChainSource, options: WorkOptions): Promise<WorkSummary> {
  const { chainId } = await readInfo(store);
  return workOffJobs(store, contractWorker(source, chainId, options.reporter), options);
}

function contractWorker(
  source: ChainSource,
  chainId: number | undefined,
  reporter: Reporter,
): JobWorker<'fetch-contract', Asked> {
  return {
    kind: 'fetch-contract',
    task: 'contracts',
    work: async ({ contractId }) => {
      const tip = await source.tip();
      const contract = await source.readContract(contractId);
      if (contract === undefined) return fail('http-404', `The API does not know ${contractId}.`);
      if (isFailure(contract)) return contract;
      if (contract.sourceCode === undefined) {
        return {
          ...fail('source-invalid', `Neither API nor node tell the source of ${contractId}.`),
          retryable: false,
        };
      }
      return {
        // Described at once: what waits to be stored is text, not the interface's thousand objects.
        deploy: describe(contract, contract.sourceCode, chainId),
        report: { ...placeOf(contract), tipHeight: isFailure(tip) ? undefined : tip.height },
        interfaceFailure: contract.interfaceFailure,
      };
    },
    settle: (store, finished) => settle(store, finished, reporter),
    isStopped: () => source.downBecauseOf('contracts') !== undefined,
  };
}

function describe(contract: ReportedContract, sourceCode: string, chainId: number | undefined): NewDeploy {
  const deploy = {
    contractId: contract.contractId,
    txId: contract.txId,
    txIndex: 0,
    // The address of a contract is that of the transaction's origin.
    senderAddress: splitContractId(contract.contractId).address,
    ...(contract.clarityVersion === undefined ? {} : { wireClarityVersion: contract.clarityVersion }),
    sourceCode,
    ...(contract.interface === undefined ? {} : { interface: contract.interface }),
  };
  return describeDeploy(deploy, undefined, chainId);
}

function placeOf({ contractId, txId, blockHeight, canonical }: ReportedContract): Omit<NewReport, 'tipHeight'> {
  return { contractId, txId, blockHeight, canonical };
}

async function settle(
  store: StoreWriter,
  finished: readonly Finished<'fetch-contract', Asked>[],
  reporter: Reporter,
): Promise<Outcome[]> {
  const told: Told[] = [];
  for (const { job, result } of finished) {
    if (!isFailure(result)) told.push(result);
    // What the operator asked for is never given up.
    else if (result.retryable) await settleAttempt(store, job, result, { maxAttempts: Number.POSITIVE_INFINITY });
    else await writeReportFailure(store, job.contractId, result);
  }
  const settled = finished.filter(({ result }) => !isFailure(result) || !result.retryable);
  await deleteJobs(
    store,
    settled.map(({ job }) => job.jobId),
  );
  if (told.length > 0) {
    for (const failure of await insertChainFailures(store, await storeContracts(store, told)))
      reporter.warn(`${failure.subject}: ${failure.message}`, { code: failure.code });
  }
  return finished.map(({ result }) => (isFailure(result) ? 'failed' : 'done'));
}

/** Returns what is wrong with them, or between them and what was known. */
async function storeContracts(store: StoreWriter, told: readonly Told[]): Promise<ChainFailure[]> {
  const failures = told.flatMap(({ deploy, interfaceFailure }): ChainFailure[] =>
    interfaceFailure === undefined
      ? []
      : [{ code: interfaceFailure.failure, subject: deploy.contractId, message: interfaceFailure.message }],
  );
  const credible = await withoutStolenTransactions(store, told, failures);
  const deploys = credible.map(({ deploy }) => deploy);
  for (const known of await findKnownCode(store, deploys)) {
    const kept = known.isFromChain ? 'the one of the transaction is kept' : 'the newer one is kept';
    const message = `The API tells another source than the one that ${known.deploy.txId} is known to have deployed; ${kept}.`;
    failures.push({ code: 'source-contradiction', subject: `source of ${known.deploy.contractId}`, message });
    if (!known.isFromChain) await replaceCode(store, known.deploy);
  }
  await upsertDeploys(store, deploys);
  await writeReports(
    store,
    credible.map(({ report }) => report),
  );
  const ids = deploys.map((deploy) => deploy.contractId);
  const { revision } = await readInfo(store);
  const served = await serveContracts(store, ids, await readTip(store), revision + 1);
  if (served.changed.length > 0) await nextRevision(store);
  await queueValues(store, ids);
  return [...failures, ...served.failures];
}

/** A transaction deploys one contract: what is said to come from that of another is not believed. */
async function withoutStolenTransactions(
  store: StoreWriter,
  told: readonly Told[],
  failures: ChainFailure[],
): Promise<Told[]> {
  const owners = await contractsOfTransactions(
    store,
    told.map(({ deploy }) => deploy.txId),
  );
  const credible: Told[] = [];
  for (const one of told) {
    const { contractId, txId } = one.deploy;
    const owner = owners.get(txId) ?? contractId;
    owners.set(txId, owner);
    if (owner === contractId) {
      credible.push(one);
      continue;
    }
    const message = `The API says that it was deployed by ${txId}, and that transaction deployed ${owner}.`;
    failures.push({ code: 'source-contradiction', subject: contractId, message });
    await writeReportFailure(store, contractId, fail('source-contradiction', message));
  }
  return credible;
}
