// Finds out what each function of a contract reads, writes and calls: source in, effects by function name out. It may
// find too much, since names are not resolved.
import { definedName, type Expression, headOf, parseSource } from './parse-source.ts';

export interface FunctionName {
  readonly contractId: string;
  readonly functionName: string;
}

/** Of the function's own body, not of what it calls. */
export interface FunctionEffects {
  /** Whether a transaction can call it and change state. */
  readonly isPublic: boolean;
  /** Names of the data variables and maps of the contract. */
  readonly reads: ReadonlySet<string>;
  readonly writes: ReadonlySet<string>;
  /** Functions of the same contract. */
  readonly ownCalls: ReadonlySet<string>;
  /** Functions of contracts that the source names. */
  readonly calls: readonly FunctionName[];
  /** Names of functions that are called on a trait: of whatever contract the caller passes. */
  readonly traitCalls: ReadonlySet<string>;
}

const FUNCTIONS: ReadonlySet<string> = new Set(['define-public', 'define-read-only', 'define-private']);
const READS: ReadonlySet<string> = new Set(['var-get', 'map-get?', 'map-insert']);
const WRITES: ReadonlySet<string> = new Set(['var-set', 'map-set', 'map-insert', 'map-delete']);

/** By function name. */
export function readEffects(source: string, deployerAddress: string): Map<string, FunctionEffects> {
  const definitions = parseSource(source).filter((one) => FUNCTIONS.has(headOf(one) ?? ''));
  const names = new Set(definitions.map(definedName));
  return new Map(
    definitions.flatMap((definition) => {
      const name = definedName(definition);
      return name === undefined ? [] : [[name, effectsOf(definition, names, deployerAddress)]];
    }),
  );
}

function effectsOf(
  definition: Expression,
  names: ReadonlySet<string | undefined>,
  deployerAddress: string,
): FunctionEffects {
  const reads = new Set<string>();
  const writes = new Set<string>();
  const ownCalls = new Set<string>();
  const calls: FunctionName[] = [];
  const traitCalls = new Set<string>();
  const open = 'items' in definition ? definition.items.slice(2) : [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!('items' in next)) {
      // As an argument too: (map f items).
      if (next.kind === 'atom' && names.has(next.text)) ownCalls.add(next.text);
      continue;
    }
    open.push(...next.items);
    const head = headOf(next) ?? '';
    const [first, second] = next.items.slice(1, 3).map((item) => ('text' in item ? item.text : ''));
    if (READS.has(head) && first !== undefined) reads.add(first);
    if (WRITES.has(head) && first !== undefined) writes.add(first);
    if (head !== 'contract-call?' || first === undefined || second === undefined) continue;
    if (/^['.]/.test(first)) {
      const contractId = first.startsWith('.') ? `${deployerAddress}${first}` : first.slice(1);
      calls.push({ contractId, functionName: second });
    } else {
      traitCalls.add(second);
    }
  }
  return { isPublic: headOf(definition) === 'define-public', reads, writes, ownCalls, calls, traitCalls };
}
