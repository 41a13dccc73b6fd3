// Tests `stxpress compare` with APIs that agree with the index, that differ from it in each possible way, or that fail.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cl } from '@stacks/transactions';
import { expect, onTestFinished, test } from 'vitest';
import type { Comparison } from '#compare/compare-api.ts';
import { cannedToken } from '../support/canned-token.ts';
import { chainListener, chainOf, type LiveContract } from '../support/chain-listener.ts';
import { withFirstFaults } from '../support/faults.ts';
import { ft, indexOfServers, parse } from '../support/index-of-servers.ts';
import { loopbackServer } from '../support/loopback-server.ts';
import { type CliResult, expectRefused, runWarm } from '../support/run-cli.ts';
import { indexSample, PRESSER } from '../support/sample.ts';
import { serveSample } from '../support/served-sample.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { ADDRESS } from '../support/transactions.ts';

type Compared = Comparison & Pick<CliResult, 'status'>;

const NAMES = ['same', 'absent', 'stale', 'described', 'copied', 'silent', 'moved'];

/** Creates an index of some tokens, and an API whose responses differ for nearly all of them. */
async function unlikeWorld() {
  const error = { call: () => ({ result: `0x${Cl.serialize(Cl.error(Cl.uint(1)))}` }) };
  const tokens = NAMES.map((name) => cannedToken(name, undefined, name === 'silent' ? error : {}));
  const world = await indexOfServers(tokens);
  const list = join(world.folder, 'contracts.txt');
  writeFileSync(list, tokens.map(({ contractId }) => `${contractId}\n`).join(''));
  await world.run({ contracts: tokens.map(({ contractId }) => contractId) });
  const tree = await world.build();
  const ours = (name: string) => parse(tree, ft(name)) as Record<string, unknown>;
  const bodies: Record<string, object | undefined> = {
    same: { ...ours('same'), token_uri: null, description: '' },
    stale: { ...ours('stale'), total_supply: '999' },
    described: { ...ours('described'), description: 'A token', metadata: { sip: 16, name: 'Described' } },
    copied: { ...ours('copied'), image_uri: 'https://assets.example.org/1.png' },
    silent: { ...ours('same'), asset_identifier: `${ADDRESS}.silent::coin` },
    moved: ours('moved'),
  };
  world.chain = chainOf(
    tokens.map((token, index): LiveContract => {
      const name = NAMES[index] ?? '';
      const body = bodies[name];
      const answer = body === undefined ? {} : { token: { status: 200, body } };
      return { ...token, ...answer, ...(name === 'moved' ? { blockHeight: 2 } : {}) };
    }),
  );
  const compare = async (url: string, ...more: string[]): Promise<Compared> => {
    const args = ['compare', url, '--db', join(world.folder, 'index.sqlite'), '--json', ...more];
    const { status, stdout, stderr } = await runWarm(args, { cwd: world.folder });
    expect(stderr).toBe('');
    return { status, ...(JSON.parse(stdout) as Comparison) };
  };
  return { ...world, server: world.server, list, compare, chain: () => world.chain };
}

const verdictsOf = ({ responses }: Compared) =>
  new Map(
    responses.map(({ path, verdict, fields }) => [path, [verdict, ...fields.map(({ field }) => field)].join(' ')]),
  );

test('finds no difference in a site of the same index, with the same sample each time', async () => {
  const folder = tempFolder();
  await indexSample(join(folder, 'index.sqlite'));
  const served = await serveSample(folder);
  onTestFinished(() => void served.server.close());
  const requests: string[] = [];
  served.server.on('request', ({ url = '' }) => requests.push(url));
  const compare = (...more: string[]) =>
    runWarm(['compare', served.base, '--db', 'index.sqlite', ...more], { cwd: folder });
  const all = await compare();
  expect([all.status, all.stderr]).toEqual([0, '']);
  expect(all.stdout).toContain(
    `responses of ${served.base} compared; its tip is block 7, the tip of the index is block 7.\n`,
  );
  for (const route of ['token-metadata', 'nft-metadata', 'sft-metadata', 'contract-info', 'contract-interface'])
    expect(all.stdout).toMatch(new RegExp(`^${route} +[1-9]\\d* +0 +0 +0$`, 'm'));
  const samples: string[][] = [];
  for (const _ of [1, 2]) {
    requests.length = 0;
    await compare('--sample', '7');
    samples.push(requests.toSorted());
  }
  expect(samples[0]).toHaveLength(7 + 2);
  expect(samples[0]).toEqual(samples[1]);
  // If both the index and the API lack a contract, this is not a difference.
  writeFileSync(join(folder, 'list.txt'), `${PRESSER}.nobody\n`);
  expect((await compare('--contracts', 'list.txt')).status).toBe(0);
});

