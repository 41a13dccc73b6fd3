// Plans the evaluation of a token: the deploys and calls that its getters may depend on, in chain order. Also finds the
// values that each of these steps may decide.

import { DEPLOY, HEIGHT, INVENTED, UNKNOWN_STATE } from '#clarity/builtins.ts';
import { keyOf } from '#clarity/name-key.ts';
import type { EpochName } from '#model/chain.ts';
import { type Failure, fail } from '#model/failure.ts';
import { ANY_NUMBER, gettersOf, isCollectionStandard, type TokenGetter, trackedGettersOf } from '#model/token.ts';
import { sharedGetters } from '#standards/shared-getters.ts';
import type { ServedContract } from '#store/contracts/contracts.ts';
import { shapesCalledSince } from '#store/replay/calls.ts';
import type { EvaluationInputs } from '#store/replay/evaluation-inputs.ts';
import { readNumbers } from '#store/tokens/collections.ts';
import type { Read } from '#vm/messages.ts';
import type { ChainReader, WritingShape } from './chain-reader.ts';
import { canChange, notReplayed, reasonForRules, reasonForVariable } from './find-reasons.ts';
import { followVariables } from './follow-variables.ts';
import { contractIdsOf } from './place-shapes.ts';
import type { Place, PlacedCall, PlacedDeploy } from './placed-steps.ts';
import { type ByGetter, inChainOrder, isPlacedCall, type PlannedStep, trace } from './trace-steps.ts';
import {
  canBeFollowed,
  contractOf,
  isBoot,
  isOwn,
  nameOf,
  type TransitiveEffects,
  type Variable,
  type Variables,
} from './transitive-effects.ts';

/** The maximum number of contracts in a plan. ALEX's vaults need about 40, and a plan above the limit is an attack. */
const MAX_CONTRACTS = 250;

export interface EvaluationPlan {
  readonly contract: ServedContract;
  readonly getters: readonly Read[];
  /** The getters of a collection that provably return the same value for all tokens. */
  readonly shared: ReadonlySet<TokenGetter>;
  /** The deploys and calls to replay, in chain order. */
  readonly steps: readonly PlannedStep[];
  /** For each step, the getters whose values the step may change. */
  readonly affects: readonly (readonly TokenGetter[])[];
  /** For each step, the getters whose values the step may decide, directly or through later steps. */
  readonly feeds: readonly (readonly TokenGetter[])[];
  /** For each getter, the first call that is left out because there are too many. Missing if no such call matters. */
  readonly cutOff: ReadonlyMap<TokenGetter, PlacedCall>;
  /** For each getter, the reason why its value is unproven even if no step diverges. */
  readonly unproven: ReadonlyMap<TokenGetter, Failure>;
  /** True if the archive may lack mints and burns of the token. */
  readonly hasGap: boolean;
  /** The contracts that were looked up, and the variables that decide values. A change of these may change the plan. */
  readonly inputs: EvaluationInputs;
  /** The variables that steps and getters read. A step of another token that writes one may change the values. */
  readonly reads: readonly Variables[];
  /** Contracts that were looked up and are not deployed. The deploy of one for another token may change the values. */
  readonly missing: ReadonlySet<string>;
  /**
   * The VM's epoch for transactions and getters whose epoch is unknown; undefined if all epochs are known. Tokens with
   * another epoch must not share the session.
   */
  readonly unknownEpoch: EpochName | undefined;
  /** True if other tokens in the same session may change the values, because they depend on state that it invents. */
  readonly isExposed: boolean;
}

/** Plans the evaluation of a token. Skips contracts that are not in the index; the VM fails if it needs one of them. */
export function planEvaluation(chain: ChainReader, token: ServedContract, maxCalls: number): Promise<EvaluationPlan> {
  return new Planner(chain, token).plan(maxCalls);
}

class Planner {
  readonly #chain: ChainReader;
  readonly #token: ServedContract;
  readonly #deploys = new Map<string, PlacedDeploy>();
  readonly #inputs = new Set<string>();
  /** The variables that each getter reads. */
  readonly #reads: ByGetter<ReadonlySet<Variable>> = new Map();

  constructor(chain: ChainReader, token: ServedContract) {
    this.#chain = chain;
    this.#token = token;
  }

