// Plans the evaluation of a token: the deploys and calls that its getters may depend on, in chain order, and the values
// that each may decide.

import { CHAIN, DEPLOY, HEIGHT, isMarked, MAP_RULE, STX } from '#clarity/state-names.ts';
import { type Failure, fail } from '#model/failure.ts';
import { ANY_NUMBER, gettersOf, isCollectionStandard, type TokenGetter, watchedGettersOf } from '#model/token.ts';
import { sharedGetters } from '#standards/shared-getters.ts';
import type { ServedContract } from '#store/contracts/contracts.ts';
import { readNumbers } from '#store/tokens/collections.ts';
import type { Read } from '#vm/messages.ts';
import { HEIGHTS } from './block-facts.ts';
import type { ChainReader } from './chain-reader.ts';
import type { Place, PlacedCall, PlacedDeploy } from './placed-steps.ts';
import { contractOf, isOwn, nameOf, type Variable } from './reach.ts';
import { type ByGetter, findFirst, inChainOrder, isPlacedCall, type PlannedStep, trace } from './trace-steps.ts';

/** ALEX's vaults reach about 40; more than this is an attack. */
const MAX_CONTRACTS = 250;

export interface EvaluationPlan {
  readonly contract: ServedContract;
  readonly reads: readonly Read[];
  /** Getters of a collection that provably return the same for all its tokens. */
  readonly shared: ReadonlySet<TokenGetter>;
  /** Steps in chain order. */
  readonly steps: readonly PlannedStep[];
  /** Getters by step whose values it may change. */
  readonly affects: readonly (readonly TokenGetter[])[];
  /** Getters by step whose values it may decide, also through later steps. */
  readonly feeds: readonly (readonly TokenGetter[])[];
  /** First call, by getter, that may decide its value and is not replayed because there are too many. */
  readonly cutOff: ReadonlyMap<TokenGetter, PlacedCall>;
  /** Getters whose values are uncertain even if no step diverges, and why. */
  readonly unproven: ReadonlyMap<TokenGetter, Failure>;
  /** True if mints and burns may be missing. */
  readonly hasGap: boolean;
  /** Ids of all contracts that were looked up: if one appears or changes, also by a call, the plan may change. */
  readonly inputs: readonly string[];
  /** True if it may observe other steps replayed in the same session. */
  readonly isExposed: boolean;
}

/** Skips contracts that are not in the index: the VM finds out if they matter. */
export function planEvaluation(chain: ChainReader, token: ServedContract, maxCalls: number): Promise<EvaluationPlan> {
  return new Planner(chain, token).plan(maxCalls);
}

class Planner {
  readonly #chain: ChainReader;
  readonly #token: ServedContract;
  readonly #deploys = new Map<string, PlacedDeploy>();
  readonly #calls = new Map<number, PlacedCall>();
  readonly #inputs = new Set<string>();
  /** Variables that each getter reads. */
  readonly #reads: ByGetter<ReadonlySet<Variable>> = new Map();

  constructor(chain: ChainReader, token: ServedContract) {
    this.#chain = chain;
    this.#token = token;
  }

