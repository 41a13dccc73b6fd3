// Jobs that get missing interfaces. The embedded VM computes an interface, which is used until a node or an API returns
// one.
import { type ContractInterface, type InterfaceOrigin, parseInterface } from '#model/contract-interface.ts';
import { type DeployRules, interfaceNameOf } from '#model/epoch-calendar.ts';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { readInterface } from '#source/stacks-node/node-responses.ts';
import { readInterfaceFacts } from '#standards/classify-contract.ts';
import { readTip } from '#store/chain/blocks.ts';
import {
  interfacesToCompute,
  interfacesToFetch,
  markRequested,
  writeAttempt,
} from '#store/chain/missing-interfaces.ts';
import { writeInterface, writeVersion } from '#store/chain/upsert-deploys.ts';
import { readServed, type ServedContract, tokenContractsAmong } from '#store/contracts/contracts.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { insertJobs } from '#store/work/jobs.ts';
import { Evaluator } from '#vm/evaluator.ts';
import { VM_VERSION } from '#vm/vm-version.ts';
import { serveContracts } from '../chain/serve-contracts.ts';
import { queueNew } from '../queue/queue-new-tokens.ts';
import { queueTokenReads } from '../queue/queue-token-reads.ts';
import { planInterface } from '../replay/plan-interface.ts';
import { dropJob, endAttempt, FOR_EVER } from '../runner/end-attempt.ts';
import { type JobWorker, oneByOne } from '../runner/job-worker.ts';
import type { JobContext } from './job-context.ts';
import { takeInterface } from './take-from-earlier.ts';

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
    prepare: (writer) => queueAll(writer, 'compute-interface', () => interfacesToCompute(writer, VM_VERSION)),
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
      if (!isFailure(found)) await storeInterface(writer, contract, found, 'vm', context);
      return endAttempt(writer, job, failure, { maxAttempts: MAX_ATTEMPTS });
    }),
    close: end,
  };
}

export function fetchInterfaces(context: JobContext): JobWorker<'fetch-interface', Fetched> | undefined {
  const { store, access, options } = context;
  if (access === undefined) return undefined;
  return {
    kind: 'fetch-interface',
    task: 'interfaces',
    isOpen: () => access.isAvailable('values'),
    prepare: (writer) => queueAll(writer, 'fetch-interface', () => interfacesToFetch(writer)),
    work: async ({ contractId }) => {
      const contract = await readServed(store, contractId);
      if (contract === undefined) return undefined;
      const taken = await takeInterface(store, options.kept, contractId, contract.deployId);
      if (taken !== undefined) return { contract, isTaken: true, found: taken.found };
      return { contract, isTaken: false, found: await readInterface(access.source.node, contractId) };
    },
    save: oneByOne(async (writer, job, result) => {
      if (result === undefined) return dropJob(writer, job);
      const { contract, found, isTaken } = result;
      if (isTaken && options.kept !== undefined) options.kept.taken.interfaces++;
      if (isFailure(found)) return endAttempt(writer, job, found, FOR_EVER);
      await markRequested(writer, contract.deployId);
      if (found !== undefined) await storeInterface(writer, contract, found, 'source', context);
      return endAttempt(writer, job, undefined);
    }),
  };
}

type Fetched =
  | {
      readonly contract: ServedContract;
      readonly found: ContractInterface | Failure | undefined;
      readonly isTaken: boolean;
    }
  | undefined;

async function queueAll(
  store: StoreWriter,
  kind: 'compute-interface' | 'fetch-interface',
  read: () => Promise<string[]>,
): Promise<void> {
  const jobs = (await read()).map((contractId) => ({ kind, contractId }));
  await insertJobs(store, jobs);
}

/** Stores an interface. If it makes the contract a token, queues its evaluation and reads from a node. */
async function storeInterface(
  store: StoreWriter,
  { contractId, deployId }: ServedContract,
  found: ContractInterface,
  origin: InterfaceOrigin,
  { chain, access, options: { nft } }: JobContext,
): Promise<void> {
  const { standard, clarityVersion } = readInterfaceFacts(found);
  const interfaceJson = JSON.stringify(found);
  if (!(await writeInterface(store, deployId, { interfaceJson, standard }, origin))) return;
  if (origin === 'source' && clarityVersion !== undefined) await writeVersion(store, deployId, clarityVersion);
  await serveContracts(store, [contractId], await readTip(store));
  await queueNew(store, await tokenContractsAmong(store, [contractId]), nft);
  if (access !== undefined)
    await queueTokenReads(store, [contractId], { nft, hasApi: access.source.api !== undefined });
  if (origin === 'source') chain.change([contractId]);
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
