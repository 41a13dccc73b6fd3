// Finds all code that a function may run: the functions that it calls, directly or through traits, and the state that
// they read and write. A contract can refer only to older contracts, but sources of several forks may call each other in
// a circle.

import { UNKNOWN_STATE } from '#clarity/builtins.ts';
import type { CalledFunction, FunctionEffects, FunctionName } from '#clarity/effects.ts';
import { NONE } from './compact-effects.ts';
import { isBoot, type TransitiveEffects, type Variable, variableOf } from './transitive-effects.ts';

/** The effects of the functions of a contract by name. A name has several effects if forks have several sources. */
export type Functions = ReadonlyMap<string, readonly FunctionEffects[]>;

/** The effects of a function, and of all functions that it calls by name, but not of those that it calls on traits. */
export interface NamedEffects extends TransitiveEffects {
  /** The same effects in the form of one function, which calls only traits. */
  readonly asOne: FunctionEffects;
  /** True if a contract without known code is called, except boot contracts. */
  readonly callsUnknown: boolean;
}

export interface Code {
  /** Returns the functions of a contract by name; an empty map if the contract is unknown. */
  functionsOf(contractId: string): Functions | Promise<Functions>;
  /** Returns the effects of a function. If undefined, the closure finds the functions that it calls one by one. */
  namedEffectsOf(name: FunctionName): NamedEffects | undefined | Promise<NamedEffects>;
}

export const NOTHING: FunctionEffects = {
  ...{ isPublic: false, reads: NONE, guards: [], writes: NONE, calls: [], contractIds: NONE },
};
/** The effects of a function whose code is too large to follow. Its effects are not known. */
export const TOO_LARGE: NamedEffects = { reads: NONE, writes: NONE, inputs: NONE, asOne: NOTHING, callsUnknown: false };
export const isTooLarge = (effects: TransitiveEffects): boolean => effects === TOO_LARGE;

/** A function that may run. */
export interface Member {
  readonly name: FunctionName;
  effects: readonly FunctionEffects[];
}

/** The contracts that the functions of a closure may receive. */
interface Passed {
  /** The contracts among the arguments of calls. */
  readonly passed: ReadonlySet<string>;
  /** True if unknown code may also know the contracts that are named by the functions added, or by those they call. */
  readonly mayMissCode: boolean;
}

export interface ClosureLimits {
  readonly size: number;
  /** The maximum number of variables that are read, and of those that are written. */
  readonly variables: number;
}

/** The effects of unknown code. All of it has the same effects. */
const unknownEffects = (contractId: string): FunctionEffects => ({
  ...NOTHING,
  reads: new Set([variableOf(contractId, UNKNOWN_STATE)]),
});

const MEMBER_SIZE = 5;

export class Closure {
  readonly reads = new Set<Variable>();
  readonly writes = new Set<Variable>();
  /** The contracts that the functions name, or that are passed. */
  readonly contractIds: Set<string>;
  /** The names of functions that are called on traits, and the members with these names that may be called. */
  readonly traitCalls = new Map<string, Member[]>();
  /** True if a member calls a contract without known code, except boot contracts. */
  callsUnknown = false;
  /**
   * The number of names in the effects of the members, and of pairs of a contract and a function of a trait. A member
   * itself counts {@link MEMBER_SIZE}, since it takes as long to follow.
   */
  #size = 0;
  readonly #maxSize: number;
  readonly #maxVariables: number;
  readonly #code: Code;
  readonly #mayMissCode: boolean;
  /** The contracts that unknown code may know. */
  #known: ReadonlySet<string>;
  readonly #byName = new Map<string, Map<string, Member>>();
  readonly members: Member[] = [];
  /** The number of members whose calls were followed. */
  #followed = 0;
  /** The number of {@link traitCalls} that were bound to each contract. */
  readonly #bound = new Map<string, number>();
  /** Contracts whose public functions unknown code may call, and these functions. */
  readonly #exposed = new Set<string>();
  readonly calledByUnknown: Member[] = [];

  /** Above the maximum size or number of variables, finds no more members ({@link isWhole}). */
  constructor(code: Code, { passed, mayMissCode }: Passed, { size, variables }: ClosureLimits) {
    this.#code = code;
    this.#maxSize = size;
    this.#maxVariables = variables;
    this.#known = passed;
    this.#mayMissCode = mayMissCode;
    this.contractIds = new Set(passed);
  }

