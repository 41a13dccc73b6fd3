// Reads what the functions of stored contracts read, write and call, and follows that through other contracts.
import {
  type CalledFunction,
  type FunctionEffects,
  type FunctionName,
  isAssetVariable,
  readEffects,
} from '#clarity/function-effects.ts';
import { readSources } from '#store/deploys.ts';
import type { StoreReader } from '#store/index-database.ts';

/** A data variable or a map of a contract: `SP….token token-uri`. */
export type Variable = string;
export const variableOf = (contractId: string, name: string): Variable => `${contractId} ${name}`;
export const contractOf = (variable: Variable): string => variable.slice(0, variable.indexOf(' '));
const nameOf = (variable: Variable): string => variable.slice(variable.indexOf(' ') + 1);
/** Whether calls that write it are recorded. */
export const canBeWatched = (variable: Variable): boolean => !isAssetVariable(nameOf(variable));

type Functions = ReadonlyMap<string, readonly FunctionEffects[]>;

/** What a function does, with all that it calls: by name, or on a trait of a contract that is passed or named. */
export interface Reach {
  readonly reads: ReadonlySet<Variable>;
  readonly writes: ReadonlySet<Variable>;
  /**
   * Of what it reads, all that may decide what it writes even if it returns what it returned on chain: what guards read
   * does not, since they would end it with an error.
   */
  readonly inputs: ReadonlySet<Variable>;
  /** Whether it calls functions on traits: with other contracts among its arguments, it does something else. */
  readonly isOpen: boolean;
}

/**
 * Whether what a function reads may decide what is written: all of it; all but what guards read, since their error ends
 * the whole call; or none, since nothing but its success matters.
 */
type Influence = 'all' | 'unguarded' | 'none';

interface Visit extends FunctionName {
  readonly influence: Influence;
}

const MAX_CONTRACTS = 2_000;
const MAX_REACHES = 50_000;

const keyOf = ({ contractId, functionName }: FunctionName, passed: readonly string[] = []) =>
  [contractId, functionName, ...passed].join(' ');

export class ContractEffects {
  readonly #contracts = new Map<string, Functions>();
  readonly #reaches = new Map<string, Reach>();
  readonly #writers = new Map<string, boolean>();
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
      const sources = await readSources(store, contractId);
      const all = sources.flatMap((source) => [...readEffects(source, contractId)]);
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

  /** What a call does that is given these contracts, wherever in its arguments. */
  async reachOf(store: StoreReader, called: FunctionName, passed: readonly string[] = []): Promise<Reach> {
    const known = this.knownReach(called, passed);
    if (known !== undefined) return known;
    const reach = await this.#followCalls(store, called, passed);
    if (this.#reaches.size >= MAX_REACHES) this.#reaches.clear();
    this.#reaches.set(keyOf(called, reach.isOpen ? passed : []), reach);
    return reach;
  }

  knownReach(called: FunctionName, passed: readonly string[]): Reach | undefined {
    const alone = this.#reaches.get(keyOf(called));
    return passed.length === 0 || alone?.isOpen === false ? alone : this.#reaches.get(keyOf(called, passed));
  }

  async #followCalls(store: StoreReader, called: FunctionName, passed: readonly string[]): Promise<Reach> {
    const found = new Findings();
    const passable = new Set(passed);
    const onTraits = new Map<string, Omit<Visit, 'contractId'>>();
    const seen = new Set<string>();
    const open: Visit[] = [{ ...called, influence: 'unguarded' }];
    const openAll = (visits: readonly Visit[]) => {
      for (const visit of visits) {
        const key = `${visit.influence} ${keyOf(visit)}`;
        if (!seen.has(key)) open.push(visit);
        seen.add(key);
      }
    };
    for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
      const { contractId, functionName, influence } = visit;
      for (const effects of (await this.functionsOf(store, contractId)).get(functionName) ?? []) {
        found.add(contractId, effects, influence);
        for (const id of effects.contractIds) passable.add(id);
        for (const call of effects.calls) {
          const next = { ...call, influence: await this.#influenceOf(store, influence, call) };
          if (isNamed(next)) openAll([next]);
          else onTraits.set(`${next.influence} ${next.functionName}`, next);
        }
      }
      if (open.length > 0) continue;
      for (const one of onTraits.values()) openAll([...passable].map((id) => ({ ...one, contractId: id })));
    }
    return { ...found, isOpen: onTraits.size > 0 };
  }

  async #influenceOf(store: StoreReader, ofCaller: Influence, { role, ...call }: CalledFunction): Promise<Influence> {
    if (ofCaller !== 'unguarded') return ofCaller;
    const onlySucceeds = role === 'guard' || role === 'success';
    if (onlySucceeds && isNamed(call) && !(await this.#mayWrite(store, call))) return 'none';
    return role === 'success' || role === 'result' ? 'unguarded' : 'all';
  }

  async #mayWrite(store: StoreReader, called: FunctionName): Promise<boolean> {
    const known = this.#writers.get(keyOf(called));
    if (known !== undefined) return known;
    let mayWrite = false;
    const open: Pick<CalledFunction, 'contractId' | 'functionName'>[] = [called];
    const seen = new Set<string>();
    for (let next = open.pop(); next !== undefined && !mayWrite; next = open.pop()) {
      if (!isNamed(next)) mayWrite = true;
      else if (!seen.has(keyOf(next))) {
        seen.add(keyOf(next));
        const all = (await this.functionsOf(store, next.contractId)).get(next.functionName) ?? [];
        mayWrite = all.some(({ writes }) => writes.size > 0);
        open.push(...all.flatMap(({ calls }) => calls));
      }
    }
    this.#writers.set(keyOf(called), mayWrite);
    return mayWrite;
  }

  #forgetReaches(): void {
    this.#reaches.clear();
    this.#writers.clear();
    this.#generation++;
  }
}

class Findings implements Omit<Reach, 'isOpen'> {
  readonly reads = new Set<Variable>();
  readonly writes = new Set<Variable>();
  readonly inputs = new Set<Variable>();

  add(contractId: string, { reads, guardReads, writes }: FunctionEffects, influence: Influence): void {
    const add = (names: ReadonlySet<string>, to: Set<Variable>) => {
      for (const name of names) to.add(variableOf(contractId, name));
    };
    add(writes, this.writes);
    add(reads, this.reads);
    add(guardReads, this.reads);
    if (influence !== 'none') add(reads, this.inputs);
    if (influence === 'all') add(guardReads, this.inputs);
  }
}

function isNamed<T extends { readonly contractId: string | undefined }>(call: T): call is T & FunctionName {
  return call.contractId !== undefined;
}
