// Reads the definitions of a source in the form of a contract interface. Finds the standard that they follow, and
// compares them with an interface.
import { atomOf, type Expression, headOf, isKey, itemsOf, parseSource } from '#clarity/parse-source.ts';
import type { ClarityType, ContractInterface, InterfaceFunction } from '#model/contract-interface.ts';
import type { TokenStandard } from '#model/token.ts';
import { classifyContract } from './classify-contract.ts';

type Filled<T> = { -readonly [Key in keyof T]: T[Key] extends readonly (infer Item)[] ? Item[] : T[Key] };

const ACCESS: ReadonlyMap<string | undefined, InterfaceFunction['access']> = new Map([
  ['define-public', 'public'],
  ['define-read-only', 'read_only'],
  ['define-private', 'private'],
]);
const SIMPLE: ReadonlyMap<string, ClarityType> = new Map([
  ['uint', 'uint128'],
  ['int', 'int128'],
  ['bool', 'bool'],
  ['principal', 'principal'],
]);
/** The maximum depth of a type that Clarity allows. */
const MAX_TYPE_DEPTH = 32;
/** Stands for a type that the source does not state. No interface of a node has this type. */
const UNKNOWN: ClarityType = 'unknown';
/** The name of a function that each of the three standards requires. */
const NEEDED = 'get-token-uri';

/**
 * Returns the standard that the definitions of a source follow. An interface of the source follows the same, since
 * standards require names and arguments, whose types are literals.
 */
export function classifySource(source: string): TokenStandard | undefined {
  return source.includes(NEEDED) ? classifyContract(readDefinitions(source)) : undefined;
}

/**
 * True if an interface has exactly the definitions of the source. Ignores the results of functions and the types of
 * constants, which a source does not state.
 */
export function hasDefinitions(contractInterface: ContractInterface, source: string): boolean {
  const [lines, expected] = [linesOf(contractInterface), linesOf(readDefinitions(source))];
  return lines.length === expected.length && lines.every((line, index) => line === expected[index]);
}

/** Returns the definitions. The results of functions and the types of constants are unknown. */
export function readDefinitions(source: string): ContractInterface {
  const tokens = { fungible_tokens: [], non_fungible_tokens: [] };
  const found: Filled<ContractInterface> = { functions: [], variables: [], maps: [], ...tokens };
  for (const definition of parseSource(source)) {
    const [head, [, named, type, value]] = [headOf(definition), itemsOf(definition)];
    const name = atomOf(named) ?? '';
    const access = ACCESS.get(head);
    if (access !== undefined) found.functions.push(functionOf(named, access));
    else if (head === 'define-constant') found.variables.push({ name, type: UNKNOWN, access: 'constant' });
    else if (head === 'define-data-var') found.variables.push({ name, type: typeOf(type), access: 'variable' });
    else if (head === 'define-map') found.maps.push({ name, key: sideOf(type), value: sideOf(value) });
    else if (head === 'define-fungible-token') found.fungible_tokens.push({ name });
    else if (head === 'define-non-fungible-token') found.non_fungible_tokens.push({ name, type: typeOf(type) });
  }
  return found;
}

/** Returns a line for each definition, in order. Omits the types that a source does not state. */
function linesOf({ functions, variables, maps, ...tokens }: ContractInterface): string[] {
  return [
    ...functions.map(({ name, access, args }) => [access, name, args.map(({ name, type }) => [name, type])]),
    ...variables.map(({ name, access, type }) => [access, name, access === 'constant' ? '' : type]),
    ...maps.map(({ name, key, value }) => ['map', name, key, value]),
    ...tokens.fungible_tokens.map(({ name }) => ['ft', name]),
    ...tokens.non_fungible_tokens.map(({ name, type }) => ['nft', name, type]),
  ]
    .map((parts) => JSON.stringify(parts))
    .sort();
}

function functionOf(signature: Expression | undefined, access: InterfaceFunction['access']): InterfaceFunction {
  const [name, ...parameters] = itemsOf(signature);
  const args = parameters.map((parameter) => memberOf(itemsOf(parameter), 0));
  return { name: atomOf(name) ?? '', access, args, outputs: { type: UNKNOWN } };
}

/** Returns the type that an expression describes. */
function typeOf(type: Expression | undefined, depth = 0): ClarityType {
  const name = atomOf(type) ?? '';
  if (depth > MAX_TYPE_DEPTH) return UNKNOWN;
  if (type?.kind === 'tuple') {
    const { items } = type;
    return tupleOf(
      items.flatMap((_, at) => (isKey(type, at) ? [items.slice(at, at + 2)] : [])),
      depth,
    );
  }
  const [, first, second] = itemsOf(type);
  switch (headOf(type)) {
    case undefined:
      return name.startsWith('<') ? 'trait_reference' : (SIMPLE.get(name) ?? UNKNOWN);
    case 'buff':
      return { buffer: lengthOf(first) };
    case 'string-ascii':
      return { 'string-ascii': lengthOf(first) };
    case 'string-utf8':
      return { 'string-utf8': lengthOf(first) };
    case 'optional':
      return { optional: typeOf(first, depth + 1) };
    case 'list':
      return { list: { type: typeOf(second, depth + 1), ...lengthOf(first) } };
    case 'response':
      return { response: { ok: typeOf(first, depth + 1), error: typeOf(second, depth + 1) } };
    case 'tuple':
      return tupleOf(itemsOf(type).slice(1).map(itemsOf), depth);
    default:
      return UNKNOWN;
  }
}

/** Returns the type of one side of a map. `((a uint))` stands for a tuple. */
function sideOf(type: Expression | undefined): ClarityType {
  const items = itemsOf(type);
  return type?.kind === 'list' && items[0]?.kind === 'list' ? tupleOf(items.map(itemsOf), 0) : typeOf(type);
}

/** Returns the type of a tuple. A node sorts its members by name. */
function tupleOf(members: readonly (readonly Expression[])[], depth: number): ClarityType {
  const tuple = members.map((member) => memberOf(member, depth + 1));
  return { tuple: tuple.sort((left, right) => (left.name < right.name ? -1 : 1)) };
}

function memberOf([name, type]: readonly Expression[], depth: number) {
  return { name: atomOf(name) ?? '', type: typeOf(type, depth) };
}

function lengthOf(length: Expression | undefined): { readonly length: number } {
  return { length: Number(atomOf(length)) };
}
