// Plans the evaluation of a token: the deploys and calls that its getters may depend on, in chain order. Also finds the
// values that each of these steps may decide.

import { DEPLOY } from '#clarity/builtins.ts';
import { keyOf } from '#clarity/name-key.ts';
import { type Failure, fail } from '#model/failure.ts';
import { ANY_NUMBER, gettersOf, isCollectionStandard, type TokenGetter, trackedGettersOf } from '#model/token.ts';
import { sharedGetters } from '#standards/shared-getters.ts';
import type { ServedContract } from '#store/contracts/contracts.ts';
import { kindsCalledSince } from '#store/replay/calls.ts';
import type { EvaluationInputs } from '#store/replay/evaluation-inputs.ts';
import { readNumbers } from '#store/tokens/collections.ts';
import type { Read } from '#vm/messages.ts';
import type { ChainReader } from './chain-reader.ts';
import { isTooLarge } from './closure.ts';
import { Dependencies } from './dependencies.ts';
import { reasonForRules, reasonForVariable } from './find-reasons.ts';
import { contractIdsOf } from './find-writes.ts';
import { followVariables } from './follow-variables.ts';
import { findSessionNeeds, type SessionNeeds } from './session-needs.ts';
import { readSupplyInputs, withSupply } from './supply-inputs.ts';
import { type ByGetter, inChainOrder, type PlacedCall, type PlannedStep, trace } from './trace-steps.ts';
import { contractOf, keyOfAll, type Variable } from './transitive-effects.ts';
import type { WritingKind } from './writing-kinds.ts';

export interface EvaluationPlan extends SessionNeeds {
  readonly contract: ServedContract;
  /** Set if the contract has too much code for the VM. */
  readonly refusal: Failure | undefined;
  readonly getters: readonly Read[];
  /** Getters with too much code, which are not called. */
  readonly tooLarge: readonly TokenGetter[];
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

/** The maximum number of bytes of arguments of the calls that are replayed. Calls on mainnet have a few hundred bytes. */
const MAX_ARGUMENT_BYTES = 16_000_000;

/** Plans the evaluation of a token. Skips contracts that are not in the index; the VM fails if it needs one of them. */
export function planEvaluation(chain: ChainReader, token: ServedContract, maxCalls: number): Promise<EvaluationPlan> {
  return new Planner(chain, token).plan(maxCalls);
}

class Planner {
  readonly #chain: ChainReader;
  readonly #token: ServedContract;
  readonly #needed: Dependencies;
  /** The variables that each getter reads. */
  readonly #reads: ByGetter<ReadonlySet<Variable>> = new Map();

  constructor(chain: ChainReader, token: ServedContract) {
    this.#chain = chain;
    this.#token = token;
    this.#needed = new Dependencies(chain, token);
  }

