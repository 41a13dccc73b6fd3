// Finds out what each function of a contract reads, writes and calls: source in, effects by function name out. It may
// find too much, since names are not resolved.
import { splitContractId } from '#model/principal.ts';
import { atomsOf, definedName, type Expression, type Group, headOf, parseSource } from './parse-source.ts';

export interface FunctionName {
  readonly contractId: string;
  readonly functionName: string;
}

/**
 * What becomes of an expression's value. `guard`: it decides whether the function ends with an error; `success`: its
 * error is the function's, and nothing else of it is used; `result`: its error is the function's; `value`: anything.
 */
export type Role = 'guard' | 'success' | 'result' | 'value';

export interface CalledFunction {
  /** Undefined for a function of a trait: of whatever contract is passed. */
  readonly contractId: string | undefined;
  readonly functionName: string;
  readonly role: Role;
}

/** Of the function's own body, not of what it calls. */
export interface FunctionEffects {
  /** Whether a transaction can call it and change state. */
  readonly isPublic: boolean;
  /**
   * Names of the data variables and maps of the contract, of constants that calls compute when it is deployed, and of
   * its assets, marked so; those that guards read stand apart.
   */
  readonly reads: ReadonlySet<string>;
  readonly guardReads: ReadonlySet<string>;
  readonly writes: ReadonlySet<string>;
  readonly calls: readonly CalledFunction[];
  /** Ids of the contracts that it names, itself or by a constant: it may pass them as traits. */
  readonly contractIds: ReadonlySet<string>;
}

const ASSET_MARK = '::';

/** Whether a variable is who owns how much of an asset: too many calls write it to follow them. */
export function isAssetVariable(name: string): boolean {
  return name.startsWith(ASSET_MARK);
}

/** The name of what runs when the contract is deployed. */
export const DEPLOY = '';

