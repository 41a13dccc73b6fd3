// Plans the evaluation of a token: the deploys and calls that its getters may depend on, in chain order. Also finds the
// values that each of these steps may decide.

import { DEPLOY } from '#clarity/builtins.ts';
import { keyOf } from '#clarity/name-key.ts';
import { type Failure, fail } from '#model/failure.ts';
import { ANY_NUMBER, gettersOf, isCollectionStandard, type TokenGetter, trackedGettersOf } from '#model/token.ts';
import { sharedGetters } from '#standards/shared-getters.ts';
import type { ServedContract } from '#store/contracts/contracts.ts';
import { shapesCalledSince } from '#store/replay/calls.ts';
import type { EvaluationInputs } from '#store/replay/evaluation-inputs.ts';
import { readNumbers } from '#store/tokens/collections.ts';
import type { Read } from '#vm/messages.ts';
import type { ChainReader, WritingShape } from './chain-reader.ts';
import { reasonForRules, reasonForVariable } from './find-reasons.ts';
import { followVariables } from './follow-variables.ts';
import { contractIdsOf } from './place-shapes.ts';
import type { Place, PlacedCall, PlacedDeploy } from './placed-steps.ts';
import { findSessionNeeds, MAX_CONTRACTS, type SessionNeeds } from './session-needs.ts';
import { readSupplyInputs, withSupply } from './supply-inputs.ts';
import { type ByGetter, inChainOrder, type PlannedStep, trace } from './trace-steps.ts';
import { canBeFollowed, contractOf, type Variable } from './transitive-effects.ts';

export interface EvaluationPlan extends SessionNeeds {
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
    const supplyReads = standard === 'sip-010' ? await readSupplyInputs(this.#chain, contractId) : undefined;
    return {
      contract: this.#token,
      ...(await this.#planReads()),
      ...(await findSessionNeeds(this.#chain, this.#token, this.#inputs, steps)),
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
}