  add(name: FunctionName): Member {
    let functions = this.#byName.get(name.contractId);
    if (functions === undefined) {
      functions = new Map();
      this.#byName.set(name.contractId, functions);
    }
    let member = functions.get(name.functionName);
    if (member === undefined) {
      member = { name, effects: [] };
      functions.set(name.functionName, member);
      this.members.push(member);
    }
    return member;
  }

  /** True if all code of the members was followed. */
  get isWhole(): boolean {
    return this.#size <= this.#maxSize && Math.max(this.reads.size, this.writes.size) <= this.#maxVariables;
  }

  /** Finds the functions that the added members call by name. */
  async followCalls(): Promise<void> {
    for (; this.#followed < this.members.length && this.isWhole; this.#followed++) {
      const member = this.members[this.#followed] as Member;
      const found = this.#code.functionsOf(member.name.contractId);
      const functions = found instanceof Promise ? await found : found;
      const effects = functions.size === 0 ? undefined : this.#code.namedEffectsOf(member.name);
      this.#follow(member, functions, effects instanceof Promise ? await effects : effects);
    }
  }

  /** Finds all members. */
  async followAll(): Promise<void> {
    await this.followCalls();
    if (this.#mayMissCode) this.#known = new Set(this.contractIds);
    while (await this.#bindTraits()) await this.followCalls();
  }

  #follow(member: Member, functions: Functions, known: NamedEffects | undefined): void {
    const { contractId, functionName } = member.name;
    this.callsUnknown ||= known === undefined ? functions.size === 0 && !isBoot(contractId) : known.callsUnknown;
    if (known !== undefined) member.effects = [known.asOne];
    else member.effects = functions.size === 0 ? [unknownEffects(contractId)] : (functions.get(functionName) ?? []);
    if (known === TOO_LARGE) this.#size = Number.POSITIVE_INFINITY;
    this.#size += MEMBER_SIZE;
    for (const { reads, guards, writes, calls, contractIds } of member.effects) {
      this.#size += reads.size + writes.size + calls.length + contractIds.size;
      for (const variable of reads) this.reads.add(variable);
      for (const variable of writes) this.writes.add(variable);
      for (const id of contractIds) this.contractIds.add(id);
      for (const call of calls) this.#addCall(call);
      for (const guard of guards) {
        this.#size += guard.reads.size + guard.calls.length;
        for (const variable of guard.reads) this.reads.add(variable);
        for (const call of guard.calls) this.#addCall(call);
      }
    }
  }

  #addCall(call: CalledFunction): void {
    if (isNamed(call)) this.add(call);
    else if (!this.traitCalls.has(call.functionName)) this.traitCalls.set(call.functionName, []);
  }

  /**
   * Adds the functions that may be called on traits, and those that unknown code may call. Handles each pair of a
   * contract and a name once. Returns true if members were added.
   */
  async #bindTraits(): Promise<boolean> {
    const before = this.members.length;
    const names = [...this.traitCalls.keys()];
    for (const contractId of this.contractIds) {
      const isExposed = this.callsUnknown && this.#known.has(contractId) && !this.#exposed.has(contractId);
      const first = this.#bound.get(contractId) ?? 0;
      if (first === names.length && !isExposed) continue;
      if (!this.isWhole) break;
      const functions = await this.#code.functionsOf(contractId);
      this.#bind(contractId, functions, names, first);
      if (isExposed) this.#expose(contractId, functions);
    }
    return this.members.length > before;
  }

  #bind(contractId: string, functions: Functions, names: readonly string[], first: number): void {
    this.#bound.set(contractId, names.length);
    const added = names.length - first;
    const isSmall = first === 0 && functions.size < added;
    this.#size += isSmall ? functions.size : added;
    let called = isSmall
      ? [...functions.keys()].filter((name) => this.traitCalls.has(name))
      : names.slice(first).filter((name) => functions.has(name));
    // Unknown functions of a contract all have the same effects, so only one is added.
    if (functions.size === 0) called = names.slice(0, Number(first === 0));
    for (const functionName of called) this.traitCalls.get(functionName)?.push(this.add({ contractId, functionName }));
  }

  #expose(contractId: string, functions: Functions): void {
    this.#exposed.add(contractId);
    this.#size += functions.size;
    for (const [functionName, effects] of functions)
      if (effects.some(({ isPublic }) => isPublic)) this.calledByUnknown.push(this.add({ contractId, functionName }));
  }
}

export function isNamed(call: CalledFunction): call is CalledFunction & FunctionName {
  return call.contractId !== undefined;
}
