// Finds the state that a function reads and writes, and its calls. May find too many, since it does not resolve names.

import {
  ASSET_MARK,
  ASSET_READS,
  ASSET_WRITES,
  CHAIN_READS,
  EARLY_RETURNS,
  existenceOf,
  MAP_RULE,
  READS,
  STX,
  STX_WRITES,
  WRITES,
} from './builtins.ts';
import { type ContractScope, VALUES } from './contract-scope.ts';
import { type CalledFunction, type FunctionEffects, type Role, useOfConstant } from './effects.ts';
import { atomOf, type Expression, evaluatedOf, type Group, headOf } from './parse-source.ts';

/**
 * `statement`: a value that a function discards, never a response. `dropped`: a value that is discarded at deploy time.
 */
type Use = Role | 'statement' | 'dropped';

/** The state that a function or a guard reads, and the functions that it calls, each once. */
class Findings {
  readonly reads = new Set<string>();
  readonly #calls = new Map<string, CalledFunction>();

  get calls(): readonly CalledFunction[] {
    return [...this.#calls.values()];
  }

  get isEmpty(): boolean {
    return this.reads.size + this.#calls.size === 0;
  }

  addCall(call: CalledFunction): void {
    const key = `${call.functionName} ${call.contractId}`;
    if (this.#calls.get(key)?.role !== 'value') this.#calls.set(key, call);
  }
}

type Nested = { readonly expression: Expression; readonly parent: Nested | undefined };

/** Finds the effects of one piece of code. Make a new reader for each piece. */
export class EffectsReader {
  readonly #scope: ContractScope;
  readonly #body = new Findings();
  readonly #guards: Findings[] = [];
  readonly #writes = new Set<string>();
  readonly #contractIds = new Set<string>();
  /** Groups that contain a write or an early return. */
  readonly #changing = new Set<Expression>();
  readonly #open: { readonly expression: Expression; readonly use: Use; readonly into: Findings }[] = [];

  constructor(scope: ContractScope) {
    this.#scope = scope;
  }

  /** Returns the effects of code. `use` is the use of each value, but `result` is the use of the last value only. */
  read(body: readonly Expression[], use: Role | 'dropped', isPublic: boolean): FunctionEffects {
    if (use === 'result') this.#addSequence(body, use, this.#body);
    else this.#add(body, use, this.#body);
    for (let next = this.#open.pop(); next !== undefined; next = this.#open.pop()) {
      const { expression, use, into } = next;
      if ('items' in expression) this.#readGroup(expression, use, into);
      else if (expression.kind === 'atom') this.#readAtom(expression.text, into);
    }
    const guards = this.#guards.filter(({ isEmpty }) => !isEmpty).map(({ reads, calls }) => ({ reads, calls }));
    const [{ reads, calls }, writes] = [this.#body, this.#writes];
    return { isPublic, reads, guards, writes, calls, contractIds: this.#contractIds };
  }

  #add(expressions: readonly Expression[], use: Use, into: Findings): void {
    for (const expression of expressions) this.#open.push({ expression, use, into });
  }

  /** Adds expressions that run in sequence. `use` is the use of the last value; all other values are discarded. */
  #addSequence(expressions: readonly Expression[], use: Use, into: Findings): void {
    this.#add(expressions.slice(0, -1), 'statement', into);
    this.#add(expressions.slice(-1), use, into);
  }

  /** Adds a condition that can end the function with an error. `use` is the use of the condition's value. */
  #addGuard(condition: Expression | undefined, use: Role, into: Findings): void {
    if (condition === undefined) return;
    const isGuard = into === this.#body && this.#onlyChecks(condition);
    this.#add([condition], use, isGuard ? this.#newGuard() : into);
  }

  #newGuard(): Findings {
    const guard = new Findings();
    this.#guards.push(guard);
    return guard;
  }

