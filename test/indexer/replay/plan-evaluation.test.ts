import { expect, test } from 'vitest';
import { ChainReader } from '#indexer/replay/chain-reader.ts';
import { planEvaluation } from '#indexer/replay/plan-evaluation.ts';
import { isPlacedCall } from '#indexer/replay/trace-steps.ts';
import { TOKEN_GETTERS } from '#model/token.ts';
import { apply, at, microblocks, mustRead } from '../../support/chain-index.ts';
import { indexOfArchive } from '../../support/index-of-archive.ts';
import { EMPTY_INTERFACE } from '../../support/interfaces.ts';
import { ADDRESS, callJson, type DeployOptions, deployJson, OTHER_ADDRESS } from '../../support/transactions.ts';

const { store } = await indexOfArchive();
const OTHER = OTHER_ADDRESS;
const TOKEN = `${ADDRESS}.token`;
const MAX_CALLS = 1_000;
const deploy = (name: string, source = '(print 1)', options: DeployOptions = {}) => deployJson(name, source, options);

const plan = async () => planEvaluation(new ChainReader(store), await mustRead(store, TOKEN), MAX_CALLS);

/** Returns the planned deploys in order. The last one is the deploy of the token. */
async function deployed() {
  return (await plan()).steps.flatMap((step) => (isPlacedCall(step) ? [] : [step.request]));
}

/** Returns the names of the contracts that the token depends on, in the order of their deploys. */
async function dependencies(): Promise<string[]> {
  const ids = (await deployed()).map(({ contractId }) => contractId);
  expect(ids.at(-1)).toBe(TOKEN);
  return ids.slice(0, -1).map((contractId) => contractId.split('.')[1] as string);
}

test('default', async () => {
  await apply(store, [at(0, [deploy('token', '(print 1)')])]);
  expect(await plan()).toMatchObject({
    getters: TOKEN_GETTERS.map((getter) => ({ getter })),
    shared: new Set(),
    steps: [{ request: { contractId: TOKEN, sourceCode: '(print 1)', clarityVersion: 2, epoch: '2.4' } }],
    unproven: new Map(),
    inputs: { contractIds: [TOKEN], variableKeys: [] },
  });
});

test('includes direct and indirect references, in chain order', async () => {
  await apply(store, [
    at(0, [callJson(), deploy('trait'), deploy('unrelated')]),
    at(1, [
      deploy('vault', `(use-trait t '${ADDRESS}.trait.t)`, { by: OTHER_ADDRESS }),
      deploy('base', '(contract-call? .trait f)'),
    ]),
    at(2, [
      deploy('token', `(impl-trait '${ADDRESS}.trait.t) (contract-call? '${OTHER}.vault f) (contract-call? .base f)`),
    ]),
  ]);
  expect(await dependencies()).toEqual(['trait', 'vault', 'base']);
});

test("resolves .name to a contract of the source's deployer", async () => {
  await apply(store, [
    at(0, [deploy('lib', '(print 1)', { by: OTHER_ADDRESS }), deploy('lib', '(print 2)')]),
    at(1, [deploy('vault', '(contract-call? .lib f)', { by: OTHER_ADDRESS })]),
    at(2, [deploy('token', `(contract-call? '${OTHER}.vault f)`)]),
  ]);
  expect(await deployed()).toMatchObject([
    { contractId: `${OTHER}.lib` },
    { contractId: `${OTHER}.vault` },
    { contractId: TOKEN },
  ]);
});

test('leaves out contracts that are later, not canonical or missing', async () => {
  const source = '(list .later .fork .none .same-block .token .micro "\'.text")';
  await apply(store, [
    at(0, []),
    at(1, [deploy('same-block'), deploy('token', source), deploy('later')]),
    at(1, [deploy('fork')], { id: 'fork' }),
    at(2, []),
    microblocks(2, [deploy('micro')]),
  ]);
  expect(await dependencies()).toEqual(['same-block']);
});

test('stops at contracts that refer to each other', async () => {
  await apply(store, [
    at(0, [deploy('a', '(list .b .token)'), deploy('b', '(list .a)'), deploy('token', '(list .b)')]),
  ]);
  expect(await dependencies()).toEqual(['a', 'b']);
});

