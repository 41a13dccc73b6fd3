// Plans the evaluation of a token: the deploys and calls that its getters may depend on, in chain order.
import { findReferences } from '#clarity/find-references.ts';
import { DEPLOY } from '#clarity/function-effects.ts';
import { EPOCHS, type EpochName, mainnetEpochAt, NEWEST_CLARITY_VERSION } from '#model/chain.ts';
import { unpackCode } from '#model/packed-code.ts';
import {
  ANY_NUMBER,
  gettersOf,
  isCollectionStandard,
  type TokenGetter,
  type TokenStandard,
  watchedGettersOf,
} from '#model/token.ts';
import { sharedGetters } from '#standards/shared-getters.ts';
import { hasRecordedCalls, type RecordedCall, readCallsOf } from '#store/calls.ts';
import { readNumbers } from '#store/collections.ts';
import { readCode, readServed, type ServedContract } from '#store/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';
import { readWatchedSince } from '#store/watches.ts';
import type { ChainStep, DeployedSource, Read, ReplayedCall } from '#vm/evaluator.ts';
import { ContractEffects, contractOf, type Reach, type Variable } from '../calls/contract-effects.ts';
import { contractIdsIn } from '../calls/contracts-in.ts';

/** ALEX's vaults reach about 40; more than this is an attack. */
const MAX_CONTRACTS = 250;

export interface EvaluationPlan {
  readonly deployHeight: number;
  /** Undefined if the token's own source cannot be evaluated. */
  readonly token: DeployedSource | undefined;
  readonly reads: readonly Read[];
  /** Getters of a collection that return the same for all its tokens, by proof. */
  readonly shared: ReadonlySet<TokenGetter>;
  readonly dependencies: readonly ChainStep[];
  readonly later: readonly ChainStep[];
  /** In the order of the steps, and behind them those that are too many to be replayed. */
  readonly calls: readonly PlannedCall[];
  /** Getters whose values calls may have changed that were not recorded. */
  readonly notRecorded: ReadonlySet<TokenGetter>;
  /** Ids of all contracts that were looked for: if one appears or changes, by a call too, the plan may be another. */
  readonly inputs: readonly string[];
}

export interface PlannedCall extends RecordedCall {
  /** The getters whose values it may change. */
  readonly affects: readonly TokenGetter[];
  /** Those whose values it may decide, through later calls too. */
  readonly feeds: readonly TokenGetter[];
}

/** Leaves out what is not in the index: the VM finds whether it matters. */
export function planEvaluation(
  store: StoreReader,
  token: ServedContract,
  { mainnet, maxCalls }: { readonly mainnet: boolean; readonly maxCalls: number },
): Promise<EvaluationPlan> {
  return new Planner(store, token).plan(mainnet, maxCalls);
}

interface Place {
  readonly blockHeight: number;
  readonly txIndex: number;
}

class Planner {
  readonly #store: StoreReader;
  readonly #token: ServedContract;
  readonly #effects = new ContractEffects();
  readonly #contracts = new Map<string, { readonly contract: ServedContract; readonly source: DeployedSource }>();
  readonly #inputs = new Set<string>();
  readonly #calls = new Map<number, { readonly call: RecordedCall; readonly reach: Reach }>();
  /** What each getter reads. */
  readonly #reads = new Map<TokenGetter, ReadonlySet<Variable>>();

  constructor(store: StoreReader, token: ServedContract) {
    this.#store = store;
    this.#token = token;
  }