  /** Adds a value that is only tested for presence: for the owner of a token, adds the token's existence. */
  #addPresence(optional: Expression | undefined, into: Findings): void {
    if (optional === undefined) return;
    const name = isOwner(optional) ? atomOf(optional.items[1]) : undefined;
    if (!isOwner(optional) || name === undefined) {
      this.#add([optional], 'value', into);
      return;
    }
    into.reads.add(existenceOf(name));
    this.#add(optional.items.slice(2), 'value', into);
  }

  /**
   * True if a condition writes no state itself, and ends the function only with an error. Remembers groups that write
   * or return early, so that their conditions are not searched again.
   */
  #onlyChecks(condition: Expression): boolean {
    if (this.#changing.has(condition)) return false;
    const open: Nested[] = [{ expression: condition, parent: undefined }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { expression } = next;
      if (!('items' in expression)) continue;
      const head = headOf(expression) ?? '';
      const mayEnd = EARLY_RETURNS.has(head) && !this.#scope.isErrorValue(expression.items[2]);
      if (mayEnd || WRITES.has(head) || ASSET_WRITES.has(head) || STX_WRITES.has(head)) {
        for (let at: Nested | undefined = next; at !== undefined; at = at.parent) this.#changing.add(at.expression);
        return false;
      }
      for (const item of expression.items) if ('items' in item) open.push({ expression: item, parent: next });
    }
    return true;
  }

  #readAtom(text: string, into: Findings): void {
    const { contractId, functionNames, computed, naming } = this.#scope;
    // A function can be passed as an argument, such as `f` in (map f items).
    if (functionNames.has(text)) into.addCall({ contractId, functionName: text, role: 'value' });
    if (computed.has(text)) into.reads.add(text);
    const state = CHAIN_READS.get(text);
    if (state !== undefined) into.reads.add(state);
    if (naming.has(text)) into.addCall(useOfConstant(contractId, text));
    const named = this.#scope.contractOf(text);
    if (named !== undefined) this.#contractIds.add(named);
  }

  #readGroup(group: Group, use: Use, into: Findings): void {
    const scope = this.#scope;
    const head = headOf(group) ?? '';
    const rest = group.items.slice(1);
    const name = atomOf(rest[0]);
    const role = use === 'result' ? use : 'value';
    this.#readVariable(head, name, use, into);
    if (head === 'map' && rest.length > 2) into.reads.add(MAP_RULE);
    if (head === 'contract-call?') {
      const functionName = atomOf(rest[1]);
      if (name !== undefined && functionName !== undefined)
        into.addCall({ contractId: scope.contractOf(name), functionName, role });
      this.#add(rest.toSpliced(1, 1), 'value', into);
    } else if (scope.functionNames.has(head)) {
      into.addCall({ contractId: scope.contractId, functionName: head, role });
      this.#add(rest, 'value', into);
    } else if (head === 'asserts!') {
      if (scope.isErrorValue(rest[1])) {
        this.#addGuard(rest[0], 'value', into);
        this.#add(rest.slice(1), 'value', this.#newGuard());
      } else this.#add(rest, 'value', into);
    } else if (head === 'is-some' || head === 'is-none') {
      this.#addPresence(rest[0], into);
    } else if (head === 'try!' || head === 'unwrap-panic' || (head === 'unwrap!' && scope.isErrorValue(rest[1]))) {
      const isDropped = use === 'statement' || use === 'dropped';
      if (isDropped && isOwner(rest[0])) this.#addPresence(rest[0], this.#newGuard());
      else if (isDropped) this.#addGuard(rest[0], 'result', into);
      else this.#add(rest.slice(0, 1), 'result', into);
      this.#add(rest.slice(1), 'value', this.#newGuard());
    } else if (head === 'begin' || head === 'as-contract') {
      this.#addSequence(rest, use, into);
    } else if (head === 'let') {
      this.#add(rest.slice(0, 1), 'value', into);
      this.#addSequence(rest.slice(1), use, into);
    } else if (head === 'if') {
      if (use === 'result' && rest.slice(1).some((branch) => scope.isErrorValue(branch)))
        this.#addGuard(rest[0], 'value', into);
      else this.#add(rest.slice(0, 1), 'value', into);
      this.#add(rest.slice(1), use, into);
    } else if (head === 'match') {
      this.#add(rest.slice(0, 1), use === 'result' && scope.isErrorValue(rest.at(-1)) ? 'result' : 'value', into);
      this.#add(rest.slice(1), use, into);
    } else if (head === 'tuple') {
      // A tuple's key can equal the name of a function: (tuple (try! value)).
      for (const entry of rest) this.#add('items' in entry ? entry.items.slice(1) : [entry], 'value', into);
    } else if (head === 'get') {
      this.#add(rest.slice(1), 'value', into);
    } else {
      this.#add(evaluatedOf(group), 'value', into);
    }
  }

  /** Adds the state that a call of a built-in Clarity function reads and writes. */
  #readVariable(head: string, name: string | undefined, use: Use, into: Findings): void {
    const state = CHAIN_READS.get(head);
    if (state !== undefined) into.reads.add(state);
    // The function can be passed as an argument: (map stx-burn? amounts senders).
    const isStx = STX_WRITES.has(head) || STX_WRITES.has(name ?? '');
    if (isStx || (ASSET_WRITES.has(head) && name !== undefined)) {
      const asset = isStx ? STX : `${ASSET_MARK}${name}`;
      this.#writes.add(asset);
      const isMint = head === 'nft-mint?';
      if (isMint || head === 'nft-burn?') this.#writes.add(existenceOf(name ?? ''));
      // A successful call proves that this write succeeded, if the function ends with the write's error.
      if (use !== 'dropped')
        (use === 'value' ? into : this.#newGuard()).reads.add(isMint ? existenceOf(name ?? '') : asset);
    }
    if (name === undefined) return;
    if (WRITES.has(head)) this.#writes.add(name);
    if (READS.has(head) && (use === 'value' || use === 'result' || !WRITES.has(head))) into.reads.add(name);
    if (ASSET_READS.has(head)) into.reads.add(`${ASSET_MARK}${name}`);
    if (VALUES.has(head) && this.#scope.computed.has(name)) this.#writes.add(name);
  }
}

function isOwner(expression: Expression | undefined): expression is Group {
  return headOf(expression) === 'nft-get-owner?';
}
