// Finds the contracts that a VM session must deploy for a contract: those that it refers to, directly or indirectly.
import { type Failure, fail } from '#model/failure.ts';
import type { ServedContract } from '#store/contracts/contracts.ts';
import type { ChainReader } from './chain-reader.ts';
import { isTooLarge } from './closure.ts';
import { inChainOrder, type Place, type PlacedDeploy } from './trace-steps.ts';

/**
 * The maximum numbers of contracts that a session deploys, of contracts that are looked up for it, of characters of
 * source, and of expressions. The largest token on mainnet, of ALEX, has 111 contracts with 946,356 characters and
 * 87,643 expressions; the largest contract has 35,150. The VM needs up to 1.5 KB for an expression.
 */
export const MAX_CONTRACTS = 250;
const MAX_LOOKUPS = 1_000;
const MAX_CHARACTERS = 4_000_000;
const MAX_EXPRESSIONS = 140_000;

export class Dependencies {
  readonly deploys = new Map<string, PlacedDeploy>();
  /** The ids of the contracts that were looked up, whether or not they were found. */
  readonly inputs = new Set<string>();
  readonly #chain: ChainReader;
  readonly #contract: ServedContract;
  #characters = 0;
  #expressions = 0;

  constructor(chain: ChainReader, contract: ServedContract) {
    this.#chain = chain;
    this.#contract = contract;
  }

  /** Adds the contract and its dependencies. Returns a failure if they exceed a limit. */
  async addContract(): Promise<Failure | undefined> {
    const isWhole = await this.add([this.#contract.contractId], this.#contract);
    return isWhole ? undefined : fail('too-much-code');
  }

  /**
   * Adds contracts and, transitively, contracts that they refer to. Skips contracts deployed after `upTo`, missing
   * ones, and those that would exceed a limit. Returns false if a limit was exceeded.
   */
  async add(contractIds: readonly string[], upTo: Place): Promise<boolean> {
    const open = contractIds.filter((contractId) => !this.deploys.has(contractId));
    const visited = new Set<string>();
    let isWhole = true;
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (this.deploys.has(next) || visited.has(next)) continue;
      if (this.deploys.size >= MAX_CONTRACTS || (this.inputs.size >= MAX_LOOKUPS && !this.inputs.has(next)))
        return false;
      visited.add(next);
      this.inputs.add(next);
      const deploy = await this.#chain.deployOf(next);
      const isOwn = next === this.#contract.contractId;
      if (deploy === undefined || (!isOwn && !(deploy.contract.canonical && inChainOrder(deploy, upTo) <= 0))) continue;
      if (!this.#take(deploy)) isWhole = false;
      else for (const reference of deploy.references) open.push(reference);
    }
    return isWhole;
  }

  #take(deploy: PlacedDeploy): boolean {
    const characters = this.#characters + deploy.request.sourceCode.length;
    const expressions = this.#expressions + deploy.expressions;
    if (characters > MAX_CHARACTERS || expressions > MAX_EXPRESSIONS || isTooLarge(deploy.effects)) return false;
    this.#characters = characters;
    this.#expressions = expressions;
    this.deploys.set(deploy.contract.contractId, deploy);
    return true;
  }
}
