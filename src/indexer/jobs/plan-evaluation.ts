// Plans the evaluation of a token: the deploys and calls that its getters may depend on, in chain order.
import { findReferences } from '#clarity/find-references.ts';
import { EPOCHS, type EpochName, mainnetEpochAt, NEWEST_CLARITY_VERSION } from '#model/chain.ts';
import { unpackCode } from '#model/packed-code.ts';
import { TOKEN_GETTERS, type TokenGetter, WATCHED_GETTERS } from '#model/token.ts';
import { type RecordedCall, readCallsOf } from '#store/calls.ts';
import { readCode, readServed, type ServedContract } from '#store/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';
import type { ChainStep, DeployedSource, ReplayedCall } from '#vm/evaluator.ts';
import { ContractEffects, contractOf, type Variable } from '../calls/contract-effects.ts';
import { contractIdsIn } from '../calls/contracts-in.ts';

/** ALEX's vaults reach about 40; more than this is an attack. */
const MAX_CONTRACTS = 250;

export interface EvaluationPlan {
  /** Undefined if the token's own source cannot be evaluated. */
  readonly token: DeployedSource | undefined;
  readonly dependencies: readonly ChainStep[];
  readonly later: readonly ChainStep[];
  /** In the order of the steps. */
  readonly calls: readonly PlannedCall[];
  /** Ids of all contracts that were looked for: if one changes or appears, or is changed by a call, this may be another. */
  readonly inputs: readonly string[];
}

export interface PlannedCall extends RecordedCall {
  readonly affects: readonly TokenGetter[];
}

/** Leaves out what is not in the index: the VM finds whether it matters. */
export function planEvaluation(store: StoreReader, token: ServedContract, mainnet: boolean): Promise<EvaluationPlan> {
  return new Planner(store, token).plan(mainnet);
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
  readonly #calls = new Map<number, PlannedCall>();

  constructor(store: StoreReader, token: ServedContract) {
    this.#store = store;
    this.#token = token;
  }

  async plan(mainnet: boolean): Promise<EvaluationPlan> {
    await this.#addContracts([this.#token.contractId], this.#token);
    await this.#addCalls();
    const calls = [...this.#calls.values()].sort(inChainOrder);
    const deploys = [...this.#contracts.values()].map(({ contract, source }) => ({ place: contract, step: source }));
    const steps = [...deploys, ...calls.map((call) => ({ place: call, step: toStep(call, mainnet) }))];
    steps.sort((left, right) => inChainOrder(left.place, right.place));
    const at = steps.findIndex(({ place }) => place === this.#token);
    const ordered = steps.map(({ step }) => step);
    return {
      token: this.#contracts.get(this.#token.contractId)?.source,
      dependencies: ordered.slice(0, Math.max(0, at)),
      later: at === -1 ? [] : ordered.slice(at + 1),
      calls,
      inputs: [...this.#inputs],
    };
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
    const { contractId } = this.#token;
    const reads = new Map<TokenGetter, ReadonlySet<Variable>>();
    for (const getter of WATCHED_GETTERS)
      reads.set(getter, (await this.#effects.reachOf(this.#store, { contractId, functionName: getter })).reads);
    const states = new Set([...reads.values()].flatMap((variables) => [...variables].map(contractOf)));
    // The set grows while it is gone through.
    for (const state of states) {
      this.#inputs.add(state);
      for (const call of await readCallsOf(this.#store, [state])) {
        if (this.#calls.has(call.callId)) continue;
        const passed = contractIdsIn(call.args);
        const reach = await this.#effects.reachOfCall(this.#store, call, passed);
        const affects = TOKEN_GETTERS.filter((getter) =>
          [...(reads.get(getter) ?? [])].some((one) => reach.writes.has(one)),
        );
        this.#calls.set(call.callId, { ...call, affects });
        for (const variable of reach.reads) states.add(contractOf(variable));
        await this.#addContracts([call.contractId, ...passed], call);
      }
    }
  }
}

function inChainOrder(left: Place, right: Place): number {
  return left.blockHeight - right.blockHeight || left.txIndex - right.txIndex;
}
function toStep(call: PlannedCall, mainnet: boolean): ReplayedCall {
  const { contractId, functionName, senderAddress, args, result, affects, burnBlockHeight } = call;
  const epoch = mainnet ? mainnetEpochAt(burnBlockHeight)?.name : undefined;
  return { contractId, functionName, senderAddress, args, result, affects, epoch };
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
