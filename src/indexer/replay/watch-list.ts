// What is watched: the variables that tokens' getters read, or that decide how these are written, and the functions that
// may write them, whose calls are recorded.

import type { FunctionName } from '#clarity/function-effects.ts';
import { functionKey, mentionKey, traitFunctionKey } from '#clarity/name-key.ts';
import type { PackedCall } from '#clarity/packed-calls.ts';
import { DEPLOY, isExistence } from '#clarity/state-names.ts';
import type { ContractDeploy } from '#model/chain-event.ts';
import { watchedGettersOf } from '#model/token.ts';
import type { StoreReader, StoreWriter } from '#store/index-database.ts';
import { queueEvaluations } from '#store/replay/evaluation-inputs.ts';
import {
  deleteWatches,
  findCalled,
  findCallers,
  insertCalledFunctions,
  insertWatches,
  readWatches,
  type WatchedFunction,
  type WatchedVariable,
} from '#store/replay/watches.ts';
import { contractIdsIn, contractKey, contractsIn } from './contracts-in.ts';
import {
  canBeWatched,
  contractOf,
  isOpen,
  nameOf,
  type Reach,
  Summaries,
  type Variable,
  variableOf,
} from './summaries.ts';

interface Callee extends FunctionName {
  /** Of the watch list for which the rest holds. */
  version: number;
  /** The contracts whose variables it writes whatever it is passed; undefined where arguments matter. */
  written: readonly string[] | undefined;
  /** Contracts among arguments with which it writes nothing that is watched. */
  readonly unwatchedWith: Set<string>;
}

/** Variables to be watched, and how far away from what getters read. */
interface Followed {
  readonly variables: Iterable<Variable>;
  readonly distance: number;
}

interface Writer {
  readonly name: FunctionName;
  readonly reach: Reach;
}

interface Writers {
  readonly writers: readonly Writer[];
  /** False if there may be more that were deployed before. */
  readonly isAll: boolean;
}

const NONE: readonly string[] = [];
const MAX_CALLEES = 20_000;
const MAX_UNWATCHED = 1_000;
/** Farther away from what getters read, variables are not followed: the values that depend on them say so. */
const MAX_DISTANCE = 2;
/** A contract that more others call is not followed, unless a getter reads it: BNS has 60,000 of them. */
const MAX_CALLERS = 50;
/** Of a contract that a getter reads, deployed before it was read. */
const MAX_CALLERS_OF_READ = 500;

export class WatchList {
  readonly #summaries = new Summaries();
  readonly #variables = new Map<Variable, WatchedVariable>();
  /** Variables that were not followed from a distance: later there are only more functions that write them. */
  readonly #unfollowed = new Map<Variable, number>();
  /** Of contracts with watched variables: the least of these. */
  readonly #distances = new Map<string, number>();
  readonly #functions = new Map<string, Set<string>>();
  /** The contracts of watched functions: by the keys of these, by how code mentions them, by how arguments name them. */
  readonly #byKey = new Map<number, string>();
  readonly #byMention = new Map<number, string>();
  readonly #byArgument = new Map<string, string>();
  readonly #callees = new Map<string, Callee>();
  /** By function name, as far as it was asked for; a deploy that calls one of them becomes one. */
  readonly #carriers = new Map<string, ReadonlySet<number> | undefined>();
  /** The names by these keys. */
  readonly #carried = new Map<number, Set<string>>();
  #version = 0;
  /** What is not stored yet. */
  #added: { variables: WatchedVariable[]; functions: WatchedFunction[] } = { variables: [], functions: [] };
  readonly #called = new Set<number>();

  static async open(store: StoreReader): Promise<WatchList> {
    const list = new WatchList();
    const { variables, functions } = await readWatches(store);
    for (const variable of variables) list.#addVariable(variable);
    for (const one of functions) list.#addFunction(one);
    return list;
  }

