// A publish target in memory. Each request takes a random number of turns, so that the requests of several publishers
// interleave. Publishers are killed, and requests fail, at random.
import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FailureError, fail } from '#model/failure.ts';
import type { Target } from '#publish/target.ts';
import type { Random } from './random.ts';

/** The error that ends a killed publisher. Only a FailureError lets a publisher end in order. */
export class Killed extends Error {}

interface Interference {
  readonly random: Random;
  readonly maxTurns: number;
  /** Called before each request. With `after`, the request is performed. */
  readonly happens: () => 'killed before' | 'killed after' | 'failed before' | 'failed after' | undefined;
}

const OBJECTS_PER_PAGE = 3;

/** Returns the target of a publisher. `objects` are the bodies by key, which several publishers share. */
export function memoryTarget(
  objects: Map<string, string>,
  { random, maxTurns, happens }: Interference,
  onRequest: (request: string) => void = () => {},
): Target {
  let isDead = false;
  const turns = async () => {
    for (let turn = random.below(maxTurns + 1); turn > 0; turn--) await nextTurn();
  };
  const request = async <Result>(name: string, perform: () => Result): Promise<Result> => {
    await turns();
    if (isDead) throw new Killed();
    const [what, when] = happens()?.split(' ') ?? [];
    if (what === 'killed') isDead = true;
    const result = when === 'before' ? undefined : perform();
    if (when !== 'before') onRequest(name);
    if (what === 'killed') throw new Killed();
    if (what === 'failed') throw new FailureError(fail('connection-failed'));
    await turns();
    if (isDead) throw new Killed();
    return result as Result;
  };
  return {
    name: 's3://memory',
    read: (key) =>
      request(`GET ${key}`, () => {
        const text = objects.get(key);
        return text === undefined ? undefined : Buffer.from(text);
      }),
    write: ({ key, body }) => request(`PUT ${key}`, () => void objects.set(key, Buffer.from(body).toString())),
    remove: (key) => request(`DELETE ${key}`, () => void objects.delete(key)),
    async *list() {
      for (let after = ''; ; ) {
        const keys = await request('GET', () =>
          [...objects].filter(([key]) => key > after).toSorted(([left], [right]) => (left < right ? -1 : 1)),
        );
        const page = keys.slice(0, OBJECTS_PER_PAGE);
        const last = page.at(-1);
        if (last === undefined) return;
        yield page.map(([key, text]) => ({ key, bytes: text.length, tag: hash('md5', text, 'hex') }));
        after = last[0];
      }
    },
    [Symbol.asyncDispose]: async () => {},
  };
}
