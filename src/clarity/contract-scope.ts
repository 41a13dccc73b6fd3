// Reads the definitions of a contract: its functions, its constants and their values.

import { splitContractId } from '#model/principal.ts';
import { ASSET_READS, ASSET_WRITES, CHAIN_READS, READS, STX_WRITES } from './builtins.ts';
import { atomOf, atomsOf, definedName, type Expression, headOf, itemsOf, parseSource } from './parse-source.ts';

export const CALL = 'contract-call?';
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
  /** For each constant whose value names contracts or other constants: the names. */
  readonly naming: ReadonlyMap<string, { readonly contractIds: Set<string>; readonly constants: Set<string> }>;
  readonly #constants: ReadonlyMap<string, Expression>;

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
    this.naming = new Map(this.#findNaming());
    this.#findComputed(values);
  }

  *#findNaming() {
    for (const [name, constant] of this.#constants) {
      const [contractIds, constants] = [new Set<string>(), new Set<string>()];
      for (const { text } of atomsOf(itemsOf(constant).slice(2))) {
        const id = this.contractOf(text);
        if (id !== undefined) contractIds.add(id);
        if (this.#constants.has(text)) constants.add(text);
      }
      if (contractIds.size + constants.size > 0) yield [name, { contractIds, constants }] as const;
    }
  }

  /** Constants may use constants that are defined after them, since Clarity sorts definitions. */
  #findComputed(values: readonly Expression[]): void {
    const usersOf = new Map(values.map((value) => [definedName(value) ?? '', new Set<string>()]));
    for (const value of values) {
      const name = definedName(value) ?? '';
      for (const { text } of atomsOf([value])) {
        usersOf.get(text)?.add(name);
        if (this.functionNames.has(text) || COMPUTES.has(text) || CHAIN_READS.has(text)) this.computed.add(name);
      }
    }
    // The loop adds names to the set that it visits. Recursion could overflow the stack, since a chain of constants can
    // be as long as a source.
    for (const name of this.computed) for (const user of usersOf.get(name) ?? []) this.computed.add(user);
  }

  /** True if an expression is `none` or `(err …)`, or a constant with one of these values. */
  isErrorValue(expression: Expression | undefined): boolean {
    const name = atomOf(expression);
    if (name === 'none' || headOf(expression) === 'err') return true;
    const value = itemsOf(this.#constants.get(name ?? ''))[2];
    return headOf(value) === 'err' || atomOf(value) === 'none';
  }

  /** Returns the id of the contract if the atom is a literal `'SP….name` or `.name`; otherwise undefined. */
  contractOf(atom: string): string | undefined {
    const match = atom.includes('.') ? CONTRACT.exec(atom) : null;
    return match === null ? undefined : `${match[1] ?? splitContractId(this.contractId).address}.${match[2]}`;
  }
}