  async plan(maxCalls: number): Promise<EvaluationPlan> {
    const { contractId, standard = 'sip-010' } = this.#token;
    await this.#addContracts([contractId], this.#token);
    for (const functionName of watchedGettersOf(standard)) {
      const { reads } = await this.#chain.summaries.reachOf(this.#chain.store, { contractId, functionName });
      this.#reads.set(functionName, reads);
    }
    await this.#addCalls();
    const calls = [...this.#calls.values()].sort(inChainOrder);
    const steps = [...this.#deploys.values(), ...calls.slice(0, maxCalls)].sort(inChainOrder);
    const { affects, feeds, inputs } = trace(steps, this.#reads);
    const ofSupply = standard === 'sip-010' ? await this.#readsOfSupply() : undefined;
    const used = new Set([...inputs.values()].flatMap((variables) => [...variables]));
    return {
      contract: this.#token,
      ...(await this.#planReads()),
      steps,
      affects,
      feeds: ofSupply === undefined ? feeds : withSupply(steps, feeds, ofSupply.variables),
      cutOff: findFirst(calls.slice(maxCalls), inputs),
      unproven: await this.#findUnproven(inputs, ofSupply?.isLost === true),
      hasGap: (await this.#chain.followed(contractId)).hasGap,
      inputs: [...this.#inputs],
      isExposed: [...used].map(nameOf).some((name) => name.startsWith('$') && !HEIGHTS.has(name)),
    };
  }

  async #planReads(): Promise<Pick<EvaluationPlan, 'reads' | 'shared'>> {
    const { contractId, deployId, standard } = this.#token;
    const getters = gettersOf(standard);
    if (!isCollectionStandard(standard)) return { reads: getters.map((getter) => ({ getter })), shared: new Set() };
    const shared = sharedGetters(standard, this.#deploys.get(contractId)?.step.sourceCode ?? '');
    const numbers = shared.size === getters.length ? [] : await readNumbers(this.#chain.store, deployId);
    const reads = getters.map((getter) => ({ getter, tokenNumbers: shared.has(getter) ? [ANY_NUMBER] : numbers }));
    return { reads, shared };
  }

  /** Adds contracts and everything they refer to that was deployed up to a place. */
  async #addContracts(contractIds: readonly string[], upTo: Place): Promise<void> {
    const open = contractIds.filter((contractId) => !this.#deploys.has(contractId));
    const seen = new Set<string>();
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (this.#deploys.has(next) || seen.has(next) || this.#deploys.size >= MAX_CONTRACTS) continue;
      seen.add(next);
      this.#inputs.add(next);
      const deploy = await this.#chain.deployOf(next);
      const isToken = next === this.#token.contractId;
      if (deploy === undefined || (!isToken && !(deploy.contract.canonical && inChainOrder(deploy, upTo) <= 0)))
        continue;
      this.#deploys.set(next, deploy);
      for (const reference of deploy.references) open.push(reference);
    }
  }

  /** Adds recorded calls that may change what the getters read, or what such calls and deploys read. */
  async #addCalls(): Promise<void> {
    const states = new Set<string>();
    const addStates = (variables: Iterable<Variable>) => {
      for (const variable of variables) states.add(contractOf(variable));
    };
    for (const variables of this.#reads.values()) addStates(variables);
    const deployed = new Set<string>();
    const addDeploy = (contractId: string) => {
      const reach = this.#deploys.get(contractId)?.reach;
      if (reach === undefined || deployed.has(contractId)) return;
      deployed.add(contractId);
      if (reach.writes.size > 0) addStates(reach.reads);
    };
    // The set grows during the loop.
    for (const state of states) {
      this.#inputs.add(state);
      addDeploy(state);
      const before = this.#deploys.size;
      for (const placed of await this.#chain.callsOf(state)) {
        const { call, reach, passed } = placed;
        if (this.#calls.has(call.callId)) continue;
        await this.#addContracts([call.contractId, ...passed], placed);
        addStates(reach.reads);
        // A deploy is a step of its own, unless its version is unknown or there are too many: then it is not replayed.
        if (call.functionName !== DEPLOY) this.#calls.set(call.callId, placed);
        else if (!this.#deploys.has(call.contractId))
          this.#calls.set(call.callId, { ...placed, step: { ...placed.step, isSkipped: true } });
      }
      // The deploys of earlier states may be among those that were found now.
      if (this.#deploys.size > before) for (const earlier of states) addDeploy(earlier);
    }
  }

  /** A variable is followed since it was watched; other state cannot be followed. */
  async #findUnproven(inputs: ByGetter<ReadonlySet<Variable>>, isSupplyLost: boolean): Promise<ByGetter<Failure>> {
    const unproven: ByGetter<Failure> = new Map();
    if (isSupplyLost) unproven.set('get-total-supply', fail('supply-of-deploy'));
    for (const contractId of this.#deploys.keys()) {
      if (!(await this.#chain.followed(contractId)).isAmbiguous) continue;
      const message = `Blocks are missing above ${contractId}, and it has deploys on several forks.`;
      for (const getter of this.#reads.keys()) unproven.set(getter, fail('calls-not-recorded', message));
    }
    const inexact = await this.#reasonForRules();
    if (inexact !== undefined)
      for (const getter of gettersOf(this.#token.standard)) if (!unproven.has(getter)) unproven.set(getter, inexact);
    const reasons = new Map<Variable, Promise<Failure | undefined>>();
    for (const [getter, variables] of inputs) {
      for (const variable of variables) {
        const known = reasons.get(variable) ?? this.#reasonFor(variable);
        reasons.set(variable, known);
        const failure = await known;
        if (failure !== undefined && !unproven.has(getter)) unproven.set(getter, failure);
      }
    }
    return unproven;
  }

  /** Returns a reason if the VM may evaluate under other rules than the chain. */
  async #reasonForRules(): Promise<Failure | undefined> {
    const step = [...this.#deploys.values(), ...this.#calls.values()].find(({ isExact }) => !isExact);
    if (step !== undefined) {
      const { contractId } = step.step;
      const what = isPlacedCall(step) ? `a call of ${contractId} at height ${step.blockHeight}` : contractId;
      return fail('epoch-unknown', `The Clarity VM does not know the epoch or Clarity version of ${what}.`);
    }
    const tip = await this.#chain.tipEpoch();
    if (tip?.isExact !== false) return undefined;
    return fail('epoch-unknown', "The Clarity VM does not know the epoch of the chain's tip.");
  }

  /** What decides a fungible token's supply. Lost if calls may: those are too many to follow. */
  async #readsOfSupply(): Promise<{ readonly variables: ReadonlySet<Variable>; readonly isLost: boolean }> {
    const supply = { contractId: this.#token.contractId, functionName: 'get-total-supply' };
    // The set grows during the loop.
    const variables = new Set((await this.#chain.summaries.reachOf(this.#chain.store, supply)).reads);
    for (const variable of variables) {
      if (nameOf(variable).startsWith('$') || (await this.#canChange(contractOf(variable), variable)))
        return { variables, isLost: true };
      for (const input of await this.#inputsAtDeploy(variable)) variables.add(input);
    }
    return { variables, isLost: false };
  }

  /** What decides a variable at the deploy of its contract, apart from the contract itself. */
  async #inputsAtDeploy(variable: Variable): Promise<Variable[]> {
    const contractId = contractOf(variable);
    const deploy = { contractId, functionName: DEPLOY };
    const { writes, inputs } = await this.#chain.summaries.reachOf(this.#chain.store, deploy);
    if (!writes.has(variable)) return [];
    return [...inputs].filter((input) => nameOf(input) !== HEIGHT && !isOwn(input, contractId));
  }

  async #reasonFor(variable: Variable): Promise<Failure | undefined> {
    const [contractId, name] = [contractOf(variable), nameOf(variable)];
    if (HEIGHTS.has(name)) return fail('height-not-known', `The value depends on a block height in ${contractId}.`);
    if (name === MAP_RULE) return (await this.#chain.tipEpoch())?.epoch === '4.0' ? fail('vm-outdated') : undefined;
    if (name.startsWith('$'))
      return fail('state-not-replayed', `The value depends on ${describe(name)} in ${contractId}.`);
    const { whole, hasAllBlocks, leftOut } = await this.#chain.followed(contractId);
    if (leftOut) return fail('replay-limit', `More calls may have changed ${contractId} than are recorded.`);
    if (hasAllBlocks && whole.has(name)) return undefined;
    if (!(await this.#canChange(contractId, variable))) return undefined;
    const what = isMarked(name) ? `who owns how much of ${name.slice(2)}` : name;
    return fail(
      'calls-not-recorded',
      `The value depends on ${what} in ${contractId}, and not all calls were recorded.`,
    );
  }

  /** True if any transaction can change it: only functions of its own contract write a variable. */
  async #canChange(contractId: string, variable: Variable): Promise<boolean> {
    const { summaries, store } = this.#chain;
    for (const functionName of await summaries.publicFunctionsOf(store, contractId))
      if ((await summaries.reachOf(store, { contractId, functionName })).writes.has(variable)) return true;
    return false;
  }
}

/** Adds the supply to what deploys may decide. */
function withSupply(
  steps: readonly PlannedStep[],
  feeds: EvaluationPlan['feeds'],
  variables: ReadonlySet<Variable>,
): EvaluationPlan['feeds'] {
  const isFed = (step: PlannedStep) => !isPlacedCall(step) && !step.reach.writes.isDisjointFrom(variables);
  return steps.map((step, index) => [...(feeds[index] ?? []), ...(isFed(step) ? (['get-total-supply'] as const) : [])]);
}

function describe(name: string): string {
  return name === STX ? 'balances of STX' : name === CHAIN ? 'other blocks' : 'a contract whose source is not known';
}