  /**
   * Watches what a new deploy brings: a token, or functions that call watched ones. Its code is stored already. Returns
   * the other contracts whose watched variables the deploy itself may write. `isLate`: blocks above it came before it.
   */
  async addDeploy(
    store: StoreWriter,
    { contractId, interfaceFacts, references }: Pick<ContractDeploy, 'contractId' | 'interfaceFacts' | 'references'>,
    isLate: boolean,
  ): Promise<readonly string[]> {
    this.#summaries.forget(contractId);
    for (const key of references.calls) for (const name of this.#carried.get(key) ?? NONE) this.#carriers.delete(name);
    const standard = interfaceFacts?.standard;
    if (standard !== undefined) {
      const variables = new Set<Variable>();
      for (const functionName of watchedGettersOf(standard)) {
        const { reads } = await this.#summaries.reachOf(store, { contractId, functionName });
        for (const variable of reads) variables.add(variable);
      }
      const { writes, inputs } = await this.#summaries.reachOf(store, { contractId, functionName: DEPLOY });
      if (!writes.isDisjointFrom(variables)) for (const variable of inputs) variables.add(variable);
      // What was called on other forks changed nothing on this one.
      await this.#follow(store, { variables, distance: 0 }, isLate ? undefined : contractId);
    }
    if (!(await this.#mayCallWatched(store, references))) return NONE;
    return this.#watchFunctionsOf(store, contractId);
  }

  /** The contracts of which a call may write watched variables; none if it is not watched, as nearly all are. */
  match(store: StoreWriter, call: PackedCall): readonly string[] | Promise<readonly string[]> {
    const callee = this.#calleeOf(call);
    if (callee.written !== undefined) return callee.written;
    const keys = contractsIn(call.args);
    const isWatched = this.#functions.get(callee.contractId)?.has(callee.functionName) === true;
    if (!isWatched && !keys.some((key) => this.#byArgument.has(key))) return NONE;
    const passed = keys.join(' ');
    return callee.unwatchedWith.has(passed) ? NONE : this.#match(store, callee, call, passed);
  }

  /** Stores what was added since the last time. */
  async flush(store: StoreWriter): Promise<void> {
    await insertWatches(store, this.#added);
    this.#added = { variables: [], functions: [] };
    if (this.#called.size > 0) await insertCalledFunctions(store, [...this.#called]);
    this.#called.clear();
  }

  #calleeOf(call: PackedCall): Callee {
    const { callee: name } = call;
    let callee = this.#callees.get(name);
    if (callee === undefined) {
      if (this.#callees.size >= MAX_CALLEES) this.#callees.clear();
      const { contractId, functionName } = call;
      callee = { contractId, functionName, version: -1, written: undefined, unwatchedWith: new Set() };
      this.#callees.set(name, callee);
      this.#called.add(functionKey(contractId, functionName));
    }
    if (callee.version !== this.#version) {
      callee.version = this.#version;
      callee.written = undefined;
      callee.unwatchedWith.clear();
    }
    return callee;
  }

  async #match(store: StoreWriter, callee: Callee, call: PackedCall, passed: string): Promise<readonly string[]> {
    const { contractId, functionName } = callee;
    const ids = contractIdsIn(call.args);
    const reach = await this.#summaries.reachOf(store, callee, ids);
    const written = this.#watchedIn(reach);
    if (written.length > 0 && !this.#functions.get(contractId)?.has(functionName))
      await this.#followInputs(store, reach, written);
    const owners = [...new Set(written.map(contractOf))];
    if (callee.version !== this.#version) return owners;
    if (!isOpen(reach)) callee.written = owners;
    else if (owners.length === 0) {
      if (callee.unwatchedWith.size >= MAX_UNWATCHED) callee.unwatchedWith.clear();
      callee.unwatchedWith.add(passed);
    }
    return owners;
  }

  /** By its references: whether it names a watched function, or may pass its contract to what calls it on a trait. */
  async #mayCallWatched(store: StoreWriter, { calls, mentions }: ContractDeploy['references']): Promise<boolean> {
    const near = new Set<string>();
    for (const key of calls) {
      const contractId = this.#byKey.get(key);
      if (contractId === undefined) continue;
      if (this.#distances.get(contractId) === 0) return true;
      near.add(contractId);
    }
    for (const contractId of near) if (await this.#isFollowable(store, contractId)) return true;
    for (const mention of mentions) {
      const contractId = this.#byMention.get(mention);
      if (contractId !== undefined && (await this.#mayBePassed(store, contractId, calls))) return true;
    }
    return false;
  }

  /** A contract that too many call now is no longer followed. */
  async #isFollowable(store: StoreWriter, contractId: string): Promise<boolean> {
    const keys = [...(this.#functions.get(contractId) ?? [])].map((name) => functionKey(contractId, name));
    if ((await findCallers(store, keys, MAX_CALLERS + 1)).length <= MAX_CALLERS) return true;
    await this.#drop(store, contractId);
    return false;
  }

  async #drop(store: StoreWriter, contractId: string): Promise<void> {
    this.#version++;
    await this.flush(store);
    for (const variable of this.#variables.keys())
      if (contractOf(variable) === contractId) this.#variables.delete(variable);
    for (const name of this.#functions.get(contractId) ?? []) this.#byKey.delete(functionKey(contractId, name));
    this.#functions.delete(contractId);
    this.#distances.delete(contractId);
    this.#byMention.delete(mentionKey(contractId));
    this.#byArgument.delete(contractKey(contractId));
    await deleteWatches(store, [contractId]);
    await queueEvaluations(store, [contractId]);
  }

  /** Whether one of these calls may end in a call of a watched function of the contract, on a trait. */
  async #mayBePassed(store: StoreWriter, contractId: string, calls: Float64Array): Promise<boolean> {
    for (const functionName of this.#functions.get(contractId) ?? []) {
      const carriers = await this.#carriersOf(store, functionName);
      if (carriers === undefined || calls.some((key) => carriers.has(key))) return true;
    }
    return false;
  }

  /** Keys of what may call functions of a name on traits, directly or not; undefined if there is much of it. */
  async #carriersOf(store: StoreWriter, functionName: string): Promise<ReadonlySet<number> | undefined> {
    if (this.#carriers.has(functionName)) return this.#carriers.get(functionName);
    const keys = new Set([traitFunctionKey(functionName)]);
    const contractIds = new Set(await findCallers(store, [...keys], MAX_CALLERS + 1));
    for (const contractId of contractIds) {
      if (contractIds.size > MAX_CALLERS) break;
      const added: number[] = [];
      for (const name of await this.#summaries.publicFunctionsOf(store, contractId)) {
        const { traitCalls } = await this.#summaries.reachOf(store, { contractId, functionName: name });
        if (traitCalls.has(functionName)) added.push(functionKey(contractId, name), traitFunctionKey(name));
      }
      for (const key of added) keys.add(key);
      for (const caller of await findCallers(store, added, MAX_CALLERS + 1)) contractIds.add(caller);
    }
    const carriers = contractIds.size > MAX_CALLERS ? undefined : keys;
    this.#carriers.set(functionName, carriers);
    for (const key of carriers ?? []) {
      const names = this.#carried.get(key) ?? new Set();
      this.#carried.set(key, names.add(functionName));
    }
    return carriers;
  }

  /** Watches the functions of a contract that write watched variables, and returns what its deploy writes of others. */
  async #watchFunctionsOf(store: StoreWriter, contractId: string): Promise<readonly string[]> {
    for (const functionName of await this.#summaries.publicFunctionsOf(store, contractId)) {
      const reach = await this.#summaries.reachOf(store, { contractId, functionName });
      const written = this.#watchedIn(reach);
      if (written.length === 0) continue;
      this.#addFunction({ contractId, functionName }, true);
      await this.#followInputs(store, reach, written);
    }
    const reach = await this.#summaries.reachOf(store, { contractId, functionName: DEPLOY });
    const written = this.#watchedIn(reach).filter((variable) => contractOf(variable) !== contractId);
    if (written.length > 0) await this.#followInputs(store, reach, written);
    return [...new Set(written.map(contractOf))];
  }

  #watchedIn({ writes }: Reach): Variable[] {
    const { size } = writes;
    return size === 0 ? [] : [...writes].filter((variable) => this.#variables.has(variable));
  }

  /** What decides whether and how these variables are written; of contracts that getters read also what guards read. */
  #followInputs(store: StoreWriter, reach: Reach, written: readonly Variable[]): Promise<void> {
    const distance =
      1 + Math.min(...written.map((variable) => this.#variables.get(variable)?.distance ?? MAX_DISTANCE));
    return this.#follow(store, { variables: this.#inputsOf(reach), distance });
  }

  #inputsOf({ reads, inputs }: Reach): Variable[] {
    const isRead = (variable: Variable) => this.#distances.get(contractOf(variable)) === 0;
    return [...reads].filter((variable) => inputs.has(variable) || isRead(variable));
  }

  /** `newId`: a contract that nothing can have called yet. */
  async #follow(store: StoreWriter, first: Followed, newId?: string): Promise<void> {
    const open: Followed[] = [first];
    for (const { variables, distance } of open) {
      for (const [contractId, all] of Map.groupBy([...variables].filter(canBeWatched), contractOf)) {
        const ofContract = Math.min(this.#distances.get(contractId) ?? distance, distance);
        if (ofContract > MAX_DISTANCE) continue;
        const added = all.filter((variable) => this.#mayBeFollowed(variable, ofContract));
        if (added.length === 0) continue;
        open.push(...(await this.#watch(store, contractId, new Set(added), ofContract, contractId === newId)));
      }
    }
  }

  /** Also what was watched from farther away; of assets only what getters read, or what is written with that. */
  #mayBeFollowed(variable: Variable, distance: number): boolean {
    if (distance > 0 && isExistence(nameOf(variable))) return false;
    const known = this.#variables.get(variable)?.distance ?? this.#unfollowed.get(variable);
    return known === undefined || known > distance;
  }

  /** Watches variables of a contract, unless too many functions may write them. Returns what is to be watched with them. */
  async #watch(
    store: StoreWriter,
    contractId: string,
    variables: ReadonlySet<Variable>,
    distance: number,
    isNew: boolean,
  ): Promise<Followed[]> {
    const found = await this.#findWriters(store, contractId, variables, distance, isNew);
    if (found === undefined) {
      for (const variable of variables) this.#unfollowed.set(variable, distance);
      return [];
    }
    const { writers, isAll } = found;
    const keys = writers.map(({ name }) => functionKey(name.contractId, name.functionName));
    const called = isNew ? new Set<number>() : await findCalled(store, keys);
    const changed = new Set(
      writers.flatMap(({ name, reach }, index) => {
        const key = keys[index] as number;
        return name.functionName === DEPLOY || called.has(key) || this.#called.has(key) ? [...reach.writes] : [];
      }),
    );
    for (const variable of variables) {
      const isWhole = this.#variables.get(variable)?.isWhole === true || (isAll && !changed.has(variable));
      this.#addVariable({ contractId, name: nameOf(variable), distance, isWhole }, true);
    }
    const followed: Followed[] = [];
    for (const { name, reach } of writers) {
      if (name.functionName !== DEPLOY) this.#addFunction(name, true);
      followed.push({ variables: this.#inputsOf(reach), distance: distance + 1 });
    }
    return followed;
  }

  /** Functions that transactions can call and that may write these variables; undefined if they are too many. */
  async #findWriters(
    store: StoreWriter,
    ownerId: string,
    variables: ReadonlySet<Variable>,
    distance: number,
    isNew: boolean,
  ): Promise<Writers | undefined> {
    const writers: Writer[] = [];
    let isAll = true;
    const most = distance === 0 ? MAX_CALLERS_OF_READ : MAX_CALLERS;
    const contractIds = new Set([ownerId]);
    for (const contractId of contractIds) {
      const keys: number[] = [];
      const names = await this.#summaries.publicFunctionsOf(store, contractId);
      for (const functionName of contractId === ownerId ? names : [...names, DEPLOY]) {
        const name = { contractId, functionName };
        const reach = await this.#summaries.reachOf(store, name);
        if (reach.writes.isDisjointFrom(variables)) continue;
        writers.push({ name, reach });
        keys.push(functionKey(contractId, functionName));
      }
      if (isNew || keys.length === 0) continue;
      // Who passes the contract to what calls the function on a trait cannot be found any more.
      const onTrait = writers.map(({ name }) => traitFunctionKey(name.functionName));
      if ((await findCallers(store, onTrait, 1)).length > 0) isAll = false;
      // The values would be doubted all the same.
      if (!isAll && distance > 0) return undefined;
      for (const caller of await findCallers(store, keys, most + 1)) contractIds.add(caller);
      if (contractIds.size > most) return undefined;
    }
    return { writers, isAll };
  }

  #addVariable(variable: WatchedVariable, isNew = false): void {
    const { contractId, name, distance } = variable;
    this.#variables.set(variableOf(contractId, name), variable);
    this.#distances.set(contractId, Math.min(this.#distances.get(contractId) ?? distance, distance));
    if (isNew) this.#added.variables.push(variable);
    this.#version++;
  }

  #addFunction(added: WatchedFunction, isNew = false): void {
    const { contractId, functionName } = added;
    let functions = this.#functions.get(contractId);
    if (functions?.has(functionName)) return;
    if (functions === undefined) {
      functions = new Set();
      this.#functions.set(contractId, functions);
      this.#byMention.set(mentionKey(contractId), contractId);
      this.#byArgument.set(contractKey(contractId), contractId);
    }
    functions.add(functionName);
    this.#byKey.set(functionKey(contractId, functionName), contractId);
    if (isNew) this.#added.functions.push(added);
    this.#version++;
  }
}
