// Makes random contract interfaces, in which types have every possible JSON form.
import type { Random } from '../../support/random.ts';

const NAMES = ['transfer', 'get-name', 'get-symbol', 'get-decimals', 'get-balance', 'get-owner', 'get-token-uri', 'a'];
const SIMPLE_TYPES = ['none', 'int128', 'uint128', 'bool', 'principal', 'trait_reference', 'not-listed'];

export function randomInterface(random: Random): object {
  const type = () => randomType(random, 4);
  const named = () => ({ name: random.pick(NAMES), type: type() });
  return {
    functions: random.list(8, () => ({
      name: random.pick(NAMES),
      access: random.pick(['private', 'public', 'read_only']),
      args: random.list(4, named),
      outputs: { type: type() },
    })),
    variables: random.list(3, () => ({ ...named(), access: random.pick(['constant', 'variable']) })),
    maps: random.list(3, () => ({
      name: random.pick(NAMES),
      key: random.chance(0.5) ? type() : random.list(3, named),
      value: type(),
    })),
    fungible_tokens: random.list(2, () => ({ name: random.pick(NAMES) })),
    non_fungible_tokens: random.list(2, named),
    ...(random.chance(0.7) ? { epoch: random.pick(['Epoch20', 'Epoch33', 'Epoch99']) } : {}),
    ...(random.chance(0.7) ? { clarity_version: random.pick(['Clarity1', 'Clarity4', 'Clarity99']) } : {}),
  };
}

function randomType(random: Random, depth: number): unknown {
  const inner = () => randomType(random, depth - 1);
  const length = random.below(2 ** 20);
  const leaf = () => random.pick(SIMPLE_TYPES);
  if (depth === 0) return leaf();
  return random.pick<() => unknown>([
    leaf,
    () => ({ [random.pick(['buffer', 'string-ascii', 'string-utf8'])]: { length } }),
    () => ({ list: { type: inner(), length } }),
    () => ({ optional: inner() }),
    () => ({ response: { ok: inner(), error: inner() } }),
    () => ({ tuple: random.list(3, () => ({ name: random.pick(NAMES), type: inner() })) }),
    () => ({ 'not-listed': [inner()] }),
  ])();
}
