// The functions whose calls are recorded: those that may write what a token's getters read, or what these read.
import type { FunctionName } from '#clarity/function-effects.ts';
import type { PackedCall } from '#clarity/packed-calls.ts';
import type { ContractDeploy } from '#model/chain-event.ts';
import { watchedGettersOf } from '#model/token.ts';
import type { StoreReader, StoreWriter } from '#store/index-database.ts';
import { insertWatches, readWatches, type Watches } from '#store/watches.ts';
import { ContractEffects, canBeWatched, contractOf, type Reach, type Variable } from './contract-effects.ts';
import { contractKey, contractsIn } from './contracts-in.ts';

interface Callee extends FunctionName {
  /** Whether it writes nothing that is watched, whatever it is passed; or what it was passed when it did not. */
  isUnwatched: boolean;
  readonly unwatchedWith: Set<string>;
}

const NONE: readonly string[] = [];
const MAX_CALLEES = 20_000;

export class WatchList {
  readonly #effects = new ContractEffects();
  readonly #variables = new Set<Variable>();
  readonly #functions = new Map<string, Set<string>>();
  /** Contracts with watched functions, by how arguments name them. */
  readonly #contractIds = new Map<string, string>();
  readonly #callees = new Map<string, Callee>();
  #calleesState = 0;
  /** What is not stored yet. */
  #added: Watches = { variables: new Map(), functions: [] };
  /** Of the block that is being looked at. */
  height = 0;

  static async open(store: StoreReader): Promise<WatchList> {
    const list = new WatchList();
    const { variables, functions } = await readWatches(store);
    for (const variable of variables.keys()) list.#variables.add(variable);
    for (const one of functions) list.#addFunction(one);
    return list;
  }

  /** Watches what a new deploy brings: a token, or functions that call watched ones. Its code is stored already. */
  async addDeploy(store: StoreReader, { contractId, interfaceFacts, references }: ContractDeploy): Promise<void> {
    this.#effects.forget([contractId]);
    const standard = interfaceFacts?.standard;
    if (standard !== undefined) {
      for (const functionName of watchedGettersOf(standard)) {
        const { reads } = await this.#effects.reachOf(store, { contractId, functionName });
        await this.#addVariables(store, reads);
      }
    }
    if (references.some((id) => this.#functions.has(id))) await this.#addFunctionsOf(store, [contractId]);
  }

  /** The contracts of which a call may write watched variables; none if it is not watched, as nearly all are. */
  match(store: StoreReader, call: PackedCall): readonly string[] | Promise<readonly string[]> {
    const callee = this.#calleeOf(call);
    if (callee.isUnwatched) return NONE;
    const passed = contractsIn(call.args).flatMap((key) => this.#contractIds.get(key) ?? []);
    const key = passed.join(' ');
    if (callee.unwatchedWith.has(key)) return NONE;
    const reach = this.#effects.knownReach(callee, passed);
    if (reach === undefined) return this.#effects.reachOf(store, callee, passed).then(() => this.match(store, call));
    if (!this.#writesWatched(reach)) {
      callee.isUnwatched = !reach.isOpen;
      callee.unwatchedWith.add(key);
      return NONE;
    }
    return this.#match(store, callee, reach);
  }

  /** What is known of a callee holds as long as nothing more is watched, and no code is new. */
  #calleeOf(call: PackedCall): Callee {
    // Both only grow.
    const state = this.#effects.generation + this.#variables.size;
    if (state !== this.#calleesState || this.#callees.size >= MAX_CALLEES) this.#callees.clear();
    this.#calleesState = state;
    const { callee: key } = call;
    let callee = this.#callees.get(key);
    if (callee === undefined) {
      callee = {
        contractId: call.contractId,
        functionName: call.functionName,
        isUnwatched: false,
        unwatchedWith: new Set(),
      };
      this.#callees.set(key, callee);
    }
    return callee;
  }

  async #match(store: StoreReader, { contractId, functionName }: Callee, reach: Reach): Promise<string[]> {
    const written = [...reach.writes].filter((variable) => this.#variables.has(variable));
    if (!this.#functions.get(contractId)?.has(functionName)) await this.#addVariables(store, reach.reads);
    return [...new Set(written.map(contractOf))];
  }

  /** Stores what was added since the last time. */
  async flush(store: StoreWriter): Promise<void> {
    await insertWatches(store, this.#added);
    this.#added = { variables: new Map(), functions: [] };
  }

  async #addVariables(store: StoreReader, variables: Iterable<Variable>): Promise<void> {
    const owners = this.#addAll(variables);
    if (owners.length > 0) await this.#addFunctionsOf(store, owners);
  }

  /** Returns the contracts of those that are new. */
  #addAll(variables: Iterable<Variable>): string[] {
    const added = [...variables].filter((one) => !this.#variables.has(one) && canBeWatched(one));
    for (const variable of added) {
      this.#variables.add(variable);
      this.#added.variables.set(variable, this.height);
    }
    return [...new Set(added.map(contractOf))];
  }

  /** Watches what writes watched variables; what that reads is watched too, since it decides whether it is written. */
  async #addFunctionsOf(store: StoreReader, contractIds: readonly string[]): Promise<void> {
    const open = new Set(contractIds);
    for (const contractId of open) {
      for (const [functionName, effects] of await this.#effects.functionsOf(store, contractId)) {
        if (!effects.some((one) => one.isPublic) || this.#functions.get(contractId)?.has(functionName)) continue;
        const reach = await this.#effects.reachOf(store, { contractId, functionName });
        if (!this.#writesWatched(reach)) continue;
        this.#addFunction({ contractId, functionName });
        this.#added.functions.push({ contractId, functionName });
        for (const owner of [...this.#addAll(reach.reads)]) {
          // Again, behind the others: what was not watched before may be now.
          open.delete(owner);
          open.add(owner);
        }
      }
    }
  }

  #writesWatched({ writes }: Reach): boolean {
    for (const variable of writes) if (this.#variables.has(variable)) return true;
    return false;
  }

  #addFunction({ contractId, functionName }: FunctionName): void {
    const functions = this.#functions.get(contractId);
    if (functions !== undefined) {
      functions.add(functionName);
      return;
    }
    this.#functions.set(contractId, new Set([functionName]));
    this.#contractIds.set(contractKey(contractId), contractId);
  }
}