test('classifies every difference, with the reason for a value that the index lacks', async () => {
  const { compare, server, list } = await unlikeWorld();
  const compared = await compare(server.url, '--contracts', list);
  expect(compared).toMatchObject({ status: 1, tip: { ours: 200_000, theirs: 200_000 }, failures: [] });
  const verdicts = verdictsOf(compared);
  expect(Object.fromEntries(NAMES.map((name) => [name, verdicts.get(ft(name))]))).toEqual({
    same: 'same',
    absent: 'theirs-missing',
    stale: 'differ total_supply',
    described: 'ours-missing description metadata.sip metadata.name',
    copied: 'same',
    silent: 'ours-missing',
    moved: 'same',
  });
  expect(verdicts.get(`extended/v1/contract/${ADDRESS}.moved`)).toBe('differ block_height');
  expect(verdicts.get(`extended/v1/contract/${ADDRESS}.same`)).toBe('same');
  expect(verdicts.get(`v2/contracts/interface/${ADDRESS}/same`)).toBe('same');
  const responseOf = (name: string) => compared.responses.find(({ path }) => path === ft(name));
  expect(responseOf('described')?.fields[0]).toEqual({
    field: 'description',
    verdict: 'ours-missing',
    theirs: 'A token',
    reason: 'The token has no metadata URI.',
  });
  expect(responseOf('silent')?.reason).toContain('No on-chain value could be read: get-name returned (err u1)');
});

type Body = Readonly<Record<string, unknown>>;

/**
 * Compares the index of a token with an API at the height `tipHeight`. `edit` changes the API's response for the token.
 */
async function differingBy(edit: (body: Body) => Body | undefined, tipHeight: number) {
  const token = cannedToken('token', 'data:,{"name":"Token","description":"Described"}');
  const world = await indexOfServers([token]);
  await world.run({ contracts: [token.contractId] });
  const edited = edit(parse(await world.build(), ft('token')) as Body);
  world.chain = chainOf([{ ...token, ...(edited && { token: { status: 200, body: edited } }) }], { tipHeight });
  const list = join(world.folder, 'contracts.txt');
  writeFileSync(list, `${token.contractId}\n`);
  const args = ['compare', world.server.url, '--db', join(world.folder, 'index.sqlite'), '--contracts', list, '--json'];
  const { status, stdout } = await runWarm(args, { cwd: world.folder });
  const { responses } = JSON.parse(stdout) as Comparison;
  return { status, verdict: responses.find(({ path }) => path === ft('token'))?.verdict };
}

const EDITS = {
  'the same answer': (body: Body) => body,
  'other decimals': (body: Body) => ({ ...body, decimals: 18 }),
  'another document': (body: Body) => ({ ...body, metadata: { name: 'Other' } }),
  'no decimals': ({ decimals, ...body }: Body) => body,
  'no answer': () => undefined,
  'a member more': (body: Body) => ({ ...body, more: 1 }),
};
type Edit = keyof typeof EDITS;

test.each(Object.keys(EDITS) as Edit[])('compares with an API at the same block, with %s', async (edit) => {
  expect(await differingBy(EDITS[edit], 200_000)).toMatchObject({ status: edit === 'the same answer' ? 0 : 1 });
});

test.each<[Edit, string, number]>([
  ['other decimals', 'differ', 1],
  ['no decimals', 'theirs-missing', 0],
  ['no answer', 'theirs-missing', 0],
  ['a member more', 'ours-missing', 1],
])('compares with an API one block below the index, with %s', async (edit, verdict, status) => {
  expect(await differingBy(EDITS[edit], 199_999)).toEqual({ status, verdict });
});

test('retries failed requests to an API, with the same result', async () => {
  const { compare, server, list, chain } = await unlikeWorld();
  const faulty = await loopbackServer(
    withFirstFaults((request, response) => chainListener(chain())(request, response), {
      every: 2,
      seed: 3,
      retryAfterSeconds: 0,
      slowMs: 100,
    }),
  );
  const [right, troubled] = [
    await compare(server.url, '--contracts', list),
    await compare(faulty.url, '--contracts', list, '--concurrency', '2'),
  ];
  expect(faulty.requests.length).toBeGreaterThan(new Set(faulty.requests).size);
  expect({ ...troubled, url: '' }).toEqual({ ...right, url: '' });
});

test('reports failed requests with status 75, not as differences', async () => {
  const { compare, chain, list } = await unlikeWorld();
  writeFileSync(list, `${ADDRESS}.same\n`);
  const bad: Record<string, string> = {
    [ft('same')]: '{"name":"Li',
    [`extended/v1/contract/${ADDRESS}.same`]: '',
  };
  const server = await loopbackServer((request, response) => {
    const text = bad[request.url?.slice(1) ?? ''];
    if (text === undefined) chainListener(chain())(request, response);
    else response.writeHead(text === '' ? 503 : 200).end(text);
  });
  const compared = await compare(server.url, '--contracts', list);
  expect(compared.status).toBe(75);
  expect(compared.responses.map(({ verdict }) => verdict)).toEqual(['same']);
  expect(compared.failures.map(({ path, code }) => [path, code])).toEqual([
    [`extended/v1/contract/${ADDRESS}.same`, 'http-503'],
    [ft('same'), 'source-invalid'],
  ]);
});

test('reports other-chain, for a server or a site of another chain', async () => {
  const folder = tempFolder();
  await indexSample(join(folder, 'index.sqlite'));
  const contractId = 'SP000000000000000000002Q6VF78.pox';
  for (const [body, message] of [
    [{ network_id: 1, stacks_tip_height: 7 }, 'serves chain 0x00000001, '],
    [
      { chain_tip: { block_height: 7 }, newest_contracts: [{ contract_id: contractId }] },
      `serves contracts of mainnet, such as ${contractId}, `,
    ],
  ] as const) {
    const server = await loopbackServer((_, response) => response.end(JSON.stringify(body)));
    const refused = await runWarm(['compare', server.url, '--db', 'index.sqlite'], { cwd: folder });
    expectRefused(refused, `${message}but the index has chain 0x53545850. Name`);
  }
});