  async plan(maxCalls: number): Promise<EvaluationPlan> {
    const { contractId, standard = 'sip-010' } = this.#token;
    const refusal = await this.#needed.addContract();
    const tooLarge: TokenGetter[] = [];
    const tracked = trackedGettersOf(standard);
    for (const functionName of gettersOf(standard)) {
      const effects = await this.#chain.summaries.effectsOf({ contractId, functionName });
      if (isTooLarge(effects)) tooLarge.push(functionName);
      else if (tracked.includes(functionName)) this.#reads.set(functionName, effects.reads);
    }
    // Follows the variables of small getters first, because the number of variables is limited.
    const bySize = [...this.#reads.values()].sort((left, right) => left.size - right.size);
    const variables = bySize.flatMap((reads) => [...reads]);
    const followed = await followVariables(this.#chain, variables, maxCalls);
    const calls = await this.#chain.callsOf(followed.kinds, maxCalls + 1);
    const replayed = calls.slice(0, Math.min(maxCalls, countWithin(calls, MAX_ARGUMENT_BYTES)));
    const lost = await this.#addContracts(followed.kinds, replayed);
    const steps = [...this.#needed.deploys.values(), ...replayed].sort(inChainOrder);
    const { affects, feeds, inputs } = trace(steps, this.#reads);
    const supplyReads = standard === 'sip-010' ? await readSupplyInputs(this.#chain, contractId) : undefined;
    return {
      contract: this.#token,
      refusal,
      ...(await this.#planReads(tooLarge)),
      tooLarge,
      ...(await findSessionNeeds(this.#chain, this.#token, this.#needed.inputs, steps)),
      steps,
      affects,
      feeds: supplyReads === undefined ? feeds : withSupply(steps, feeds, supplyReads.variables),
      cutOff: await this.#findCutOff(calls[replayed.length], followed.kinds, inputs),
      unproven: await this.#findUnproven(
        inputs,
        steps,
        new Set([...followed.untracked, ...lost]),
        supplyReads?.failure,
      ),
      hasGap: (await this.#chain.blocksSince(contractId)).hasGap,
      inputs: {
        contractIds: [...this.#needed.inputs],
        variableKeys: keysOf([...followed.variables]),
      },
    };
  }

  async #planReads(tooLarge: readonly TokenGetter[]): Promise<Pick<EvaluationPlan, 'getters' | 'shared'>> {
    const { contractId, deployId, standard } = this.#token;
    const getters = gettersOf(standard).filter((getter) => !tooLarge.includes(getter));
    if (!isCollectionStandard(standard)) return { getters: getters.map((getter) => ({ getter })), shared: new Set() };
    const shared = sharedGetters(standard, this.#needed.deploys.get(contractId)?.request.sourceCode ?? '');
    const numbers = shared.size === getters.length ? [] : await readNumbers(this.#chain.store, deployId);
    const withNumbers = (getter: TokenGetter) => ({
      getter,
      tokenNumbers: shared.has(getter) ? [ANY_NUMBER] : numbers,
    });
    return { getters: getters.map(withNumbers), shared };
  }

  /**
   * Adds the contracts that calls need, and the deploys that may write variables. Returns the variables of deploys that
   * exceed a limit.
   */
  async #addContracts(kinds: readonly WritingKind[], calls: readonly PlacedCall[]): Promise<Variable[]> {
    const last = new Map(calls.map((placed) => [placed.id.kindId, placed]));
    const lost: Variable[] = [];
    for (const { kindId, contractId, functionName, passed, effects } of kinds) {
      this.#needed.inputs.add(contractId);
      for (const variable of effects.reads) this.#needed.inputs.add(contractOf(variable));
      if (functionName === DEPLOY) {
        const deploy = await this.#chain.deployOf(contractId);
        if (deploy?.contract.canonical !== true) continue;
        await this.#needed.add([contractId], deploy);
        if (!this.#needed.deploys.has(contractId)) for (const variable of effects.writes) lost.push(variable);
      } else {
        const place = last.get(kindId);
        if (place !== undefined) await this.#needed.add([contractId, ...contractIdsOf({ passed })], place);
      }
    }
    return lost;
  }

  /** Returns `cut`, the first call that is not replayed, for each getter whose value it or a later call may decide. */
  async #findCutOff(
    cut: PlacedCall | undefined,
    kinds: readonly WritingKind[],
    inputs: ByGetter<ReadonlySet<Variable>>,
  ): Promise<ByGetter<PlacedCall>> {
    if (cut === undefined) return new Map();
    const ids = kinds.map(({ kindId }) => kindId);
    const later = await kindsCalledSince(this.#chain.store, ids, cut);
    const writes = kinds.flatMap(({ kindId, effects }) => (later.has(kindId) ? [effects.writes] : []));
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
    for (const contractId of this.#needed.deploys.keys()) {
      if (!(await this.#chain.blocksSince(contractId)).isAmbiguous) continue;
      const message = `Blocks are missing above ${contractId}, and it has deploys on several forks.`;
      for (const getter of this.#reads.keys()) unproven.set(getter, fail('calls-not-recorded', message));
    }
    const inexact = await reasonForRules(this.#chain, steps);
    if (inexact !== undefined)
      for (const getter of gettersOf(this.#token.standard)) if (!unproven.has(getter)) unproven.set(getter, inexact);
    const reasons = new Map<Variable, Promise<Failure | undefined>>();
    for (const [getter, variables] of inputs)
      for (const variable of variables) {
        if (unproven.has(getter)) break;
        const known = reasons.get(variable) ?? reasonForVariable(this.#chain, variable, lost);
        reasons.set(variable, known);
        const failure = await known;
        if (failure !== undefined) unproven.set(getter, failure);
      }
    return unproven;
  }
}

function keysOf(variables: readonly Variable[]): number[] {
  return [...variables.map(keyOf), ...Array.from(new Set(variables.map(contractOf)), keyOfAll)];
}

/** Returns how many of the first calls have at most `maxBytes` of arguments together. */
function countWithin(calls: readonly PlacedCall[], maxBytes: number): number {
  let sum = 0;
  for (const [index, { argumentBytes }] of calls.entries()) {
    sum += argumentBytes;
    if (sum > maxBytes) return index;
  }
  return calls.length;
}
