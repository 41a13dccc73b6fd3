// Mutates JSON as a tree: inserts values of other types and sizes, unusual keys, repeated members and deep nesting.
import type { Random } from '../../support/random.ts';

type Json = unknown;

/** The maximum number of repetitions of a value. {@link MAX_CHARACTERS} limits the length of all its repetitions. */
const MAX_REPETITIONS = 5_000;
const MAX_CHARACTERS = 200_000;
const MAX_DEPTH = 3_000;
const KEYS = ['__proto__', 'constructor', 'toString', 'length', 'failure', '', '0', 'a\u0000b', '\ud800', '{locale}'];
/** Hex text of 200 bytes, about the length of a small transaction. */
const HEX = `0x${'0a'.repeat(200)}`;
const CHARACTERS = [' ', '\u00a0', '\ufeff', '€😀', '\\', '"', '\n\t\u0007'];
const TEXTS = [...KEYS, HEX, ...CHARACTERS, '-1', '1e999', '0x', '{id}', '<html>'];
const NUMBERS = [0, -0, -1, 1, 0.5, 1e21, 1e300, 5e-324, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 53) - 2, 255, 256, 8.64e15];

/** Mutates JSON text one to three times. Returns text unchanged if it is not JSON. */
export function mutateJson(random: Random, text: string): string {
  let mutated = text;
  for (let left = 1 + random.below(3); left > 0; left--) mutated = mutateOnce(random, mutated);
  return mutated;
}

/** Returns a random JSON value with at most `depth` levels of nesting. */
export function randomJson(random: Random, depth = 3): Json {
  const inner = () => randomJson(random, depth - 1);
  const object = () => Object.fromEntries(random.list(4, () => [random.pick(KEYS), inner()]));
  const leaves = [
    () => random.pick(TEXTS),
    () => random.pick(NUMBERS),
    () => random.pick([true, false, null]),
    () => random.pick(TEXTS).repeat(random.length(100)),
  ];
  return random.pick<() => Json>(depth > 0 ? [...leaves, () => random.list(4, inner), object, object] : leaves)();
}

/** Functions that return a replacement for a value in the tree; undefined removes the value. */
const CHANGES: readonly ((random: Random, value: Json, places: readonly Place[], parent: Parent) => Json)[] = [
  (random) => randomJson(random),
  () => undefined,
  (random, value, _, parent) => {
    define(parent, random.pick(KEYS), value);
    return value;
  },
  (random, _, places) => random.pick(places)[0],
  (random, value) => (typeof value === 'string' ? value.repeat(timesOf(random, value)) : [value]),
  (random, value) => (Array.isArray(value) ? repeated(random, random.pick(value) ?? 0) : JSON.stringify(value)),
  (random) => random.pick(TEXTS),
  (random) => random.pick(NUMBERS),
];

function mutateOnce(random: Random, text: string): string {
  if (random.chance(0.1)) return mutateText(random, text);
  let root: Json;
  try {
    root = JSON.parse(text);
  } catch {
    return text;
  }
  const places = placesIn(root);
  if (places.length === 0) return text;
  const [parent, key] = random.pick(places);
  const value = parent[key];
  const changed = random.pick(CHANGES)(random, value, places, parent);
  if (changed === undefined) delete parent[key];
  else parent[key] = changed;
  try {
    return JSON.stringify(root) ?? text;
  } catch {
    return text; // the value contains itself
  }
}

/** Makes changes that are lost in a parsed tree: repeated members, and other spellings of the same value. */
function mutateText(random: Random, text: string): string {
  const at = text.indexOf(random.pick(['{', '[', ',', ':', '"']), random.below(text.length + 1)) + 1;
  const before = text.slice(0, at);
  const after = text.slice(at);
  return random.pick([
    () => {
      const member = /"[^"]*":[^,[\]{}]*,/.exec(after)?.[0] ?? `"${random.pick(KEYS)}":1,`;
      return text.replace('{', () => `{${member}`);
    },
    () => `${before}${random.pick([' ', '\n', '\t', '\r', '\u00a0', '\ufeff', '\v', '\u2028'])}${after}`,
    () => {
      const depth = random.length(MAX_DEPTH);
      const [opened, closed] = [random.pick(['[', '{"a":', '[[],']), random.pick([']', '}', ''])];
      return `${before}${opened.repeat(depth)}1${closed.repeat(depth)},${after}`;
    },
    () => text.replace(/[a-z]/, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`),
  ])();
}

function repeated(random: Random, item: Json): Json[] {
  return Array(timesOf(random, item)).fill(item);
}

function timesOf(random: Random, value: Json): number {
  const length = JSON.stringify(value).length;
  return random.length(Math.min(MAX_REPETITIONS, Math.ceil(MAX_CHARACTERS / length)));
}

type Parent = Record<string | number, Json>;
type Place = readonly [Parent, string | number];

function placesIn(root: Json): Place[] {
  const places: Place[] = [];
  const open: Json[] = [root];
  while (open.length > 0) {
    const parent = open.pop();
    if (typeof parent !== 'object' || parent === null) continue;
    for (const key of Object.keys(parent)) {
      places.push([parent as Parent, Array.isArray(parent) ? Number(key) : key]);
      open.push((parent as Parent)[key]);
    }
  }
  return places;
}

/** Sets a member of an object, even if its key is `__proto__`. Does nothing for a list. */
function define(parent: Parent, key: string, value: Json): void {
  if (Array.isArray(parent)) return;
  Object.defineProperty(parent, key, { value, enumerable: true, configurable: true, writable: true });
}