  async plan(maxCalls: number): Promise<EvaluationPlan> {
    const { contractId, standard = 'sip-010' } = this.#token;
    await this.#addContracts([contractId], this.#token);
    for (const functionName of trackedGettersOf(standard)) {
      const { reads } = await this.#chain.summaries.effectsOf({ contractId, functionName });
      this.#reads.set(functionName, reads);
    }
    const variables = [...this.#reads.values()].flatMap((reads) => [...reads]);
    const followed = await followVariables(this.#chain, variables, maxCalls);
    const calls = await this.#chain.callsOf(followed.shapes, maxCalls + 1);
    const replayed = calls.slice(0, maxCalls);
    const lost = await this.#addShapes(followed.shapes, replayed);
    const steps = [...this.#deploys.values(), ...replayed].sort(inChainOrder);
    const { affects, feeds, inputs } = trace(steps, this.#reads);
    const supplyReads = standard === 'sip-010' ? await this.#readSupplyInputs() : undefined;
    return {
      contract: this.#token,
      ...(await this.#planReads()),
      ...(await this.#planSession(steps)),
      steps,
      affects,
      feeds: supplyReads === undefined ? feeds : withSupply(steps, feeds, supplyReads.variables),
      cutOff: await this.#findCutOff(calls[maxCalls], followed.shapes, inputs),
      unproven: await this.#findUnproven(
        inputs,
        steps,
        new Set([...followed.untracked, ...lost]),
        supplyReads?.failure,
      ),
      hasGap: (await this.#chain.blocksSince(contractId)).hasGap,
      inputs: {
        contractIds: [...this.#inputs],
        variableKeys: [...followed.variables].filter(canBeFollowed).map(keyOf),
      },
    };
  }

  /** Finds what steps of other tokens in the same session could change. */
  async #planSession(
    steps: readonly PlannedStep[],
  ): Promise<Pick<EvaluationPlan, 'reads' | 'missing' | 'unknownEpoch' | 'isExposed'>> {
    const { contractId, standard } = this.#token;
    const effects = new Set<TransitiveEffects>(steps.map((step) => step.effects));
    for (const functionName of gettersOf(standard))
      effects.add(await this.#chain.summaries.effectsOf({ contractId, functionName }));
    const [reads, writes] = [new Set<Variables>(), new Set<Variables>()];
    for (const each of effects) {
      reads.add(each.reads);
      writes.add(each.writes);
    }
    const isKnown = steps.every(({ step }) => step.epoch !== undefined) && (await this.#chain.tipEpoch()) !== undefined;
    const epochs = new Set([...this.#deploys.values()].map(({ step }) => step.epoch));
    const [epoch] = epochs;
    return {
      reads: [...reads],
      missing: new Set([...this.#inputs].filter((id) => !this.#deploys.has(id))),
      unknownEpoch: isKnown ? undefined : epoch,
      isExposed:
        !this.#token.canonical ||
        [...reads, ...writes].some((variables) => variables.values().some(isSharedState)) ||
        this.#deploys.size >= MAX_CONTRACTS ||
        (!isKnown && epochs.size > 1),
    };
  }

  async #planReads(): Promise<Pick<EvaluationPlan, 'getters' | 'shared'>> {
    const { contractId, deployId, standard } = this.#token;
    const getters = gettersOf(standard);
    if (!isCollectionStandard(standard)) return { getters: getters.map((getter) => ({ getter })), shared: new Set() };
    const shared = sharedGetters(standard, this.#deploys.get(contractId)?.step.sourceCode ?? '');
    const numbers = shared.size === getters.length ? [] : await readNumbers(this.#chain.store, deployId);
    const withNumbers = (getter: TokenGetter) => ({
      getter,
      tokenNumbers: shared.has(getter) ? [ANY_NUMBER] : numbers,
    });
    return { getters: getters.map(withNumbers), shared };
  }

  /** Adds contracts and, transitively, contracts that they refer to. Skips contracts deployed after `upTo`. */
  async #addContracts(contractIds: readonly string[], upTo: Place): Promise<void> {
    const open = contractIds.filter((contractId) => !this.#deploys.has(contractId));
    const visited = new Set<string>();
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (this.#deploys.has(next) || visited.has(next) || this.#deploys.size >= MAX_CONTRACTS) continue;
      visited.add(next);
      this.#inputs.add(next);
      const deploy = await this.#chain.deployOf(next);
      const isToken = next === this.#token.contractId;
      if (deploy === undefined || (!isToken && !(deploy.contract.canonical && inChainOrder(deploy, upTo) <= 0)))
        continue;
      this.#deploys.set(next, deploy);
      for (const reference of deploy.references) open.push(reference);
    }
  }

  /**
   * Adds the contracts that calls need, and the deploys that may write variables. Returns the variables of deploys that
   * are omitted because of {@link MAX_CONTRACTS}.
   */
  async #addShapes(shapes: readonly WritingShape[], calls: readonly PlacedCall[]): Promise<Variable[]> {
    const last = new Map(calls.map((placed) => [placed.call.shapeId, placed]));
    const lost: Variable[] = [];
    for (const { shapeId, contractId, functionName, passed, effects } of shapes) {
      this.#inputs.add(contractId);
      for (const variable of effects.reads) this.#inputs.add(contractOf(variable));
      if (functionName === DEPLOY) {
        const deploy = await this.#chain.deployOf(contractId);
        if (deploy?.contract.canonical !== true) continue;
        await this.#addContracts([contractId], deploy);
        if (!this.#deploys.has(contractId)) for (const variable of effects.writes) lost.push(variable);
      } else {
        const place = last.get(shapeId);
        if (place !== undefined) await this.#addContracts([contractId, ...contractIdsOf({ passed })], place);
      }
    }
    return lost;
  }

  /** Returns `cut`, the first call that is not replayed, for each getter whose value it or a later call may decide. */
  async #findCutOff(
    cut: PlacedCall | undefined,
    shapes: readonly WritingShape[],
    inputs: ByGetter<ReadonlySet<Variable>>,
  ): Promise<ByGetter<PlacedCall>> {
    if (cut === undefined) return new Map();
    const ids = shapes.map(({ shapeId }) => shapeId);
    const later = await shapesCalledSince(this.#chain.store, ids, cut);
    const writes = shapes.flatMap(({ shapeId, effects }) => (later.has(shapeId) ? [effects.writes] : []));
    const isCut = (variables: ReadonlySet<Variable>) => writes.some((written) => !written.isDisjointFrom(variables));
    return new Map([...inputs].flatMap(([getter, variables]) => (isCut(variables) ? [[getter, cut]] : [])));
  }

  /** Finds the reasons why values are unproven. `lost` are variables that omitted calls or deploys may write. */
  async #findUnproven(
    inputs: ByGetter<ReadonlySet<Variable>>,
    steps: readonly PlannedStep[],
    lost: ReadonlySet<Variable>,
    ofSupply: Failure | undefined,
  ): Promise<ByGetter<Failure>> {
    const unproven: ByGetter<Failure> = new Map();
    if (ofSupply !== undefined) unproven.set('get-total-supply', ofSupply);
    for (const contractId of this.#deploys.keys()) {
      if (!(await this.#chain.blocksSince(contractId)).isAmbiguous) continue;
      const message = `Blocks are missing above ${contractId}, and it has deploys on several forks.`;
      for (const getter of this.#reads.keys()) unproven.set(getter, fail('calls-not-recorded', message));
    }
    const inexact = await reasonForRules(this.#chain, steps);
    if (inexact !== undefined)
      for (const getter of gettersOf(this.#token.standard)) if (!unproven.has(getter)) unproven.set(getter, inexact);
    const reasons = new Map<Variable, Promise<Failure | undefined>>();
    for (const [getter, variables] of inputs) {
      for (const variable of variables) {
        const known = reasons.get(variable) ?? reasonForVariable(this.#chain, variable, lost);
        reasons.set(variable, known);
        const failure = await known;
        if (failure !== undefined && !unproven.has(getter)) unproven.set(getter, failure);
      }
    }
    return unproven;
  }

  /**
   * Returns the variables that decide a fungible token's supply, and the reason why the supply right after the deploy
   * may not be the supply at the tip.
   */
  async #readSupplyInputs(): Promise<{ readonly variables: Variables; readonly failure: Failure | undefined }> {
    const supply = { contractId: this.#token.contractId, functionName: 'get-total-supply' };
    // The set `variables` grows during the loop.
    const variables = new Set((await this.#chain.summaries.effectsOf(supply)).reads);
    let failure: Failure | undefined;
    for (const variable of variables) {
      if (INVENTED.has(nameOf(variable))) return { variables, failure: notReplayed(variable) };
      const isLost = nameOf(variable).startsWith('$') || (await canChange(this.#chain, variable));
      if (isLost) failure ??= fail('supply-of-deploy');
      else for (const input of await this.#inputsAtDeploy(variable)) variables.add(input);
    }
    return { variables, failure };
  }

  /** Returns the variables of other contracts that decide the value of a variable when its contract is deployed. */
  async #inputsAtDeploy(variable: Variable): Promise<Variable[]> {
    const contractId = contractOf(variable);
    const deploy = { contractId, functionName: DEPLOY };
    const { writes, inputs } = await this.#chain.summaries.effectsOf(deploy);
    if (!writes.has(variable)) return [];
    return [...inputs].filter((input) => nameOf(input) !== HEIGHT && !isOwn(input, contractId));
  }
}

/** True for state that transactions of any contract may change, such as balances of STX. */
function isSharedState(variable: Variable): boolean {
  const name = nameOf(variable);
  return name === UNKNOWN_STATE ? isBoot(contractOf(variable)) : INVENTED.has(name);
}

/** Adds the getter of the supply to `feeds` for each deploy that may decide the supply. */
function withSupply(
  steps: readonly PlannedStep[],
  feeds: EvaluationPlan['feeds'],
  variables: ReadonlySet<Variable>,
): EvaluationPlan['feeds'] {
  const isFed = (step: PlannedStep) => !isPlacedCall(step) && !step.effects.writes.isDisjointFrom(variables);
  return steps.map((step, index) => [...(feeds[index] ?? []), ...(isFed(step) ? (['get-total-supply'] as const) : [])]);
}
