// Finds out what each function of a contract reads, writes and calls: source in, effects by function name out. It may
// find too much, since names are not resolved.
import { splitContractId } from '#model/principal.ts';
import { atomsOf, definedName, type Expression, type Group, headOf, parseSource } from './parse-source.ts';

export interface FunctionName {
  readonly contractId: string;
  readonly functionName: string;
}

/**
 * How a call's value is used. `result`: an error of it ends the caller with an error too; `value`: in any way, so that
 * the caller may go on after an error.
 */
export type Role = 'result' | 'value';

export interface CalledFunction {
  /** Undefined for a function of a trait: of whatever contract is passed. */
  readonly contractId: string | undefined;
  readonly functionName: string;
  readonly role: Role;
}

/**
 * A condition that ends the function with an error where it does not hold: in a call that succeeded, it held. That is
 * so only if nothing that it calls writes.
 */
export interface Guard {
  readonly reads: ReadonlySet<string>;
  readonly calls: readonly CalledFunction[];
  /** A condition that must be true: offsets in the source, the end excluded. */
  readonly condition?: { readonly start: number; readonly end: number };
}

/** Of the function's own body, not of what it calls. */
export interface FunctionEffects {
  /** Whether a transaction can call it and change state. */
  readonly isPublic: boolean;
  /**
   * Names of the data variables and maps of the contract, and of constants that are computed when it is deployed; what
   * is no variable of a contract is marked ({@link isMarked}). Those that guards read stand apart.
   */
  readonly reads: ReadonlySet<string>;
  readonly guards: readonly Guard[];
  readonly writes: ReadonlySet<string>;
  readonly calls: readonly CalledFunction[];
  /** Ids of the contracts that it names, itself or by a constant: it may pass them as traits. */
  readonly contractIds: ReadonlySet<string>;
}

const ASSET_MARK = '::';
/** Of which non-fungible tokens there are: so few calls change that, of a collection, that they can be followed. */
const EXISTENCE_MARK = ':exists';
const existenceOf = (asset: string) => `${asset}${EXISTENCE_MARK}`;
export const isExistence = (name: string): boolean => name.endsWith(EXISTENCE_MARK);
/** What the VM cannot know: STX, blocks of the past, the height at which a getter is called. */
export const [STX, CHAIN, HEIGHT, BLOCK_HEIGHT, BURN_HEIGHT] = [
  '$stx',
  '$chain',
  '$height',
  '$block',
  '$burn',
] as const;
/** What a contract holds whose source is not known. */
export const UNKNOWN_STATE = '$unknown';

/** Whether it is no variable of a contract, which calls of its functions write: an asset, STX, heights. */
export function isMarked(name: string): boolean {
  return name.startsWith('$') || name.startsWith(ASSET_MARK);
}

/** The name of what runs when the contract is deployed. */
export const DEPLOY = '';

