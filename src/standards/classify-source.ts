// Finds the standard that a contract probably follows, from its source. Used for deploys without an interface.
import { atomOf, type Expression, headOf, itemsOf, parseSource } from '#clarity/parse-source.ts';
import type { ClarityType, ContractInterface, InterfaceFunction } from '#model/contract-interface.ts';
import type { TokenStandard } from '#model/token.ts';
import { classifyContract } from './classify-contract.ts';

const ACCESS: ReadonlyMap<string, InterfaceFunction['access']> = new Map([
  ['define-public', 'public'],
  ['define-read-only', 'read_only'],
  ['define-private', 'private'],
]);
const SIMPLE: ReadonlyMap<string, ClarityType> = new Map([
  ['uint', 'uint128'],
  ['int', 'int128'],
  ['principal', 'principal'],
]);
/** The name of a function that each of the three standards requires. */
const NEEDED = 'get-token-uri';
/** Stands for each type that no standard uses. */
const UNUSED: ClarityType = 'none';

/**
 * Returns the probable standard; undefined without one. The Clarity VM checks it later, since it knows the exact types.
 */
export function classifySource(source: string): TokenStandard | undefined {
  if (!source.includes(NEEDED)) return undefined;
  const functions: InterfaceFunction[] = [];
  const fungible: { name: string }[] = [];
  const nonFungible: { name: string; type: ClarityType }[] = [];
  for (const definition of parseSource(source)) {
    const head = headOf(definition) ?? '';
    const [, named] = itemsOf(definition);
    const access = ACCESS.get(head);
    if (access !== undefined) functions.push(functionOf(named, access));
    else if (head === 'define-fungible-token') fungible.push({ name: atomOf(named) ?? '' });
    else if (head === 'define-non-fungible-token') nonFungible.push({ name: atomOf(named) ?? '', type: UNUSED });
  }
  const known: ContractInterface = {
    ...{ functions, fungible_tokens: fungible, non_fungible_tokens: nonFungible },
    variables: [],
    maps: [],
  };
  return classifyContract(known);
}

function functionOf(signature: Expression | undefined, access: InterfaceFunction['access']): InterfaceFunction {
  const [name, ...parameters] = itemsOf(signature);
  const args = parameters.map((parameter) => {
    const [argument, type] = itemsOf(parameter);
    return { name: atomOf(argument) ?? '', type: typeOf(type) };
  });
  return { name: atomOf(name) ?? '', access, args, outputs: { type: UNUSED } };
}

/** Returns the type that an expression describes; {@link UNUSED} if no standard uses the type. */
function typeOf(type: Expression | undefined): ClarityType {
  const simple = SIMPLE.get(atomOf(type) ?? '');
  if (simple !== undefined) return simple;
  const [, inner] = itemsOf(type);
  if (headOf(type) === 'buff') return { buffer: { length: Number(atomOf(inner)) } };
  if (headOf(type) === 'optional' && headOf(inner) === 'buff') return { optional: typeOf(inner) };
  return UNUSED;
}
