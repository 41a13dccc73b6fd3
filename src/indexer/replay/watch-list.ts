// Maintains the watch list: variables that tokens' getters read or that decide how these are written, and the functions
// that may write them, whose calls are recorded.

import { callsAtDeploy } from '#clarity/calls-at-deploy.ts';
import { functionKey } from '#clarity/name-key.ts';
import type { PackedCall } from '#clarity/packed-calls.ts';
import { DEPLOY, isExistence } from '#clarity/state-names.ts';
import type { ContractDeploy } from '#model/chain-event.ts';
import { unpackCode } from '#model/packed-code.ts';
import { watchedGettersOf } from '#model/token.ts';
import { countInclusions } from '#store/chain/deploys.ts';
import type { StoreReader, StoreWriter } from '#store/index-database.ts';
import { findCallers } from '#store/replay/watches.ts';
import { type Callee, Callees } from './callees.ts';
import { contractIdsIn, contractsIn } from './contracts-in.ts';
import { findWriters, MAX_CALLERS, type Writer } from './find-writers.ts';
import { losePassed } from './lose-passed.ts';
import { canBeWatched, contractOf, isOpen, nameOf, type Reach, type Variable } from './reach.ts';
import { Summaries } from './summaries.ts';
import { Watched } from './watched.ts';

/** Variables to watch, and their distance from what getters read. */
interface Followed {
  readonly variables: Iterable<Variable>;
  readonly distance: number;
}

const NONE: readonly string[] = [];
/** Maximum distance at which variables are followed: values that depend on others are marked as unproven. */
const MAX_DISTANCE = 2;

export class WatchList {
  readonly #summaries = new Summaries('all');
  readonly #watched: Watched;
  /** Variables not followed at a distance; the number of functions that write them only grows. */
  readonly #unfollowed = new Map<Variable, number>();
  readonly #callees: Callees;
  /** True if all code is stored, and calls of a contract may come before its deploy. */
  readonly #isAgain: boolean;
  #hasGap = false;

  constructor(watched: Watched, isAgain = false) {
    this.#watched = watched;
    this.#isAgain = isAgain;
    this.#callees = new Callees(watched);
  }

  static async open(store: StoreReader): Promise<WatchList> {
    return new WatchList(await Watched.open(store));
  }

  /** Stores what was added since the last flush. */
  flush(store: StoreWriter): Promise<void> {
    return this.#watched.flush(store);
  }

