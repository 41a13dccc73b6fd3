// Remembers which watched contracts a called function writes, as long as the watch list stays the same.

import type { FunctionName } from '#clarity/function-effects.ts';
import { functionKey } from '#clarity/name-key.ts';
import type { PackedCall } from '#clarity/packed-calls.ts';
import type { Watched } from './watched.ts';

export interface Callee extends FunctionName {
  /** Version of the watch list for which the other fields hold. */
  version: number;
  /** True if it is watched, or may pass on what is. */
  mayWrite: boolean;
  /** Contracts whose variables it writes with any arguments; undefined if arguments matter. */
  written: readonly string[] | undefined;
  /** Contract arguments with which it writes no watched variable. */
  readonly unwatchedWith: Set<string>;
}

const MAX_CALLEES = 20_000;
const MAX_UNWATCHED = 1_000;

export class Callees {
  readonly #watched: Watched;
  readonly #callees = new Map<string, Callee>();

  constructor(watched: Watched) {
    this.#watched = watched;
  }

  /** Notes the first call of a function. */
  of(call: PackedCall): Callee {
    const { callee: name } = call;
    let callee = this.#callees.get(name);
    if (callee === undefined) {
      if (this.#callees.size >= MAX_CALLEES) this.#callees.clear();
      const { contractId, functionName } = call;
      const unknown = { version: -1, mayWrite: false, written: undefined };
      callee = { contractId, functionName, ...unknown, unwatchedWith: new Set() };
      this.#callees.set(name, callee);
      this.#watched.addCalled(functionKey(contractId, functionName));
    }
    if (callee.version !== this.#watched.version) {
      callee.version = this.#watched.version;
      const { contractId, functionName } = callee;
      callee.mayWrite = this.#watched.isLeading(contractId) || this.#watched.functionsOf(contractId).has(functionName);
      callee.written = undefined;
      callee.unwatchedWith.clear();
    }
    return callee;
  }

  /** Remembers that a call with these contract arguments writes no watched variable. */
  addUnwatched({ unwatchedWith }: Callee, passed: string): void {
    if (unwatchedWith.size >= MAX_UNWATCHED) unwatchedWith.clear();
    unwatchedWith.add(passed);
  }
}
