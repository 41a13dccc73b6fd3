// Deploys around the start of an epoch must get the same responses in any order of sources, archives and blocks.
import { expect, test } from 'vitest';
import type { LiveContract } from '../support/chain-listener.ts';
import { indexOfServers } from '../support/index-of-servers.ts';
import { EMPTY_INTERFACE } from '../support/interfaces.ts';
import { ADDRESS, blockLine, deployJson, type Json } from '../support/transactions.ts';

const interfaceOf = (epoch: string, version: number) => ({
  ...EMPTY_INTERFACE,
  epoch: `Epoch${epoch}`,
  clarity_version: `Clarity${version}`,
});
const sourceOf = (name: string) => `(define-constant ${name} u1)`;

interface Deployed {
  readonly name: string;
  readonly epoch: string;
  /** The Clarity version that the index must serve. The transaction contains it only if `isVersioned` is true. */
  readonly version: number;
  readonly isVersioned?: boolean;
  readonly status?: string;
}

function deployOf({ name, epoch, version, isVersioned, status }: Deployed, hasInterface: boolean): Json {
  return deployJson(name, sourceOf(name), {
    ...(isVersioned === true ? { clarityVersion: version } : {}),
    ...(status === undefined ? {} : { status }),
    interface: hasInterface ? interfaceOf(epoch, version) : null,
  });
}

interface Block {
  readonly id: string;
  readonly parent: string;
  readonly height: number;
  readonly burnHeight: number;
  readonly deploys: readonly Deployed[];
}

const block = (id: string, parent: string, height: number, burnHeight: number, ...deploys: Deployed[]): Block => ({
  ...{ id, parent, height, burnHeight, deploys },
});
const deployed = (name: string, epoch: string, version: number, more: Partial<Deployed> = {}): Deployed => ({
  ...{ name, epoch, version },
  ...more,
});

/**
 * Blocks around the start of epoch 4.0. The deploy of `moved` is in epoch 3.4 on a fork, but in epoch 4.0 on the
 * canonical chain.
 */
const CHAIN: readonly Block[] = [
  block('m0', 'none', 0, 960_228, deployed('before', '34', 5)),
  block('m1', 'm0', 1, 960_229, deployed('last', '34', 5), deployed('old', '34', 2, { isVersioned: true })),
  block('f2', 'm1', 2, 960_229, deployed('moved', '34', 5)),
  block('m2', 'm1', 2, 960_230, deployed('first', '40', 6), deployed('newest', '40', 6, { isVersioned: true })),
  block('m3', 'm2', 3, 960_231, deployed('moved', '40', 6), deployed('older', '40', 1, { isVersioned: true })),
  block('m4', 'm3', 4, 960_232, deployed('failed', '40', 6, { status: 'abort_by_response' })),
];
const VERSIONS = { before: 5, last: 5, old: 2, first: 6, newest: 6, moved: 6, older: 1 };

type Lines = readonly string[];
const linesOf = (blocks: readonly Block[], hasInterfaces: boolean): Lines =>
  blocks.map(({ deploys, ...rest }) =>
    blockLine({ ...rest, transactions: deploys.map((deploy) => deployOf(deploy, hasInterfaces)) }),
  );
const WITH = linesOf(CHAIN, true);
const WITHOUT = linesOf(CHAIN, false);

/** The canonical contracts of {@link CHAIN}, as an API reports them. */
const REPORTED = CHAIN.filter(({ id }) => id !== 'f2').flatMap(({ height, deploys }) =>
  deploys.flatMap((deploy): LiveContract[] =>
    deploy.status !== undefined
      ? []
      : [
          {
            contractId: `${ADDRESS}.${deploy.name}`,
            sourceCode: sourceOf(deploy.name),
            abi: interfaceOf(deploy.epoch, deploy.version),
            txId: String(deployOf(deploy, true).txid),
            blockHeight: height,
            clarityVersion: deploy.version,
          },
        ],
  ),
);
const API = 'api';

async function siteOf(runs: readonly (Lines | typeof API)[], vm = false) {
  const world = await indexOfServers(REPORTED, { tipHeight: 4 });
  for (const [index, input] of runs.entries())
    if (input === API) await world.run({ contracts: REPORTED.map(({ contractId }) => contractId), vm });
    else await world.run({ archives: [world.archive(input, `${index}.tsv`)], source: undefined, vm });
  const tree = await world.build();
  const site = [...tree].filter(([path]) => /^(?:extended\/v1\/contract|v2\/contracts\/interface)\//.test(path));
  return { warnings: world.warnings, site: Object.fromEntries(site) };
}

const versionsIn = (site: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.keys(VERSIONS).map((name) => {
      const info = JSON.parse(site[`extended/v1/contract/${ADDRESS}.${name}`] ?? 'null');
      return [name, info.clarity_version];
    }),
  );
const oneByOne = (lines: Lines): Lines[] => lines.map((line) => [line]);

test('serves the versions that the chain had', async () => {
  const expected = await siteOf([WITH]);
  expect(versionsIn(expected.site)).toEqual(VERSIONS);
  expect(Object.keys(expected.site)).toHaveLength(2 * Object.keys(VERSIONS).length);
});

test.each([
  ['the interfaces arrive later', [WITHOUT, WITH]],
  ['an archive without interfaces follows', [WITH, WITHOUT]],
  ['each block has its own run', oneByOne(WITH)],
  ['blocks arrive in reverse', oneByOne(WITH.toReversed())],
  ['blocks arrive in reverse, and their interfaces later', [...oneByOne(WITHOUT.toReversed()), WITH]],
  ['the interfaces arrive in reverse', [WITHOUT, ...oneByOne(WITH.toReversed())]],
  ['the API is first', [API, WITH]],
  ['the API is last', [WITH, API]],
  ['the API is in between', [WITHOUT, API, WITH]],
  ['the API is first, and blocks arrive in reverse', [API, ...oneByOne(WITH.toReversed())]],
] as const)('serves the same responses if %s', async (_, runs) => {
  const { site, warnings } = await siteOf(runs as readonly (Lines | typeof API)[]);
  expect(site).toEqual((await siteOf([WITH])).site);
  // Warnings about blocks that arrive before their parents are expected.
  expect(warnings.filter((message) => !message.includes('The parent'))).toEqual([]);
});

test.each([
  ['at once', [WITHOUT]],
  ['block by block', oneByOne(WITHOUT)],
  ['in reverse', oneByOne(WITHOUT.toReversed())],
] as const)('derives the versions without interfaces, %s', async (_, runs) => {
  const { site } = await siteOf(runs as readonly Lines[]);
  expect(versionsIn(site)).toEqual(VERSIONS);
});
