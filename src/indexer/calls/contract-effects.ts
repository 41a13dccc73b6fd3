// Reads what the functions of stored contracts read, write and call, and follows that through other contracts.
import { type FunctionEffects, type FunctionName, readEffects } from '#clarity/function-effects.ts';
import { splitContractId } from '#model/principal.ts';
import { readSources } from '#store/deploys.ts';
import type { StoreReader } from '#store/index-database.ts';

/** A data variable or a map of a contract: `SP….token token-uri`. */
export type Variable = string;
export const variableOf = (contractId: string, name: string): Variable => `${contractId} ${name}`;
export const contractOf = (variable: Variable): string => variable.slice(0, variable.indexOf(' '));

type Functions = ReadonlyMap<string, readonly FunctionEffects[]>;

/** What a function does, with all that it calls by name. */
export interface Reach {
  readonly reads: ReadonlySet<Variable>;
  readonly writes: ReadonlySet<Variable>;
  /** Names of functions that it calls on a trait, of whatever contract is passed. */
  readonly traitCalls: ReadonlySet<string>;
}

const MAX_CONTRACTS = 2_000;

const keyOf = ({ contractId, functionName }: FunctionName) => `${contractId} ${functionName}`;

export class ContractEffects {
  readonly #contracts = new Map<string, Functions>();
  readonly #reaches = new Map<string, Reach>();
  #generation = 0;

  /** Another one when what functions do may have changed. */
  get generation(): number {
    return this.#generation;
  }

  /** To be called when another deploy of a contract is stored. */
  forget(contractIds: Iterable<string>): void {
    for (const contractId of contractIds) if (this.#contracts.delete(contractId)) this.#forgetReaches();
  }

  /** Of all deploys of a contract, since forks may have several; empty if none is known. */
  async functionsOf(store: StoreReader, contractId: string): Promise<Functions> {
    let functions = this.#contracts.get(contractId);
    if (functions === undefined) {
      const { address } = splitContractId(contractId);
      const sources = await readSources(store, contractId);
      const all = sources.flatMap((source) => [...readEffects(source, address)]);
      functions = new Map(
        [...Map.groupBy(all, ([name]) => name)].map(([name, effects]) => [name, effects.map(([, one]) => one)]),
      );
      if (this.#contracts.size >= MAX_CONTRACTS) {
        this.#contracts.clear();
        this.#forgetReaches();
      }
      this.#contracts.set(contractId, functions);
    }
    return functions;
  }

  async reachOf(store: StoreReader, start: FunctionName): Promise<Reach> {
    const key = keyOf(start);
    const known = this.#reaches.get(key);
    if (known !== undefined) return known;
    const reach = { reads: new Set<Variable>(), writes: new Set<Variable>(), traitCalls: new Set<string>() };
    const seen = new Set<string>();
    const open = [start];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { contractId, functionName } = next;
      const place = keyOf(next);
      if (seen.has(place)) continue;
      seen.add(place);
      for (const effects of (await this.functionsOf(store, contractId)).get(functionName) ?? []) {
        for (const name of effects.reads) reach.reads.add(variableOf(contractId, name));
        for (const name of effects.writes) reach.writes.add(variableOf(contractId, name));
        for (const name of effects.traitCalls) reach.traitCalls.add(name);
        open.push(...effects.calls, ...[...effects.ownCalls].map((name) => ({ contractId, functionName: name })));
      }
    }
    this.#reaches.set(key, reach);
    return reach;
  }

  /**
   * What a call does with contracts among its arguments: their functions that are called on a trait are part of it, and
   * so on.
   */
  async reachOfCall(store: StoreReader, called: FunctionName, passed: readonly string[]): Promise<Reach> {
    const first = await this.reachOf(store, called);
    if (passed.length === 0 || first.traitCalls.size === 0) return first;
    const reads = new Set(first.reads);
    const writes = new Set(first.writes);
    const traitCalls = new Set(first.traitCalls);
    // The set grows while it is gone through.
    for (const functionName of traitCalls) {
      for (const contractId of passed) {
        const more = await this.reachOf(store, { contractId, functionName });
        for (const variable of more.reads) reads.add(variable);
        for (const variable of more.writes) writes.add(variable);
        for (const name of more.traitCalls) traitCalls.add(name);
      }
    }
    return { reads, writes, traitCalls };
  }

  /** The parts of {@link reachOfCall} where all are known already, and call no more on traits than the called one. */
  knownReaches(called: FunctionName, passed: readonly string[]): readonly Reach[] | undefined {
    const first = this.#reaches.get(keyOf(called));
    if (first === undefined) return undefined;
    const reaches = [first];
    for (const functionName of first.traitCalls) {
      for (const contractId of passed) {
        const more = this.#reaches.get(keyOf({ contractId, functionName }));
        if (more === undefined || [...more.traitCalls].some((name) => !first.traitCalls.has(name))) return undefined;
        reaches.push(more);
      }
    }
    return reaches;
  }

  #forgetReaches(): void {
    this.#reaches.clear();
    this.#generation++;
  }
}
