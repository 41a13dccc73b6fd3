// Definitions of a contract: its functions, its constants and their values.

import { splitContractId } from '#model/principal.ts';
import { atomsOf, definedName, type Expression, headOf } from './parse-source.ts';
import { ASSET_READS, ASSET_WRITES, READS, SHOWN, STX_WRITES } from './state-names.ts';

const FUNCTIONS: ReadonlySet<string> = new Set(['define-public', 'define-read-only', 'define-private']);
/** Definitions whose values may be computed at deploy time. */
export const VALUES: ReadonlySet<string> = new Set(['define-constant', 'define-data-var']);
/** Functions whose result depends on more than the source. */
const COMPUTES: ReadonlySet<string> = new Set([
  'contract-call?',
  ...READS,
  ...ASSET_READS,
  ...ASSET_WRITES,
  ...STX_WRITES,
]);
const NO_CONTRACTS: ReadonlySet<string> = new Set();
/** Matches `'SP….name` and `.name`. */
const CONTRACT = /^(?:'([0-9A-Z]+))?\.([^.]+)$/;

export class ContractScope {
  readonly contractId: string;
  readonly functions: readonly Expression[];
  /** All definitions except functions. */
  readonly others: readonly Expression[];
  readonly functionNames: ReadonlySet<string>;
  /** Names of constants and data variables whose values depend on more than the source. */
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
    this.#findComputed(values);
  }

  /** A definition may use a later one: Clarity sorts them. */
  #findComputed(values: readonly Expression[]): void {
    const usersOf = new Map<string, string[]>(values.map((one) => [definedName(one) ?? '', []]));
    const found: string[] = [];
    for (const one of values) {
      const name = definedName(one) ?? '';
      for (const { text } of atomsOf([one])) {
        if (this.functionNames.has(text) || COMPUTES.has(text) || SHOWN.has(text)) {
          found.push(name);
          break;
        }
        usersOf.get(text)?.push(name);
      }
    }
    // The list grows during the loop.
    for (const name of found) {
      if (this.computed.has(name)) continue;
      this.computed.add(name);
      for (const user of usersOf.get(name) ?? []) found.push(user);
    }
  }

  /** True if an expression is an error or `none`, directly or through a constant. */
  isThrown(expression: Expression | undefined): boolean {
    const name = textOf(expression);
    if (name === 'none' || headOf(expression) === 'err') return true;
    const constant = name === undefined ? undefined : this.#constants.get(name);
    const value = constant !== undefined && 'items' in constant ? constant.items[2] : undefined;
    return headOf(value) === 'err' || textOf(value) === 'none';
  }

  /** Ids of the contracts that an atom names, directly or through a constant. */
  contractsOf(atom: string): ReadonlySet<string> {
    if (!atom.includes('.') && !this.#constants.has(atom)) return NO_CONTRACTS;
    const known = this.#named.get(atom);
    if (known !== undefined) return known;
    // Constants of constants can be a chain as long as a source: a stack, not a recursion.
    const open = [atom];
    const opened = new Set<string>();
    for (let name = open.at(-1); name !== undefined; name = open.at(-1)) {
      if (this.#named.has(name)) {
        open.pop();
        continue;
      }
      const constant = this.#constants.get(name);
      const atoms = constant === undefined ? [] : [...atomsOf([constant])].map(({ text }) => text);
      if (!opened.has(name)) {
        opened.add(name);
        for (const text of atoms) if (this.#constants.has(text) && !opened.has(text)) open.push(text);
        continue;
      }
      open.pop();
      const ids = new Set<string>();
      for (const text of [name, ...atoms]) {
        const own = this.contractOf(text);
        if (own !== undefined) ids.add(own);
        for (const id of this.#named.get(text) ?? NO_CONTRACTS) ids.add(id);
      }
      this.#named.set(name, ids);
    }
    return this.#named.get(atom) ?? NO_CONTRACTS;
  }

  contractOf(atom: string): string | undefined {
    const match = atom.includes('.') ? CONTRACT.exec(atom) : null;
    return match === null ? undefined : `${match[1] ?? splitContractId(this.contractId).address}.${match[2]}`;
  }
}

export function textOf(expression: Expression | undefined): string | undefined {
  return expression !== undefined && 'text' in expression ? expression.text : undefined;
}