const FUNCTIONS: ReadonlySet<string> = new Set(['define-public', 'define-read-only', 'define-private']);
const READS: ReadonlySet<string> = new Set(['var-get', 'map-get?', 'map-insert', 'map-delete']);
const ASSET_READS: ReadonlySet<string> = new Set(['nft-get-owner?', 'ft-get-balance', 'ft-get-supply']);
const VALUES: ReadonlySet<string> = new Set(['define-constant', 'define-data-var']);
const WRITES: ReadonlySet<string> = new Set(['var-set', 'map-set', 'map-insert', 'map-delete']);
const ASSET_WRITES: ReadonlySet<string> = new Set(
  ['mint?', 'burn?', 'transfer?'].flatMap((verb) => [`ft-${verb}`, `nft-${verb}`]),
);
const STX_WRITES: ReadonlySet<string> = new Set(['stx-transfer?', 'stx-transfer-memo?', 'stx-burn?']);
/** They end a function with what they are given. */
const ENDS: ReadonlySet<string> = new Set(['asserts!', 'unwrap!', 'unwrap-err!']);
/** Functions and keywords that show what is no variable. */
const SHOWN: ReadonlyMap<string, string> = new Map([
  ...['stx-get-balance', 'stx-account', 'stx-liquid-supply'].map((name) => [name, STX] as const),
  ...['at-block', 'get-block-info?', 'get-burn-block-info?', 'get-stacks-block-info?', 'get-tenure-info?'].map(
    (name) => [name, CHAIN] as const,
  ),
  ...['stacks-block-time', 'tenure-height', 'contract-hash?'].map((name) => [name, CHAIN] as const),
  ['stacks-block-height', HEIGHT],
  ['block-height', BLOCK_HEIGHT],
  ['burn-block-height', BURN_HEIGHT],
]);
/** `'SP….name` and `.name`. */
const NO_CONTRACTS: ReadonlySet<string> = new Set();
const CONTRACT = /^(?:'([0-9A-Z]+))?\.([^.]+)$/;

/** By function name, {@link DEPLOY} included. */
export function readEffects(source: string, contractId: string): Map<string, FunctionEffects> {
  const scope = new Scope(parseSource(source), contractId);
  return new Map([
    [DEPLOY, new EffectsReader(scope).read(scope.others, 'dropped', false)],
    ...scope.functions.flatMap((one): [string, FunctionEffects][] => {
      const name = definedName(one);
      const body = 'items' in one ? one.items.slice(2) : [];
      const isPublic = headOf(one) === 'define-public';
      return name === undefined ? [] : [[name, new EffectsReader(scope).read(body, 'result', isPublic)]];
    }),
  ]);
}

/** The definitions of a contract. */
class Scope {
  readonly contractId: string;
  readonly functions: readonly Expression[];
  /** All but functions. */
  readonly others: readonly Expression[];
  readonly functionNames: ReadonlySet<string>;
  /** Names of the constants and data variables whose values depend on more than the source. */
  readonly computed = new Set<string>();
  readonly #constants: ReadonlyMap<string, Expression>;
  readonly #named = new Map<string, ReadonlySet<string>>();

  constructor(expressions: readonly Expression[], contractId: string) {
    this.contractId = contractId;
    this.functions = expressions.filter((one) => FUNCTIONS.has(headOf(one) ?? ''));
    this.others = expressions.filter((one) => !FUNCTIONS.has(headOf(one) ?? ''));
    this.functionNames = new Set(this.functions.flatMap((one) => definedName(one) ?? []));
    const values = this.others.filter((one) => VALUES.has(headOf(one) ?? ''));
    this.#constants = new Map(
      values.flatMap((one) => (headOf(one) === 'define-constant' ? [[definedName(one) ?? '', one] as const] : [])),
    );
    // In the order of the source: a definition can use those above it.
    for (const one of values) if (this.#isComputed(one)) this.computed.add(definedName(one) ?? '');
  }

  #isComputed(definition: Expression): boolean {
    for (const { text } of atomsOf([definition])) {
      if (text === 'contract-call?' || READS.has(text) || ASSET_READS.has(text) || SHOWN.has(text)) return true;
      if (this.functionNames.has(text) || this.computed.has(text)) return true;
    }
    return false;
  }

  /** Whether an expression is an error or `none`, itself or by a constant. */
  isThrown(expression: Expression | undefined): boolean {
    const name = textOf(expression);
    if (name === 'none' || headOf(expression) === 'err') return true;
    const constant = name === undefined ? undefined : this.#constants.get(name);
    const value = constant !== undefined && 'items' in constant ? constant.items[2] : undefined;
    return headOf(value) === 'err' || textOf(value) === 'none';
  }

  /** Ids of the contracts that an atom is or, as a constant, stands for. */
  contractsOf(atom: string): ReadonlySet<string> {
    if (!atom.includes('.') && !this.#constants.has(atom)) return NO_CONTRACTS;
    const known = this.#named.get(atom);
    if (known !== undefined) return known;
    const ids = new Set<string>();
    this.#named.set(atom, ids);
    const own = this.contractOf(atom);
    if (own !== undefined) ids.add(own);
    const constant = this.#constants.get(atom);
    if (constant !== undefined)
      for (const { text } of atomsOf([constant])) for (const id of this.contractsOf(text)) ids.add(id);
    return ids;
  }

  contractOf(atom: string): string | undefined {
    const match = atom.includes('.') ? CONTRACT.exec(atom) : null;
    return match === null ? undefined : `${match[1] ?? splitContractId(this.contractId).address}.${match[2]}`;
  }
}

/** A `statement` is dropped, and is no response: Clarity has those looked at. Of a deploy, responses are `dropped` too. */
type Place = Role | 'statement' | 'dropped';

/** Where reads and calls are added: to the function, or to one of its guards. */
interface Findings {
  readonly reads: Set<string>;
  readonly calls: CalledFunction[];
}

class EffectsReader {
  readonly #scope: Scope;
  readonly #own: Findings = { reads: new Set(), calls: [] };
  readonly #guards: (Findings & Guard)[] = [];
  readonly #writes = new Set<string>();
  readonly #contractIds = new Set<string>();
  readonly #open: { readonly expression: Expression; readonly place: Place; readonly into: Findings }[] = [];

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** `place` of each of the expressions; of the body of a function, that of the last. */
  read(body: readonly Expression[], place: 'result' | 'dropped', isPublic: boolean): FunctionEffects {
    if (place === 'result') this.#addSequence(body, place, this.#own);
    else this.#add(body, place, this.#own);
    for (let next = this.#open.pop(); next !== undefined; next = this.#open.pop()) {
      const { expression, place, into } = next;
      if ('items' in expression) this.#readGroup(expression, place, into);
      else if (expression.kind === 'atom') this.#readAtom(expression.text, into);
    }
    const guards = this.#guards.filter((guard) => guard.reads.size + guard.calls.length > 0 || 'condition' in guard);
    const [{ reads, calls }, writes] = [this.#own, this.#writes];
    return { isPublic, reads, guards, writes, calls, contractIds: this.#contractIds };
  }

  #add(expressions: readonly Expression[], place: Place, into: Findings): void {
    for (const expression of expressions) this.#open.push({ expression, place, into });
  }

  /** Its last expression is what it comes to. */
  #addSequence(expressions: readonly Expression[], place: Place, into: Findings): void {
    this.#add(expressions.slice(0, -1), 'statement', into);
    this.#add(expressions.slice(-1), place, into);
  }

  /** What ends the function with an error: a guard, unless it does more. `place`: what its value is otherwise. */
  #addGuard(condition: Expression | undefined, place: Role, into: Findings, isCondition = false): void {
    if (condition === undefined) return;
    const isGuard = into === this.#own && this.#onlyChecks(condition);
    const { start, end } = condition;
    const guard = { reads: new Set<string>(), calls: [], ...(isCondition ? { condition: { start, end } } : {}) };
    if (isGuard) this.#guards.push(guard);
    this.#add([condition], place, isGuard ? guard : into);
  }

  #newGuard(): Findings {
    const guard = { reads: new Set<string>(), calls: [] };
    this.#guards.push(guard);
    return guard;
  }

  /** Of an owner that is asked for, only whether there is one is used. */
  #addWhetherThere(optional: Expression | undefined, into: Findings): void {
    if (optional === undefined) return;
    const name = isOwner(optional) ? textOf(optional.items[1]) : undefined;
    if (!isOwner(optional) || name === undefined) {
      this.#add([optional], 'value', into);
      return;
    }
    into.reads.add(existenceOf(name));
    this.#add(optional.items.slice(2), 'value', into);
  }

  /** Whether an expression writes nothing itself, and never ends the function but with an error. */
  #onlyChecks(condition: Expression): boolean {
    const open = [condition];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (!('items' in next)) continue;
      const head = headOf(next) ?? '';
      const mayEnd = ENDS.has(head) && !this.#scope.isThrown(next.items[2]);
      if (mayEnd || WRITES.has(head) || ASSET_WRITES.has(head) || STX_WRITES.has(head)) return false;
      open.push(...next.items);
    }
    return true;
  }

  #readAtom(text: string, into: Findings): void {
    const { contractId, functionNames, computed } = this.#scope;
    // As an argument: (map f items).
    if (functionNames.has(text)) into.calls.push({ contractId, functionName: text, role: 'value' });
    if (computed.has(text)) into.reads.add(text);
    const shown = SHOWN.get(text);
    if (shown !== undefined) into.reads.add(shown);
    for (const id of this.#scope.contractsOf(text)) this.#contractIds.add(id);
  }

  #readGroup(group: Group, place: Place, into: Findings): void {
    const scope = this.#scope;
    const head = headOf(group) ?? '';
    const rest = group.items.slice(1);
    const name = textOf(rest[0]);
    const role = place === 'result' ? place : 'value';
    this.#readVariable(head, name, place, into);
    if (head === 'contract-call?') {
      const functionName = textOf(rest[1]);
      if (name !== undefined && functionName !== undefined)
        into.calls.push({ contractId: scope.contractOf(name), functionName, role });
      this.#add(rest.toSpliced(1, 1), 'value', into);
    } else if (scope.functionNames.has(head)) {
      into.calls.push({ contractId: scope.contractId, functionName: head, role });
      this.#add(rest, 'value', into);
    } else if (head === 'asserts!') {
      if (scope.isThrown(rest[1])) {
        this.#addGuard(rest[0], 'value', into, true);
        this.#add(rest.slice(1), 'value', this.#newGuard());
      } else this.#add(rest, 'value', into);
    } else if (head === 'is-some' || head === 'is-none') {
      this.#addWhetherThere(rest[0], into);
    } else if (head === 'try!' || head === 'unwrap-panic' || (head === 'unwrap!' && scope.isThrown(rest[1]))) {
      const isDropped = place === 'statement' || place === 'dropped';
      if (isDropped && isOwner(rest[0])) this.#addWhetherThere(rest[0], this.#newGuard());
      else if (isDropped) this.#addGuard(rest[0], 'result', into);
      else this.#add(rest.slice(0, 1), 'result', into);
      this.#add(rest.slice(1), 'value', this.#newGuard());
    } else if (head === 'begin' || head === 'as-contract') {
      this.#addSequence(rest, place, into);
    } else if (head === 'let') {
      this.#add(rest.slice(0, 1), 'value', into);
      this.#addSequence(rest.slice(1), place, into);
    } else if (head === 'if') {
      if (place === 'result' && rest.slice(1).some((branch) => scope.isThrown(branch)))
        this.#addGuard(rest[0], 'value', into, scope.isThrown(rest[2]));
      else this.#add(rest.slice(0, 1), 'value', into);
      this.#add(rest.slice(1), place, into);
    } else if (head === 'match') {
      this.#add(rest.slice(0, 1), place === 'result' && scope.isThrown(rest.at(-1)) ? 'result' : 'value', into);
      this.#add(rest.slice(1), place, into);
    } else {
      this.#add(group.items, 'value', into);
    }
  }

  /** What a function of Clarity reads and writes itself. */
  #readVariable(head: string, name: string | undefined, place: Place, into: Findings): void {
    const shown = SHOWN.get(head);
    if (shown !== undefined) into.reads.add(shown);
    const isStx = STX_WRITES.has(head);
    if (isStx || (ASSET_WRITES.has(head) && name !== undefined)) {
      const asset = isStx ? STX : `${ASSET_MARK}${name}`;
      this.#writes.add(asset);
      const isMint = head === 'nft-mint?';
      if (isMint || head === 'nft-burn?') this.#writes.add(existenceOf(name ?? ''));
      // Whether it succeeds, which is known where its error is the function's.
      if (place !== 'dropped')
        (place === 'value' ? into : this.#newGuard()).reads.add(isMint ? existenceOf(name ?? '') : asset);
    }
    if (name === undefined) return;
    if (WRITES.has(head)) this.#writes.add(name);
    if (READS.has(head) && (place === 'value' || place === 'result' || !WRITES.has(head))) into.reads.add(name);
    if (ASSET_READS.has(head)) into.reads.add(`${ASSET_MARK}${name}`);
    if (VALUES.has(head) && this.#scope.computed.has(name)) this.#writes.add(name);
  }
}

function isOwner(expression: Expression | undefined): expression is Group {
  return headOf(expression) === 'nft-get-owner?';
}

function textOf(expression: Expression | undefined): string | undefined {
  return expression !== undefined && 'text' in expression ? expression.text : undefined;
}
