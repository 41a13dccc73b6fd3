// Reads the definitions of a contract: its functions, its constants and their values.

import { splitContractId } from '#model/principal.ts';
import { ASSET_READS, ASSET_WRITES, CHAIN_READS, READS, STX_WRITES } from './builtins.ts';
import { atomOf, atomsOf, definedName, type Expression, headOf, itemsOf, parseSource } from './parse-source.ts';

const CALL = 'contract-call?';
export const FUNCTIONS: ReadonlySet<string> = new Set(['define-public', 'define-read-only', 'define-private']);
/** Names of definitions whose code does not run during the deploy: functions, traits, maps and tokens. */
export const DEFINITIONS: ReadonlySet<string> = new Set([
  ...FUNCTIONS,
  ...['define-trait', 'use-trait', 'impl-trait', 'define-map', 'define-non-fungible-token'],
]);
/** Names of definitions with a value, which may be computed during the deploy. */
export const VALUES: ReadonlySet<string> = new Set(['define-constant', 'define-data-var']);
/** Built-in functions whose results depend on more than the source of the contract. */
const COMPUTES: ReadonlySet<string> = new Set([CALL, ...READS, ...ASSET_READS, ...ASSET_WRITES, ...STX_WRITES]);
/**
 * The maximum number of findings for a contract. A finding is a value that a function may read, or a contract that a
 * function or constant may name. This many findings take 20 MB at most. Contracts on mainnet have up to 65,532, but a
 * source of 1.5 MB could have 200 million.
 */
const MAX_FINDINGS = 250_000;
/** Matches `'SP….name` and `.name`. */
const CONTRACT = /^(?:'([0-9A-Z]+))?\.([^.]+)$/;

export class ContractScope {
  readonly contractId: string;
  readonly functions: readonly Expression[];
  /** The top-level expressions that are evaluated during the deploy. */
  readonly deployCode: readonly Expression[];
  readonly functionNames: ReadonlySet<string>;
  /** Names of constants and data variables whose values depend on more than the source. */
  readonly computed = new Set<string>();
  /**
   * True if the source could have more than {@link MAX_FINDINGS} findings. They are then recorded for the contract, not
   * for each function.
   */
  readonly isOversized: boolean;
  readonly #constants: ReadonlyMap<string, Expression>;
  /**
   * Ids of the contracts that a constant names, directly or through other constants. The key is the constant's name.
   * Empty if the source is oversized.
   */
  readonly #named: ReadonlyMap<string, string[]>;

  constructor(source: string, contractId: string) {
    const expressions = parseSource(source);
    this.contractId = contractId;
    this.functions = expressions.filter((expression) => FUNCTIONS.has(headOf(expression) ?? ''));
    this.deployCode = expressions.filter((expression) => !DEFINITIONS.has(headOf(expression) ?? ''));
    this.functionNames = new Set(this.functions.flatMap((definition) => definedName(definition) ?? []));
    const values = this.deployCode.filter((expression) => VALUES.has(headOf(expression) ?? ''));
    this.#constants = new Map(
      values.flatMap((value) =>
        headOf(value) === 'define-constant' ? [[definedName(value) ?? '', value] as const] : [],
      ),
    );
    // An upper bound is cheap to compute, and proves for nearly all sources that they are not oversized.
    const upperBound = source.split('.').length + source.split(CALL).length;
    this.isOversized = this.#exceedsLimit(upperBound) && this.#exceedsLimit(this.#countNamed(expressions));
    this.#named = new Map(this.isOversized ? [] : this.#constants.keys().map((name) => [name, []]));
    this.#readValues(values);
  }

  /**
   * Returns true if a source may have too many findings. `named`: the number of contracts that it names, and of its
   * calls to other contracts.
   */
  #exceedsLimit(named: number): boolean {
    return this.functions.length * (this.deployCode.length + named) + this.#constants.size * named > MAX_FINDINGS;
  }

  #countNamed(expressions: readonly Expression[]): number {
    const ids = new Set<string>();
    let calls = 0;
    for (const { text } of atomsOf(expressions)) {
      if (text === CALL) calls++;
      const id = this.contractOf(text);
      if (id !== undefined) ids.add(id);
    }
    return ids.size + calls;
  }

  /**
   * Finds the computed values, and the contracts that constants name. Constants may use constants that are defined
   * after them, since Clarity sorts definitions.
   */
  #readValues(values: readonly Expression[]): void {
    const usersOf = new Map(values.map((value) => [definedName(value) ?? '', new Set<string>()]));
    const naming: { readonly name: string; readonly id: string }[] = [];
    for (const value of values) {
      const name = definedName(value) ?? '';
      for (const { text } of atomsOf([value])) {
        usersOf.get(text)?.add(name);
        if (this.functionNames.has(text) || COMPUTES.has(text) || CHAIN_READS.has(text)) this.computed.add(name);
        const id = this.contractOf(text);
        if (id !== undefined) naming.push({ name, id });
      }
    }
    // The loop adds names to the set that it visits. Recursion could overflow the stack, since a chain of constants can
    // be as long as a source.
    for (const name of this.computed) for (const user of usersOf.get(name) ?? []) this.computed.add(user);
    for (const [id, found] of Map.groupBy(naming, ({ id }) => id)) {
      const names = found.map(({ name }) => name);
      for (const name of names) {
        const ids = this.#named.get(name);
        if (ids === undefined || ids.at(-1) === id) continue;
        ids.push(id);
        for (const user of usersOf.get(name) ?? []) names.push(user);
      }
    }
  }

  /** True if an expression is `none` or `(err …)`, or a constant with one of these values. */
  isThrown(expression: Expression | undefined): boolean {
    const name = atomOf(expression);
    if (name === 'none' || headOf(expression) === 'err') return true;
    const value = itemsOf(this.#constants.get(name ?? ''))[2];
    return headOf(value) === 'err' || atomOf(value) === 'none';
  }

  /** Returns the ids of the contracts that an atom names. The atom is a literal, or a constant that names contracts. */
  contractsOf(atom: string): Iterable<string> {
    const literal = this.contractOf(atom);
    return literal === undefined ? (this.#named.get(atom) ?? []) : [literal];
  }

  /** Returns the id of the contract if the atom is a literal `'SP….name` or `.name`; otherwise undefined. */
  contractOf(atom: string): string | undefined {
    const match = atom.includes('.') ? CONTRACT.exec(atom) : null;
    return match === null ? undefined : `${match[1] ?? splitContractId(this.contractId).address}.${match[2]}`;
  }
}
