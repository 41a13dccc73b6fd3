// Definitions of a contract: its functions, its constants and their values.

import { splitContractId } from '#model/principal.ts';
import { atomOf, atomsOf, definedName, type Expression, headOf, itemsOf, parseSource } from './parse-source.ts';
import { ASSET_READS, ASSET_WRITES, READS, SHOWN, STX_WRITES } from './state-names.ts';

const CALL = 'contract-call?';
export const FUNCTIONS: ReadonlySet<string> = new Set(['define-public', 'define-read-only', 'define-private']);
/** What runs nothing when it is deployed: functions, traits, and types of keys. */
export const DEFINITIONS: ReadonlySet<string> = new Set([
  ...FUNCTIONS,
  ...['define-trait', 'use-trait', 'impl-trait', 'define-map', 'define-non-fungible-token'],
]);
/** Definitions whose values may be computed at deploy time. */
export const VALUES: ReadonlySet<string> = new Set(['define-constant', 'define-data-var']);
/** Functions whose result depends on more than the source. */
const COMPUTES: ReadonlySet<string> = new Set([CALL, ...READS, ...ASSET_READS, ...ASSET_WRITES, ...STX_WRITES]);
/**
 * Limit for what functions may read and name, and constants name, in all: at most 20 MB. On mainnet 65,532 occur; in a
 * source of 1.5 MB, 200 million could.
 */
const MAX_FINDINGS = 250_000;
/** Matches `'SP….name` and `.name`. */
const CONTRACT = /^(?:'([0-9A-Z]+))?\.([^.]+)$/;

export class ContractScope {
  readonly contractId: string;
  readonly functions: readonly Expression[];
  /** What a deploy runs. */
  readonly others: readonly Expression[];
  readonly functionNames: ReadonlySet<string>;
  /** Names of constants and data variables whose values depend on more than the source. */
  readonly computed = new Set<string>();
  /** True if its functions and constants are too many to say of each what it depends on. */
  readonly isVast: boolean;
  readonly #constants: ReadonlyMap<string, Expression>;
  /** Ids of the contracts that a constant names, directly or through others; left out if the source is vast. */
  readonly #named: ReadonlyMap<string, string[]>;

  constructor(source: string, contractId: string) {
    const expressions = parseSource(source);
    this.contractId = contractId;
    this.functions = expressions.filter((one) => FUNCTIONS.has(headOf(one) ?? ''));
    this.others = expressions.filter((one) => !DEFINITIONS.has(headOf(one) ?? ''));
    this.functionNames = new Set(this.functions.flatMap((one) => definedName(one) ?? []));
    const values = this.others.filter((one) => VALUES.has(headOf(one) ?? ''));
    this.#constants = new Map(
      values.flatMap((one) => (headOf(one) === 'define-constant' ? [[definedName(one) ?? '', one] as const] : [])),
    );
    // Of most sources it is enough to count in the text.
    const atMost = source.split('.').length + source.split(CALL).length;
    this.isVast = this.#isVastWith(atMost) && this.#isVastWith(this.#countNamed(expressions));
    this.#named = new Map(this.isVast ? [] : this.#constants.keys().map((name) => [name, []]));
    this.#readValues(values);
  }

  /** `named`: contracts, and functions of others. */
  #isVastWith(named: number): boolean {
    return this.functions.length * (this.others.length + named) + this.#constants.size * named > MAX_FINDINGS;
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

  /** A definition may use a later one: Clarity sorts them. */
  #readValues(values: readonly Expression[]): void {
    const usersOf = new Map(values.map((value) => [definedName(value) ?? '', new Set<string>()]));
    const naming: { readonly name: string; readonly id: string }[] = [];
    for (const value of values) {
      const name = definedName(value) ?? '';
      for (const { text } of atomsOf([value])) {
        usersOf.get(text)?.add(name);
        if (this.functionNames.has(text) || COMPUTES.has(text) || SHOWN.has(text)) this.computed.add(name);
        const id = this.contractOf(text);
        if (id !== undefined) naming.push({ name, id });
      }
    }
    // What is looped over grows: a chain of constants can be as long as a source, so nothing recurses.
    for (const name of this.computed) for (const user of usersOf.get(name) ?? []) this.computed.add(user);
    for (const [id, found] of Map.groupBy(naming, (one) => one.id)) {
      const names = found.map(({ name }) => name);
      for (const name of names) {
        const ids = this.#named.get(name);
        if (ids === undefined || ids.at(-1) === id) continue;
        ids.push(id);
        for (const user of usersOf.get(name) ?? []) names.push(user);
      }
    }
  }

  /** True if an expression is an error or `none`, directly or through a constant. */
  isThrown(expression: Expression | undefined): boolean {
    const name = atomOf(expression);
    if (name === 'none' || headOf(expression) === 'err') return true;
    const value = itemsOf(this.#constants.get(name ?? ''))[2];
    return headOf(value) === 'err' || atomOf(value) === 'none';
  }

  /** Ids of the contracts that an atom names, directly or through a constant. */
  contractsOf(atom: string): Iterable<string> {
    const own = this.contractOf(atom);
    return own === undefined ? (this.#named.get(atom) ?? []) : [own];
  }

  contractOf(atom: string): string | undefined {
    const match = atom.includes('.') ? CONTRACT.exec(atom) : null;
    return match === null ? undefined : `${match[1] ?? splitContractId(this.contractId).address}.${match[2]}`;
  }
}
