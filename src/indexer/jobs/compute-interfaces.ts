// Jobs that compute missing interfaces in the embedded VM. A computed interface is used until an archive has one.
import { type ContractInterface, parseInterface } from '#model/contract-interface.ts';
import { type DeployRules, interfaceNameOf } from '#model/epoch-calendar.ts';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { readInterfaceFacts } from '#standards/classify-contract.ts';
import { readTip } from '#store/chain/blocks.ts';
import { interfacesToCompute, writeAttempt } from '#store/chain/missing-interfaces.ts';
import { writeInterface } from '#store/chain/upsert-deploys.ts';
import { readServed, type ServedContract, tokenContractsAmong } from '#store/contracts/contracts.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { insertJobs } from '#store/work/jobs.ts';
import { Evaluator } from '#vm/evaluator.ts';
import { VM_VERSION } from '#vm/vm-version.ts';
import { serveContracts } from '../chain/serve-contracts.ts';
import { queueNew } from '../queue/queue-new-tokens.ts';
import { queueTokenReads } from '../queue/queue-token-reads.ts';
import { planInterface } from '../replay/plan-interface.ts';
import { dropJob, endAttempt } from '../runner/end-attempt.ts';
import { type JobWorker, oneByOne } from '../runner/job-worker.ts';
import type { JobContext } from './job-context.ts';

const MAX_ATTEMPTS = 4;
/** Maximum number of contracts that wait for the VM. */
const PLANNED_AT_ONCE = 16;

interface Computed {
  readonly contract: ServedContract;
  readonly inputs: readonly string[];
  readonly version: number;
  readonly found: ContractInterface | Failure;
}

export function computeInterfaces(
  context: JobContext,
): JobWorker<'compute-interface', Computed | undefined> | undefined {
  const { store, options, signal, chain } = context;
  if (!options.vm) return undefined;
  const evaluator = options.evaluator ?? new Evaluator(1);
  const end = async () => (options.evaluator === undefined ? evaluator.close() : undefined);
  signal.addEventListener('abort', () => void end(), { once: true });
  return {
    kind: 'compute-interface',
    task: 'interfaces',
    concurrency: PLANNED_AT_ONCE,
    prepare: async (writer) => {
      const contractIds = await interfacesToCompute(writer, VM_VERSION);
      const jobs = contractIds.map((contractId) => ({ kind: 'compute-interface', contractId }) as const);
      await insertJobs(writer, jobs);
    },
    work: async ({ contractId }) => {
      const { version } = chain;
      const contract = await readServed(store, contractId);
      const plan = contract && (await planInterface(chain, contract));
      if (contract === undefined || plan === undefined) return undefined;
      const replayed = plan.refusal ?? (await evaluator.replay(plan.request, options.vmTimeoutMs));
      const computed = isFailure(replayed) ? replayed : replayed.computed;
      const found = computed === undefined ? fail('clarity-error') : toInterface(computed, contract);
      return { contract, inputs: plan.inputs, version, found };
    },
    save: oneByOne(async (writer, job, result) => {
      if (result === undefined) return dropJob(writer, job);
      const { contract, inputs, version, found } = result;
      // Returning undefined keeps the job, because the source or a dependency changed during the computation.
      if (chain.hasChanged([contract.contractId, ...inputs], version)) return undefined;
      const failure = isFailure(found) ? found : undefined;
      if (failure?.retryable !== true) await writeAttempt(writer, contract, VM_VERSION, inputs, failure);
      if (!isFailure(found)) await storeInterface(writer, contract, found, context);
      return endAttempt(writer, job, failure, { maxAttempts: MAX_ATTEMPTS });
    }),
    close: end,
  };
}

/** Stores an interface. If it makes the contract a token, queues its evaluation and reads from a node. */
async function storeInterface(
  store: StoreWriter,
  { contractId, deployId }: ServedContract,
  found: ContractInterface,
  { access, options: { nft } }: JobContext,
): Promise<void> {
  const { standard } = readInterfaceFacts(found);
  const interfaceJson = JSON.stringify(found);
  if (!(await writeInterface(store, deployId, { interfaceJson, standard }, 'vm'))) return;
  await serveContracts(store, [contractId], await readTip(store));
  await queueNew(store, await tokenContractsAmong(store, [contractId]), nft);
  if (access !== undefined) await queueTokenReads(store, [contractId], nft);
}

/** Converts the VM's interface. Replaces its epoch and Clarity version, because the VM may have used different ones. */
function toInterface(
  computed: { readonly interface: unknown } | Failure,
  { epoch, clarityVersion }: DeployRules,
): ContractInterface | Failure {
  if (isFailure(computed)) return computed;
  const parsed = parseInterface(computed.interface);
  if (isFailure(parsed)) return parsed;
  const { epoch: _, clarity_version: __, ...rest } = parsed.interface;
  return {
    ...rest,
    ...(epoch === undefined ? {} : { epoch: interfaceNameOf(epoch) }),
    ...(clarityVersion === undefined ? {} : { clarity_version: `Clarity${clarityVersion}` }),
  };
}
