// Contract interfaces in the form in which Stacks nodes return them. Parses an interface, and orders its keys as a node
// does.

import { isDeeperThan } from '#text/parse-json.ts';
import { fail } from './failure.ts';

/** A type expression: a plain name, or an object with exactly one key (service specification 2.2). */
export type ClarityType = string | { readonly [key: string]: unknown };

/** The origin of an interface. `source`: an archive, or the API that reported the contract. `vm`: the Clarity VM. */
export type InterfaceOrigin = 'source' | 'vm';

export interface InterfaceFunction {
  readonly name: string;
  readonly access: 'private' | 'public' | 'read_only';
  readonly args: readonly { readonly name: string; readonly type: ClarityType }[];
  readonly outputs: { readonly type: ClarityType };
}

export interface ContractInterface {
  readonly functions: readonly InterfaceFunction[];
  readonly variables: readonly { name: string; type: ClarityType; access: 'constant' | 'variable' }[];
  readonly maps: readonly { name: string; key: ClarityType; value: ClarityType }[];
  readonly fungible_tokens: readonly { name: string }[];
  readonly non_fungible_tokens: readonly { name: string; type: ClarityType }[];
  readonly epoch?: string;
  readonly clarity_version?: string;
}

const SIMPLE_TYPES = new Set('none int128 uint128 bool principal trait_reference'.split(' '));
/** The maximum depth of a type, twice the depth that Clarity allows. */
const MAX_TYPE_DEPTH = 64;

class Misfit extends Error {}

type Json = unknown;
type Reader<T> = (value: Json, path: string) => T;

/**
 * Parses an interface with keys in any order; `epoch` may be missing. Returns a failure with the path of the first
 * invalid value. `unlistedTypes` lists types that this version does not know, which stay unchanged.
 */
export function parseInterface(json: unknown) {
  const unlisted = new Set<string>();

  const readType = (value: Json, path: string, depth = 0): ClarityType => {
    if (depth > MAX_TYPE_DEPTH) throw new Misfit(`${path} is nested too deeply`);
    if (typeof value === 'string') {
      if (!SIMPLE_TYPES.has(value)) unlisted.add(value);
      return value;
    }
    const keys = Object.keys(readObject(value, path));
    const key = keys[0];
    if (keys.length !== 1 || key === undefined) throw new Misfit(`${path} must have exactly one key`);
    const inner = (value as Record<string, Json>)[key];
    const at = `${path}.${key}`;
    switch (key) {
      case 'buffer':
      case 'string-ascii':
      case 'string-utf8':
        return { [key]: { length: readLength(readObject(inner, at).length, `${at}.length`) } };
      case 'list': {
        const list = readObject(inner, at);
        const type = readType(list.type, `${at}.type`, depth + 1);
        return { list: { type, length: readLength(list.length, `${at}.length`) } };
      }
      case 'optional':
        return { optional: readType(inner, at, depth + 1) };
      case 'response': {
        const response = readObject(inner, at);
        const ok = readType(response.ok, `${at}.ok`, depth + 1);
        return { response: { ok, error: readType(response.error, `${at}.error`, depth + 1) } };
      }
      case 'tuple':
        return { tuple: readNamedTypes(inner, at, depth + 1) };
      default:
        if (isDeeperThan(inner, MAX_TYPE_DEPTH)) throw new Misfit(`${at} is nested too deeply`);
        unlisted.add(key);
        return { [key]: inner };
    }
  };
  const readNamedTypes = (value: Json, path: string, depth: number) =>
    readArray(value, path, (item, at) => {
      const named = readObject(item, at);
      return { name: readString(named.name, `${at}.name`), type: readType(named.type, `${at}.type`, depth) };
    });
  // Nodes return one type for the keys of a map, and one for its values. The documentation of the public API shows
  // lists of named types.
  const readMapSide = (value: Json, path: string): ClarityType =>
    Array.isArray(value) ? (readNamedTypes(value, path, 1) as unknown as ClarityType) : readType(value, path);

  try {
    const root = readObject(json, 'interface');
    const readList = <T>(key: string, readRest: (entry: Record<string, Json>, at: string) => T) =>
      readArray(root[key], key, (item, at) => {
        const entry = readObject(item, at);
        return { name: readString(entry.name, `${at}.name`), ...readRest(entry, at) };
      });
    const parsed: ContractInterface = {
      functions: readList('functions', (entry, at) => ({
        access: readOneOf(entry.access, ['private', 'public', 'read_only'], `${at}.access`),
        args: readNamedTypes(entry.args, `${at}.args`, 0),
        outputs: { type: readType(readObject(entry.outputs, `${at}.outputs`).type, `${at}.outputs.type`) },
      })),
      variables: readList('variables', (entry, at) => ({
        type: readType(entry.type, `${at}.type`),
        access: readOneOf(entry.access, ['constant', 'variable'], `${at}.access`),
      })),
      maps: readList('maps', (entry, at) => ({
        key: readMapSide(entry.key, `${at}.key`),
        value: readMapSide(entry.value, `${at}.value`),
      })),
      fungible_tokens: readList('fungible_tokens', () => ({})),
      non_fungible_tokens: readList('non_fungible_tokens', (entry, at) => ({
        type: readType(entry.type, `${at}.type`),
      })),
      ...readOptionalString(root, 'epoch'),
      ...readOptionalString(root, 'clarity_version'),
    };
    return { interface: parsed, unlistedTypes: [...unlisted] };
  } catch (error) {
    if (error instanceof Misfit)
      return fail('interface-invalid', `The contract interface is invalid: ${error.message}.`);
    throw error;
  }
}

/**
 * Returns the Clarity version of an interface, such as 2 for `Clarity2`. Undefined if the version is missing or has
 * another form.
 */
export function clarityVersionOf(contractInterface: ContractInterface | undefined): number | undefined {
  const digits = contractInterface?.clarity_version?.match(/^Clarity(\d{1,2})$/)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function readerOf<T>(expected: string, isValid: (value: Json) => boolean): Reader<T> {
  return (value, path) => {
    if (!isValid(value)) throw new Misfit(`${path} must be ${expected}`);
    return value as T;
  };
}

const isObject = (value: Json) => typeof value === 'object' && value !== null && !Array.isArray(value);
const readObject = readerOf<Record<string, Json>>('an object', isObject);
const readString = readerOf<string>('a string', (value) => typeof value === 'string');
const readLength = readerOf<number>('a whole number', (value) => Number.isSafeInteger(value) && Number(value) >= 0);

function readArray<T>(value: Json, path: string, readItem: Reader<T>): T[] {
  if (!Array.isArray(value)) throw new Misfit(`${path} must be a list`);
  return value.map((item, index) => readItem(item, `${path}[${index}]`));
}

function readOneOf<const T extends string>(value: Json, allowed: readonly T[], path: string): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw new Misfit(`${path} must be one of ${allowed.join(', ')}`);
  return found;
}

function readOptionalString<K extends string>(root: Record<string, Json>, key: K): { [P in K]?: string } {
  return root[key] === undefined ? {} : ({ [key]: readString(root[key], key) } as { [P in K]?: string });
}
