// Works off the jobs that ask an API about contracts: their deploys, sources and interfaces.
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { packCode } from '#model/packed-code.ts';
import { splitContractId } from '#model/principal.ts';
import type { Reporter } from '#model/reporter.ts';
import type { ChainSource } from '#source/chain-source.ts';
import type { ReportedContract } from '#source/stacks-api/read-contract.ts';
import { readInterfaceFacts } from '#standards/read-interface-facts.ts';
import { readTip } from '#store/blocks.ts';
import { type ChainFailure, deleteChainFailures, insertChainFailures } from '#store/chain-log.ts';
import { touchContracts } from '#store/contracts.ts';
import {
  contractsOfTransactions,
  findOtherCode,
  type NewDeploy,
  replaceDeploy,
  upsertDeploys,
} from '#store/deploys.ts';
import { nextRevision, readInfo, type Store, type StoreWriter } from '#store/index-database.ts';
import { deleteJobs } from '#store/jobs.ts';
import { type NewReport, writeReportFailure, writeReports } from '#store/reports.ts';
import { describeDeploy } from './describe-deploy.ts';
import { queueValues } from './read-values.ts';
import { serveContracts } from './serve-contracts.ts';
import { FOR_EVER, settleAttempt } from './settle-attempt.ts';
import {
  type Finished,
  type JobWorker,
  type Outcome,
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
      if (contract === undefined) {
        // Who does not tell its tip either may be no API at all.
        return isFailure(tip) || tip.height === undefined
          ? fail('source-invalid', `Nothing answers for ${contractId} there: is the URL that of a Stacks API?`)
          : fail('http-404', `The API does not know ${contractId}.`);
      }
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
    code: packCode(sourceCode, contract.interface && JSON.stringify(contract.interface)),
    interfaceFacts: contract.interface && readInterfaceFacts(contract.interface),
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
    else if (result.retryable) await settleAttempt(store, job, result, FOR_EVER);
    else await writeReportFailure(store, job.contractId, result);
  }
  const settled = finished.filter(({ result }) => !isFailure(result) || !result.retryable);
  await deleteJobs(
    store,
    settled.map(({ job }) => job.jobId),
  );
  const stored = told.length === 0 ? NOTHING : await storeContracts(store, told);
  for (const failure of await insertChainFailures(store, stored.failures))
    reporter.warn(`${failure.subject}: ${failure.message}`, { code: failure.code });
  return finished.map(({ job }) => (stored.contractIds.has(job.contractId) ? 'done' : 'failed'));
}

interface Stored {
  readonly contractIds: ReadonlySet<string>;
  /** What is wrong with them, or between them and what was known. */
  readonly failures: readonly ChainFailure[];
}

const NOTHING: Stored = { contractIds: new Set(), failures: [] };

async function storeContracts(store: StoreWriter, told: readonly Told[]): Promise<Stored> {
  const failures = told.flatMap(({ deploy, interfaceFailure }): ChainFailure[] =>
    interfaceFailure === undefined
      ? []
      : [{ code: interfaceFailure.code, subject: deploy.contractId, message: interfaceFailure.message }],
  );
  const { credible, known } = await withoutStolenTransactions(store, told, failures);
  const deploys = credible.map(({ deploy }) => deploy);
  for (const { deploy, isFromChain } of await findOtherCode(store, deploys)) {
    const kept = isFromChain ? 'the one of the transaction is kept' : 'the newer one is kept';
    const message = `The API tells another source than the one that ${deploy.txId} is known to have deployed; ${kept}.`;
    failures.push({ code: 'source-contradiction', subject: `source of ${deploy.contractId}`, message });
    if (!isFromChain) await replaceDeploy(store, deploy);
  }
  await upsertDeploys(store, deploys);
  await writeReports(
    store,
    credible.map(({ report }) => report),
  );
  const ids = deploys.map((deploy) => deploy.contractId);
  const revision = (await readInfo(store)).revision + 1;
  const served = await serveContracts(store, ids, await readTip(store), revision);
  // Of what was known, source or interface may be others now.
  const touched = await touchContracts(store, known, revision);
  if (served.changed.length + touched > 0) await nextRevision(store);
  await queueValues(store, ids);
  return { contractIds: new Set(ids), failures: [...failures, ...served.failures] };
}

/** A transaction deploys one contract: what is said to come from that of another is not believed. */
async function withoutStolenTransactions(
  store: StoreWriter,
  told: readonly Told[],
  failures: ChainFailure[],
): Promise<{ readonly credible: readonly Told[]; readonly known: readonly string[] }> {
  const owners = await contractsOfTransactions(
    store,
    told.map(({ deploy }) => deploy.txId),
  );
  const credible: Told[] = [];
  const known: string[] = [];
  for (const one of told) {
    const { contractId, txId } = one.deploy;
    const owner = owners.get(txId);
    if (owner !== undefined && owner.contractId !== contractId && owner.isBacked) {
      const message = `The API says that it was deployed by ${txId}, and that transaction deployed ${owner.contractId}.`;
      failures.push({ code: 'source-contradiction', subject: contractId, message });
      await writeReportFailure(store, contractId, fail('source-contradiction', message));
      continue;
    }
    // Nobody says so any more of the contract that it was said to have deployed.
    if (owner !== undefined && owner.contractId !== contractId) await replaceDeploy(store, one.deploy);
    if (owner !== undefined) known.push(contractId);
    owners.set(txId, { contractId, isBacked: true });
    credible.push(one);
  }
  const ids = credible.map(({ deploy }) => deploy.contractId);
  await deleteChainFailures(store, 'source-contradiction', ids);
  return { credible, known };
}