  /** Must be called with the deploys of new blocks, once their code is stored. `hasGap`: some code may be missing. */
  begin(deploys: readonly Pick<ContractDeploy, 'contractId'>[], hasGap: boolean): void {
    this.#hasGap = hasGap;
    for (const { contractId } of deploys) if (this.#summaries.forget(contractId)) this.#watched.version++;
  }

  /**
   * Watches a new deploy: a token, or functions that call watched ones. Its code must be stored already. Returns the
   * other contracts whose watched variables the deploy itself may write. `isLate`: blocks above it came before it.
   */
  async addDeploy(
    store: StoreWriter,
    { contractId, code, interfaceFacts, likelyStandard, references }: ContractDeploy,
    isLate: boolean,
  ): Promise<readonly string[]> {
    const isNewLeading = this.#watched.addReferences(contractId, references);
    const isLeading = this.#watched.isLeading(contractId);
    const standard = interfaceFacts?.standard ?? likelyStandard;
    // Another deploy of it, on another fork, may have had other functions.
    const isWatched = this.#watched.distanceOf(contractId) !== undefined;
    if (standard !== undefined) {
      const variables = new Set<Variable>();
      for (const functionName of watchedGettersOf(standard)) {
        const { reads } = await this.#summaries.reachOf(store, { contractId, functionName });
        for (const variable of reads) variables.add(variable);
      }
      const { writes, inputs } = await this.#summaries.reachOf(store, { contractId, functionName: DEPLOY });
      if (!writes.isDisjointFrom(variables)) for (const variable of inputs) variables.add(variable);
      // Another deploy of it may have been called before, on this fork or another: it may have had no interface.
      const isNew = !isLate && !this.#isAgain && (await countInclusions(store, contractId)) <= 1;
      await this.#follow(store, { variables, distance: 0 }, isNew ? contractId : undefined);
    }
    // What it passes may reach code that is not known, or was passed by calls that came before it.
    if (isLeading && (this.#hasGap || (isLate && isNewLeading)))
      await losePassed(store, this.#summaries, this.#watched, contractId);
    const mayPass = isLeading && callsAtDeploy(unpackCode(code).source);
    if (!isWatched && !mayPass && !(await this.#mayCallWatched(store, references.calls))) return NONE;
    return this.#watchFunctionsOf(store, contractId, isLate);
  }

  /** Contracts whose watched variables a call may write; none for nearly all calls, which are not watched. */
  match(store: StoreWriter, call: PackedCall): readonly string[] | Promise<readonly string[]> {
    const callee = this.#callees.of(call);
    if (callee.written !== undefined) return callee.written;
    const keys = contractsIn(call.args);
    const isNamed = this.#watched.addArguments(keys);
    if (!callee.mayWrite && !isNamed) return NONE;
    const passed = keys.join(' ');
    return callee.unwatchedWith.has(passed) ? NONE : this.#match(store, callee, call, passed);
  }

  async #match(store: StoreWriter, callee: Callee, call: PackedCall, passed: string): Promise<readonly string[]> {
    const ids = contractIdsIn(call.args);
    const reach = await this.#summaries.reachOf(store, callee, ids);
    const written = this.#watched.variablesIn(reach);
    if (written.length > 0) await this.#followInputs(store, reach, written);
    const owners = [...new Set(written.map(contractOf))];
    if (callee.version !== this.#watched.version) return owners;
    if (!isOpen(reach)) callee.written = owners;
    else if (owners.length === 0) this.#callees.addUnwatched(callee, passed);
    return owners;
  }

  /** True if code calls a watched function, by the keys of its calls. */
  async #mayCallWatched(store: StoreWriter, calls: Float64Array): Promise<boolean> {
    const near = new Set<string>();
    for (const key of calls) {
      const contractId = this.#watched.ownerOf(key);
      if (contractId === undefined) continue;
      if (this.#watched.distanceOf(contractId) === 0) return true;
      near.add(contractId);
    }
    for (const contractId of near) if (await this.#isFollowable(store, contractId)) return true;
    return false;
  }

  /** Stops following a contract that now has too many callers. */
  async #isFollowable(store: StoreWriter, contractId: string): Promise<boolean> {
    const names = [...this.#watched.functionsOf(contractId)];
    const keys = names.map((name) => functionKey(contractId, name));
    if ((await findCallers(store, keys, MAX_CALLERS + 1)).length <= MAX_CALLERS) return true;
    const lost: Variable[] = [];
    for (const functionName of names) {
      const reach = await this.#summaries.reachOf(store, { contractId, functionName });
      for (const variable of this.#watched.variablesIn(reach)) lost.push(variable);
    }
    await this.#watched.drop(store, contractId);
    await this.#watched.lose(store, lost);
    return false;
  }

  /** Watches the contract's functions that write watched variables. Returns other contracts that its deploy writes. */
  async #watchFunctionsOf(store: StoreWriter, contractId: string, isLate: boolean): Promise<readonly string[]> {
    const functions: Writer[] = [];
    for (const functionName of await this.#summaries.publicFunctionsOf(store, contractId)) {
      const name = { contractId, functionName };
      functions.push({ name, reach: await this.#summaries.reachOf(store, name) });
    }
    for (const [reach, those] of Map.groupBy(functions, (one) => one.reach)) {
      const written = this.#watched.variablesIn(reach);
      if (written.length === 0) continue;
      const isNew = those.filter(({ name }) => this.#watched.addFunction(name)).length > 0;
      // Calls of it and of its callers that came before it were not recorded.
      if (isLate && (isNew || !this.#isAgain)) await this.#watched.lose(store, written);
      await this.#followInputs(store, reach, written);
    }
    const reach = await this.#summaries.reachOf(store, { contractId, functionName: DEPLOY });
    const written = this.#watched.variablesIn(reach).filter((variable) => contractOf(variable) !== contractId);
    if (written.length > 0) await this.#followInputs(store, reach, written);
    return [...new Set(written.map(contractOf))];
  }

  /** Follows variables that decide how these are written; for contracts that getters read, also those of guards. */
  #followInputs(store: StoreWriter, reach: Reach, written: readonly Variable[]): Promise<void> {
    const distances = written.map((variable) => this.#watched.variable(variable)?.distance ?? MAX_DISTANCE);
    const distance = 1 + distances.reduce((least, one) => Math.min(least, one), MAX_DISTANCE);
    return this.#follow(store, { variables: this.#inputsOf(reach), distance });
  }

  #inputsOf({ reads, inputs }: Reach): Variable[] {
    const isRead = (variable: Variable) => this.#watched.distanceOf(contractOf(variable)) === 0;
    return [...reads].filter((variable) => inputs.has(variable) || isRead(variable));
  }

  /** `newId`: a contract that nothing can have called yet. */
  async #follow(store: StoreWriter, first: Followed, newId?: string): Promise<void> {
    const open: Followed[] = [first];
    for (const { variables, distance } of open) {
      // Most are followed already: that is known before their names are taken apart.
      const isNearer = (variable: Variable) => this.#distanceOf(variable) !== 0 && canBeWatched(variable);
      for (const [contractId, all] of Map.groupBy([...variables].filter(isNearer), contractOf)) {
        const ofContract = Math.min(this.#watched.distanceOf(contractId) ?? distance, distance);
        if (ofContract > MAX_DISTANCE) continue;
        const added = all.filter((variable) => this.#mayBeFollowed(variable, ofContract));
        if (added.length === 0) continue;
        for (const found of await this.#watch(store, contractId, new Set(added), ofContract, contractId === newId))
          open.push(found);
      }
    }
  }

  /** Includes variables watched from farther away; for assets only those that getters read or are written with them. */
  #mayBeFollowed(variable: Variable, distance: number): boolean {
    if (distance > 0 && isExistence(nameOf(variable))) return false;
    const known = this.#distanceOf(variable);
    return known === undefined || known > distance;
  }

  /** The distance at which it is followed, or was found to have too many writers. */
  #distanceOf(variable: Variable): number | undefined {
    return this.#watched.variable(variable)?.distance ?? this.#unfollowed.get(variable);
  }

  /** Watches variables of a contract, unless too many functions may write them. Returns further variables to watch. */
  async #watch(
    store: StoreWriter,
    contractId: string,
    variables: ReadonlySet<Variable>,
    distance: number,
    isNew: boolean,
  ): Promise<Followed[]> {
    const found = await findWriters(store, this.#summaries, contractId, variables, {
      distance,
      isNew,
      isAgain: this.#isAgain,
      wasPassed: (writerId) => this.#watched.wasPassed(store, writerId),
    });
    if (found === undefined) {
      for (const variable of variables) this.#unfollowed.set(variable, distance);
      return [];
    }
    const { writers, isAll } = found;
    const keys = writers.map(({ name }) => functionKey(name.contractId, name.functionName));
    const called = isNew ? new Set<number>() : await this.#watched.calledOf(store, keys);
    const isCalled = ({ name }: Writer, index: number) =>
      name.functionName === DEPLOY || called.has(keys[index] as number);
    const changed = writtenBy(writers.filter(isCalled));
    for (const variable of variables) {
      const isWhole = this.#watched.variable(variable)?.isWhole === true || (isAll && !changed.has(variable));
      this.#watched.addVariable({ contractId, name: nameOf(variable), distance, isWhole });
    }
    const added = writers.filter(({ name }) => name.functionName !== DEPLOY && this.#watched.addFunction(name));
    if (this.#isAgain) await this.#watched.lose(store, [...writtenBy(added)]);
    const reaches = new Set(writers.map(({ reach }) => reach));
    return [...reaches].map((reach) => ({ variables: this.#inputsOf(reach), distance: distance + 1 }));
  }
}

/** All that functions write; those of a vast source share it, so it is read once. */
function writtenBy(writers: readonly Writer[]): ReadonlySet<Variable> {
  const reaches = new Set(writers.map(({ reach }) => reach));
  return new Set([...reaches].flatMap(({ writes }) => [...writes]));
}
