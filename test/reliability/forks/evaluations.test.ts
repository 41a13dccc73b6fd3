// What the VM read follows the forks: random trees with tokens whose name is from another contract, evaluated now and
// then while the blocks come, against the model. FORKS_SEED makes other trees; SOAK=1 makes 20 times as many.

import { afterAll, describe, expect, test } from 'vitest';
import { readServedAmong } from '#store/contracts/contracts.ts';
import { readTokens } from '#store/tokens/tokens.ts';
import { Random } from '../../support/random.ts';
import { openVmIndex } from '../../support/vm-index.ts';
import { type Arrivals, type ForkBlock, formatArrivals, parseArrivals } from './arrivals.ts';
import { contractIdOf, contractOf, LIBRARY } from './fork-events.ts';
import { ForkIndex } from './fork-index.ts';
import { makeArrivals } from './make-arrivals.ts';
import { type ExpectedServed, modelOf } from './model.ts';

const SEED = Number(process.env.FORKS_SEED ?? 1);
const TREES = 40 * (process.env.SOAK === '1' ? 20 : 1);

const { store, evaluate, close } = await openVmIndex();
const index = await ForkIndex.around(store);
afterAll(async () => {
  await close();
  await index.close();
});

/** Replays, evaluating behind some of the batches and at the end; where the names then differ from the model's. */
async function firstDifference(
  arrivals: Arrivals,
  isEvaluated: (batch: number) => boolean,
): Promise<string | undefined> {
  await index.empty();
  for (const [at, batch] of arrivals.entries()) {
    await index.applyBatch(batch);
    if (isEvaluated(at)) await evaluate();
  }
  await evaluate();
  // Nothing is left, and nothing that was evaluated makes something else due.
  expect(await evaluate()).toBe(0);
  const text = (names: Map<string, string>) =>
    [...names]
      .map((pair) => pair.join(' '))
      .sort()
      .join(', ');
  const found = text(await readNames(arrivals.flat()));
  const expected = text(expectedNames(modelOf(arrivals.flat()).served));
  return expected === found ? undefined : `${formatArrivals(arrivals)}: ${found}, the model's ${expected}`;
}

async function readNames(arrived: readonly ForkBlock[]): Promise<Map<string, string>> {
  const contracts = new Set(arrived.flatMap(({ deploy }) => deploy?.split('.')[0] ?? []));
  const served = (await readServedAmong(store, [...contracts].map(contractIdOf))).filter((one) => one.canonical);
  const deployIds = served.map(({ deployId }) => deployId);
  const tokens = await readTokens(store, deployIds);
  const names = new Map<string, string>();
  for (const { contractId, deployId } of served) {
    const values = tokens.get(deployId)?.values;
    if (values !== undefined) names.set(contractOf(contractId), `${values.symbol} ${values.name ?? 'no name'}`);
  }
  return names;
}

/** `S0 Name 1` for a canonical token, whose name is the library's; `S0 no name` if that was not deployed before it. */
function expectedNames(served: ReadonlyMap<string, ExpectedServed>): Map<string, string> {
  const library = served.get(LIBRARY);
  const names = new Map<string, string>();
  for (const [contract, { canonical, height, deploy }] of served) {
    if (!canonical || contract === LIBRARY) continue;
    const isBehind = library?.canonical === true && library.height < height;
    names.set(contract, `S${deploy.at(-1)} ${isBehind ? `Name ${library.deploy.at(-1)}` : 'no name'}`);
  }
  return names;
}

describe('evaluations', () => {
  test(
    'behavior: random trees',
    async () => {
      for (let tree = 0; tree < TREES; tree++) {
        const seed = SEED * 20_000_003 + tree;
        const random = new Random(seed);
        const arrivals = makeArrivals(seed, { carrying: true });
        const difference = await firstDifference(arrivals, () => random.chance(0.4));
        expect(difference, `FORKS_SEED=${SEED}, tree ${tree}`).toBeUndefined();
      }
    },
    60_000 + TREES * 500,
  );

  const KNOWN = [
    [
      'a dependency that differs between forks',
      'a0@0<-a a1@1<a0+k0.0 a2@2<a1+k1.0 | b1@1<a0+k0.1 b2@2<b1+k1.0 b3@3<b2',
    ],
    ['a dependency that comes late', 'a0@0<-a | a2@2<a1+k1.0 | a1@1<a0+k0.0'],
    ['a dependency that is orphaned', 'a0@0<-a a1@1<a0+k0.0 a2@2<a1+k1.0 | b1@1<a0 b2@2<b1+k1.0 b3@3<b2'],
    [
      'a token that moves behind its dependency',
      'a0@0<-a a1@1<a0+k1.0 a2@2<a1+k0.0 | b1@1<a0+k0.0 b2@2<b1+k1.0 b3@3<b2',
    ],
    ['a token that comes back', 'a0@0<-a a1@1<a0+k0.0 a2@2<a1+k1.0 | b1@1<a0+k0.1 b2@2<b1 b3@3<b2 | a3@3<a2 a4@4<a3'],
  ] as const;
  test.each(KNOWN)('behavior: %s', async (_, text) => {
    expect(await firstDifference(parseArrivals(text), () => true)).toBeUndefined();
  });
});