  get #standard(): TokenStandard {
    return this.#token.standard ?? 'sip-010';
  }

  async plan(mainnet: boolean, maxCalls: number): Promise<EvaluationPlan> {
    await this.#addContracts([this.#token.contractId], this.#token);
    for (const getter of watchedGettersOf(this.#standard)) {
      const start = { contractId: this.#token.contractId, functionName: getter };
      const { reads } = await this.#effects.reachOf(this.#store, start);
      this.#reads.set(getter, await this.#withDeploys(reads));
    }
    await this.#addCalls();
    const { calls, inputs } = await this.#traceInputs();
    const deploys = [...this.#contracts.values()].map(({ contract, source }) => ({ place: contract, step: source }));
    const steps = [
      ...deploys,
      ...calls.slice(0, maxCalls).map((call) => ({ place: call, step: toStep(call, mainnet) })),
    ];
    steps.sort((left, right) => inChainOrder(left.place, right.place));
    const at = steps.findIndex(({ place }) => place === this.#token);
    const ordered = steps.map(({ step }) => step);
    const source = this.#contracts.get(this.#token.contractId)?.source;
    return {
      deployHeight: this.#token.blockHeight,
      token: source,
      ...(await this.#planReads(source)),
      dependencies: ordered.slice(0, Math.max(0, at)),
      later: at === -1 ? [] : ordered.slice(at + 1),
      calls,
      notRecorded: await this.#findNotRecorded(inputs),
      inputs: [...this.#inputs],
    };
  }

  async #planReads(source: DeployedSource | undefined): Promise<Pick<EvaluationPlan, 'reads' | 'shared'>> {
    const getters = gettersOf(this.#standard);
    if (!isCollectionStandard(this.#standard))
      return { reads: getters.map((getter) => ({ getter })), shared: new Set() };
    const shared = sharedGetters(this.#standard, source?.sourceCode ?? '');
    const numbers = shared.size === getters.length ? [] : await readNumbers(this.#store, this.#token.deployId);
    const reads = getters.map((getter) => ({ getter, tokenNumbers: shared.has(getter) ? [ANY_NUMBER] : numbers }));
    return { reads, shared };
  }

  /** Adds contracts and all that they refer to, if these were deployed before a place. */
  async #addContracts(contractIds: readonly string[], before: Place): Promise<void> {
    const open = contractIds.filter((contractId) => !this.#inputs.has(contractId));
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (this.#inputs.has(next) || this.#contracts.size >= MAX_CONTRACTS) continue;
      this.#inputs.add(next);
      const isToken = next === this.#token.contractId;
      const contract = isToken ? this.#token : await readServed(this.#store, next);
      if (contract === undefined || (!isToken && !(contract.canonical && inChainOrder(contract, before) < 0))) continue;
      const code = (await readCode(this.#store, [contract.deployId])).get(contract.deployId);
      const source = code === undefined ? undefined : toSource(contract, unpackCode(code).source);
      if (source === undefined) continue;
      this.#contracts.set(next, { contract, source });
      open.push(...findReferences(source.sourceCode, contract.senderAddress));
    }
  }

  /** Adds the recorded calls that may change what the getters read, or what such calls read. */
  async #addCalls(): Promise<void> {
    const states = new Set([...this.#reads.values()].flatMap((variables) => [...variables].map(contractOf)));
    // The set grows while it is gone through.
    for (const state of states) {
      this.#inputs.add(state);
      for (const call of await readCallsOf(this.#store, [state])) {
        if (this.#calls.has(call.callId)) continue;
        const passed = contractIdsIn(call.args);
        const reach = await this.#effects.reachOf(this.#store, call, passed);
        this.#calls.set(call.callId, { call, reach });
        for (const variable of reach.reads) states.add(contractOf(variable));
        await this.#addContracts([call.contractId, ...passed], call);
      }
    }
  }

  /** Goes back through the calls: what may decide what a later one writes for a getter is an input of that getter. */
  async #traceInputs(): Promise<{ calls: PlannedCall[]; inputs: Map<TokenGetter, ReadonlySet<Variable>> }> {
    const inputs = new Map([...this.#reads].map(([getter, variables]) => [getter, new Set(variables)]));
    const writing = (reach: Reach, by: ReadonlyMap<TokenGetter, ReadonlySet<Variable>>) =>
      [...by].flatMap(([getter, variables]) => (reach.writes.isDisjointFrom(variables) ? [] : [getter]));
    const calls: PlannedCall[] = [];
    const lastFirst = [...this.#calls.values()].sort((left, right) => inChainOrder(right.call, left.call));
    for (const { call, reach } of lastFirst) {
      const feeds = writing(reach, inputs);
      calls.push({ ...call, affects: writing(reach, this.#reads), feeds });
      for (const getter of feeds) {
        for (const variable of await this.#withDeploys(reach.inputs)) inputs.get(getter)?.add(variable);
      }
    }
    return { calls: calls.reverse(), inputs };
  }

  /** With what the deploys of their contracts read in others to compute them. */
  async #withDeploys(variables: ReadonlySet<Variable>): Promise<ReadonlySet<Variable>> {
    const all = new Set(variables);
    const contractIds = new Set([...variables].map(contractOf));
    // The sets grow while they are gone through.
    for (const contractId of contractIds) {
      const { writes, inputs } = await this.#effects.reachOf(this.#store, { contractId, functionName: DEPLOY });
      if (writes.isDisjointFrom(all)) continue;
      for (const variable of inputs) {
        if (contractOf(variable) !== contractId) all.add(variable);
        contractIds.add(contractOf(variable));
      }
    }
    return all;
  }

  /** A variable is followed from when it was watched: calls before, and in blocks that no archive had, were not seen. */
  async #findNotRecorded(inputs: ReadonlyMap<TokenGetter, ReadonlySet<Variable>>): Promise<Set<TokenGetter>> {
    const missed = new Set<Variable>();
    const all = new Set([...inputs.values()].flatMap((variables) => [...variables]));
    for (const [contractId, variables] of Map.groupBy(all, contractOf)) {
      const contract = contractId === this.#token.contractId ? this.#token : await readServed(this.#store, contractId);
      const isSeen = contract !== undefined && (await hasRecordedCalls(this.#store, contract.deployId));
      const watchedSince = await readWatchedSince(this.#store, contractId);
      for (const variable of variables) {
        const since = watchedSince.get(variable);
        const isFollowed = isSeen && since !== undefined && since <= contract.blockHeight;
        if (!isFollowed && (await this.#canChange(contractId, variable))) missed.add(variable);
      }
    }
    const getters = [...inputs].filter(([, variables]) => !missed.isDisjointFrom(variables));
    return new Set(getters.map(([getter]) => getter));
  }

  /** Whether any transaction can: only functions of its own contract write a variable. */
  async #canChange(contractId: string, variable: Variable): Promise<boolean> {
    for (const [functionName, effects] of await this.#effects.functionsOf(this.#store, contractId)) {
      if (!effects.some((one) => one.isPublic)) continue;
      if ((await this.#effects.reachOf(this.#store, { contractId, functionName })).writes.has(variable)) return true;
    }
    return false;
  }
}

function inChainOrder(left: Place, right: Place): number {
  return left.blockHeight - right.blockHeight || left.txIndex - right.txIndex;
}

function toStep(call: PlannedCall, mainnet: boolean): ReplayedCall {
  const { contractId, functionName, senderAddress, args, result, feeds, burnBlockHeight } = call;
  const epoch = mainnet ? mainnetEpochAt(burnBlockHeight)?.name : undefined;
  return { contractId, functionName, senderAddress, args, result, feeds, epoch };
}

/** Undefined if version or epoch are not known: the VM would silently use others. */
function toSource(contract: ServedContract, sourceCode: string): DeployedSource | undefined {
  const { contractId, clarityVersion } = contract;
  if (clarityVersion === undefined || clarityVersion < 1 || clarityVersion > NEWEST_CLARITY_VERSION) return undefined;
  const epoch =
    EPOCHS.find((known) => known.name === contract.epoch)?.name ?? newestEpochOf(clarityVersion, contract.epoch);
  return epoch === undefined ? undefined : { contractId, sourceCode, clarityVersion, epoch };
}

/** The last epoch in which this Clarity version was the newest, unless an unknown epoch is stored. */
function newestEpochOf(clarityVersion: number, recorded: string | undefined): EpochName | undefined {
  return recorded === undefined ? EPOCHS.findLast((epoch) => epoch.clarityVersion === clarityVersion)?.name : undefined;
}