test('cuts off a very long chain of references', async () => {
  // These deploys are unsigned, since signing them would take longer than the rest of the test.
  const chain = Array.from({ length: 300 }, (_, index) => deployJson(`${ADDRESS}.c${index}`, `(list .c${index - 1})`));
  await apply(store, [at(0, chain), at(1, [deploy('token', '(list .c299)')])]);
  expect((await dependencies()).length).toBeLessThan(300);
});

test('includes a dependency whose index in the block differs on another fork', async () => {
  const dependency = deploy('dependency');
  await apply(store, [at(0, []), at(1, [callJson(), callJson({ nonce: 1 }), dependency])]);
  expect((await mustRead(store, `${ADDRESS}.dependency`)).txIndex).toBe(2);
  const fork = at(1, [dependency, deploy('token', '(list .dependency)')], { id: 'b1' });
  await apply(store, [fork, at(2, [], { id: 'b2', parent: 'b1' })]);
  expect(await dependencies()).toEqual(['dependency']);
});

test.each([
  ['the version of the transaction, and the epoch of the burn height', { clarityVersion: 1 }, 870_000, 1, '3.0'],
  ['the last epoch of the version if the epoch is unknown', { clarityVersion: 3 }, 1, 3, '3.2'],
] as const)('uses %s', async (_, options, burnHeight, clarityVersion, epoch) => {
  await apply(store, [at(0, [deploy('token', '(print 1)', options)], { burnHeight })]);
  expect(await deployed()).toMatchObject([{ clarityVersion, epoch }]);
});

test.each([
  ['an unknown epoch', { interface: { ...EMPTY_INTERFACE, epoch: 'Epoch41', clarity_version: 'Clarity6' } }, 6],
  ['an unknown version', { clarityVersion: 9 }, 6],
  ['no version', {}, 6],
] as const)('evaluates %s under the newest rules, with a reason', async (_, options, clarityVersion) => {
  await apply(store, [at(0, [deploy('token', '(print 1)', options)], { burnHeight: 1 })]);
  expect(await deployed()).toMatchObject([{ clarityVersion, epoch: '4.0' }]);
  const reasons = [...(await plan()).unproven].map(([getter, { code }]) => [getter, code]);
  expect(reasons).toEqual(TOKEN_GETTERS.map((getter) => [getter, 'epoch-unknown']));
});

test('has a reason for each value once another contract was deployed in an unknown epoch', async () => {
  const unknown = { ...EMPTY_INTERFACE, epoch: 'Epoch41', clarity_version: 'Clarity6' };
  await apply(store, [at(0, [deploy('token')])]);
  expect((await plan()).unproven).toEqual(new Map());
  await apply(store, [at(1, [deploy('other', '(print 1)', { interface: unknown })])]);
  const reasons = [...(await plan()).unproven].map(([getter, { code }]) => [getter, code]);
  expect(reasons).toEqual(TOKEN_GETTERS.map((getter) => [getter, 'epoch-unknown']));
  await apply(store, [at(1, [], { id: 'b1' }), at(2, [], { id: 'b2', parent: 'b1' })]);
  expect((await plan()).unproven).toEqual(new Map());
});

test.each([
  [1, '(map + (var-get list-a) (list u1 u2))', ['vm-outdated']],
  [960_230, '(map + (var-get list-a) (list u1 u2))', ['vm-outdated']],
  [960_230, '(map no (var-get list-a))', []],
  [960_229, '(map + (var-get list-a) (list u1 u2))', []],
])('reports at burn height %i for %s the reasons %j', async (burnHeight, mapped, reasons) => {
  const source = `(define-data-var list-a (list 3 uint) (list)) (define-private (no (n uint)) n)
    (define-read-only (get-name) (ok ${mapped}))`;
  await apply(store, [at(0, [deploy('token', source, { clarityVersion: 2 })], { burnHeight })]);
  const { unproven } = await plan();
  expect([...unproven.values()].map(({ code }) => code)).toEqual(reasons);
});