const FUNCTIONS: ReadonlySet<string> = new Set(['define-public', 'define-read-only', 'define-private']);
const READS: ReadonlySet<string> = new Set(['var-get', 'map-get?', 'map-insert']);
const ASSET_READS: ReadonlySet<string> = new Set(['nft-get-owner?', 'ft-get-balance', 'ft-get-supply']);
const VALUES: ReadonlySet<string> = new Set(['define-constant', 'define-data-var']);
const WRITES: ReadonlySet<string> = new Set(['var-set', 'map-set', 'map-insert', 'map-delete']);
const ASSET_WRITES: ReadonlySet<string> = new Set(
  ['mint?', 'burn?', 'transfer?'].flatMap((verb) => [`ft-${verb}`, `nft-${verb}`]),
);
/** `'SP….name` and `.name`. */
const CONTRACT = /^(?:'([0-9A-Z]+))?\.([^.]+)$/;

/** By function name, {@link DEPLOY} included. */
export function readEffects(source: string, contractId: string): Map<string, FunctionEffects> {
  const expressions = parseSource(source);
  const [functions, others] = [true, false].map((wanted) =>
    expressions.filter((one) => FUNCTIONS.has(headOf(one) ?? '') === wanted),
  ) as [Expression[], Expression[]];
  const functionNames = new Set(functions.flatMap((one) => definedName(one) ?? []));
  const isComputed = (definition: Expression) =>
    [...atomsOf([definition])].some(({ text }) => text === 'contract-call?' || functionNames.has(text));
  const scope = {
    contractId,
    functionNames,
    computed: new Set(
      others.flatMap((one) => (VALUES.has(headOf(one) ?? '') && isComputed(one) ? [definedName(one) ?? ''] : [])),
    ),
    constants: new Map(
      others.flatMap((one) => (headOf(one) === 'define-constant' ? [[definedName(one) ?? '', one] as const] : [])),
    ),
  };
  const read = (body: readonly Expression[], isPublic: boolean) => new EffectsReader(scope).read(body, isPublic);
  return new Map([
    [DEPLOY, read(others, false)],
    ...functions.flatMap((one): [string, FunctionEffects][] => {
      const name = definedName(one);
      const body = 'items' in one ? one.items.slice(2) : [];
      return name === undefined ? [] : [[name, read(body, headOf(one) === 'define-public')]];
    }),
  ]);
}

interface Scope {
  readonly contractId: string;
  readonly functionNames: ReadonlySet<string>;
  /** Names of constants and data variables. */
  readonly computed: ReadonlySet<string>;
  /** Their definitions, by name. */
  readonly constants: ReadonlyMap<string, Expression>;
}

/** A `statement` is dropped, and is no response: those must be looked at. */
type Place = Role | 'statement';

class EffectsReader {
  readonly #scope: Scope;
  readonly #reads = new Set<string>();
  readonly #guardReads = new Set<string>();
  readonly #writes = new Set<string>();
  readonly #calls: CalledFunction[] = [];
  readonly #contractIds = new Set<string>();
  readonly #open: { readonly expression: Expression; readonly place: Place }[] = [];

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  read(body: readonly Expression[], isPublic: boolean): FunctionEffects {
    this.#addSequence(body, 'result');
    for (let next = this.#open.pop(); next !== undefined; next = this.#open.pop()) {
      const { expression, place } = next;
      if ('items' in expression) this.#readGroup(expression, place);
      else if (expression.kind === 'atom') this.#readAtom(expression.text);
    }
    const [reads, guardReads, writes] = [this.#reads, this.#guardReads, this.#writes];
    return { isPublic, reads, guardReads, writes, calls: this.#calls, contractIds: this.#contractIds };
  }

  #add(expressions: readonly Expression[], place: Place): void {
    for (const expression of expressions) this.#open.push({ expression, place });
  }

  /** Its last expression is what it comes to. */
  #addSequence(expressions: readonly Expression[], place: Place): void {
    this.#add(expressions.slice(0, -1), place === 'guard' ? 'guard' : 'statement');
    this.#add(expressions.slice(-1), place);
  }

  #readAtom(text: string): void {
    const { contractId, functionNames, constants, computed } = this.#scope;
    // As an argument: (map f items).
    if (functionNames.has(text)) this.#addCall(contractId, text, 'value');
    const constant = constants.get(text);
    if (constant !== undefined && computed.has(text)) this.#reads.add(text);
    for (const named of constant === undefined ? [text] : [...atomsOf([constant])].map((one) => one.text)) {
      const id = this.#contractOf(named);
      if (id !== undefined) this.#contractIds.add(id);
    }
  }

  #readGroup(group: Group, place: Place): void {
    const head = headOf(group) ?? '';
    const rest = group.items.slice(1);
    const inner = place === 'guard' ? 'guard' : 'value';
    const name = textOf(rest[0]);
    const read = nameIn(head, name, READS, ASSET_READS);
    if (read !== undefined) (place === 'guard' ? this.#guardReads : this.#reads).add(read);
    const written = nameIn(head, name, WRITES, ASSET_WRITES);
    if (written !== undefined) this.#writes.add(written);
    if (name !== undefined && VALUES.has(head) && this.#scope.computed.has(name)) this.#writes.add(name);
    if (head === 'contract-call?') {
      const functionName = textOf(rest[1]);
      if (name !== undefined && functionName !== undefined) this.#addCall(this.#contractOf(name), functionName, place);
      this.#add(rest.toSpliced(1, 1), 'value');
    } else if (this.#scope.functionNames.has(head)) {
      this.#addCall(this.#scope.contractId, head, place);
      this.#add(rest, 'value');
    } else if (head === 'asserts!') {
      this.#add(rest.slice(0, 1), 'guard');
      this.#add(rest.slice(1), inner);
    } else if (head === 'try!' || head === 'unwrap!' || head === 'unwrap-panic') {
      this.#add(rest.slice(0, 1), place === 'guard' ? 'guard' : this.#placeOfUnwrapped(rest[0], place));
      this.#add(rest.slice(1), inner);
    } else if (head === 'begin' || head === 'as-contract') {
      this.#addSequence(rest, place);
    } else if (head === 'let') {
      this.#add(rest.slice(0, 1), inner);
      this.#addSequence(rest.slice(1), place);
    } else if (head === 'if' || head === 'match') {
      this.#add(rest.slice(0, 1), inner);
      this.#add(rest.slice(1), place);
    } else {
      this.#add(group.items, inner);
    }
  }

  /** Of a call itself nothing is used but its success; an `if` around two calls would choose one. */
  #placeOfUnwrapped(unwrapped: Expression | undefined, place: Place): Place {
    const head = headOf(unwrapped) ?? '';
    const isCall = head === 'contract-call?' || this.#scope.functionNames.has(head);
    return place === 'statement' && isCall ? 'success' : 'result';
  }

  #addCall(contractId: string | undefined, functionName: string, place: Place): void {
    this.#calls.push({ contractId, functionName, role: place === 'statement' ? 'value' : place });
  }

  #contractOf(atom: string): string | undefined {
    const match = CONTRACT.exec(atom);
    return match === null ? undefined : `${match[1] ?? splitContractId(this.#scope.contractId).address}.${match[2]}`;
  }
}

function textOf(expression: Expression | undefined): string | undefined {
  return expression !== undefined && 'text' in expression ? expression.text : undefined;
}

/** The variable that a function of Clarity is about, if it is one of these, or one of those about assets. */
function nameIn(
  head: string,
  name: string | undefined,
  functions: ReadonlySet<string>,
  ofAssets: ReadonlySet<string>,
): string | undefined {
  if (name === undefined || functions.has(head)) return name;
  return ofAssets.has(head) ? `${ASSET_MARK}${name}` : undefined;
}
