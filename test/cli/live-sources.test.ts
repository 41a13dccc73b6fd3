// Tests the command `index` with a node and an API.
import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cannedToken } from '../support/canned-token.ts';
import { chainListener, chainOf } from '../support/chain-listener.ts';
import { ft } from '../support/index-of-servers.ts';
import { TOKEN_INTERFACE } from '../support/interfaces.ts';
import { loopbackServer } from '../support/loopback-server.ts';
import { endOf, expectRefused, okOf, runCli, runWarm, spawnCli, statusOf, untilIndexing } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { blockLine, deployJson, idOf } from '../support/transactions.ts';
import {
  apiOf,
  built,
  callPaths,
  contractPath,
  folderWith,
  GETTERS,
  indexFrom,
  LIST,
  listenerOf,
} from './canned-api.ts';

describe('--contracts', () => {
  test('default', async () => {
    const cwd = tempFolder();
    const api = await apiOf(['token', 'other', 'third']);
    writeFileSync(join(cwd, 'a.txt'), `# two of them\r\n${idOf('token')} # the first\r\n\r\n${idOf('other')}`);
    writeFileSync(join(cwd, 'b.txt'), `${idOf('other')}\n${idOf('third')}\n`);
    const lists = ['--contracts', 'a.txt', '--contracts', 'b.txt'];
    const indexed = await runWarm(['index', '--api-url', `${api.url}/`, ...lists], { cwd });
    expect(indexed).toMatchObject({
      status: 0,
      stdout:
        'contracts from the API: 3 done\ntokens from the node: 3 done\n' +
        'New responses for 3 contracts and 3 tokens.\nThe index is data/index.sqlite.\n',
      stderr: expect.stringContaining(`No rate limit for ${api.url} (set one with --rate).`),
    });
    const tree = await built(cwd);
    for (const name of ['token', 'other', 'third'])
      expect(JSON.parse(tree.get(ft(name)) ?? '')).toMatchObject({ name: `Token ${name}`, total_supply: '1000' });
    expect(api.requests.filter((path) => path === contractPath('other'))).toHaveLength(1);
  });

  test('reads the list from standard input, also if it arrives late', async () => {
    const cwd = tempFolder();
    const api = await apiOf(['token']);
    const args = ['index', '--api-url', api.url, '--contracts', '-'];
    const child = spawnCli(args, { cwd });
    const timer = setTimeout(() => child.stdin?.end(`${idOf('token')}\n`), 1_200);
    expect(await endOf(child)).toMatchObject({ status: 0 });
    clearTimeout(timer);
    expect((await built(cwd)).has(ft('token'))).toBe(true);
    expectRefused(await runCli(args, { cwd, input: 'no id\n' }), 'standard input:1: "no id" is not a contract id');
  });

  test('status --failures lists a contract that the API does not know', async () => {
    const cwd = folderWith(['token', 'unknown']);
    const api = await apiOf(['token']);
    expect(await runWarm(indexFrom(api.url), { cwd })).toMatchObject({ status: 0 });
    const { stdout } = await runWarm(['status', '--failures'], { cwd });
    expect(stdout).toContain(`${idOf('unknown')} contract: http-404: The API does not know ${idOf('unknown')}.`);
    expect(stdout).toContain(`API ${api.url}: 1 contract read, 1 unknown to it`);
    expect(await statusOf(cwd)).toMatchObject({ source: { apiUrl: api.url }, reports: { known: 1, unknown: 1 } });
  });

  test('SIP-019, Other implications: --rate spaces requests', async () => {
    const cwd = folderWith(['one', 'two']);
    const arrivals: number[] = [];
    const listener = listenerOf(['one', 'two']);
    const api = await loopbackServer((request, response) => {
      arrivals.push(performance.now());
      listener(request, response);
    });
    const indexed = await runWarm(indexFrom(api.url, '--rate', '600'), { cwd });
    expect(indexed).toMatchObject({ status: 0, stderr: expect.stringContaining(': 600 requests per minute') });
    expect(arrivals).toHaveLength(1 + 2 * (1 + GETTERS.length));
    const [first = 0, last = 0] = [arrivals[0], arrivals.at(-1)];
    expect((last - first) / (arrivals.length - 1)).toBeGreaterThan(80);
  });
});

describe("the API's token list", () => {
  test('a run reports the number of changed responses, or that no response changed', async () => {
    const cwd = tempFolder();
    const listed = { name: 'Listed', symbol: 'L', decimals: 6, total_supply: '7', token_uri: 'data:,{}' };
    let listener: RequestListener;
    const list = (name: string) => {
      listener = chainListener(chainOf([cannedToken('token', undefined, { listed: { ...listed, name } })]));
    };
    const api = await loopbackServer((request, response) => listener(request, response));
    const discover = async () =>
      (await runWarm(['index', '--api-url', api.url, '--discover', 'ft', '--rate', '6000'], { cwd })).stdout;
    list('Listed');
    expect(await discover()).toContain('New responses for 1 contract and 1 token.');
    list('Renamed');
    const rest = 'The index is data/index.sqlite.\n';
    expect(await discover()).toBe(`pages of the token list: 1 done\nNew responses for 1 token.\n${rest}`);
    expect(await discover()).toBe(`pages of the token list: 1 done\nNo response changed.\n${rest}`);
    expect((await runWarm(['index'], { cwd })).stdout).toBe(`There was nothing to do.\n${rest}`);
  });
});

describe('a run without a source', () => {
  test('continues with the stored API, without repeating requests', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const held = ['c', 'f'];
    const cwd = folderWith(names);
    const listener = listenerOf(names);
    let holds = true;
    const api = await loopbackServer((request, response) => {
      if (!holds || !held.some((name) => request.url === contractPath(name))) listener(request, response);
    });
    const first = spawnCli(indexFrom(api.url), { cwd });
    const ended = endOf(first);
    await untilIndexing(cwd);
    const isHeld = (pending: Record<string, number>) => pending.contracts === held.length && pending.values === 0;
    while (!isHeld((await statusOf(cwd)).pending as Record<string, number>));
    first.kill('SIGINT');
    const { status, stdout } = await ended;
    expect(status).toBe(75);
    const work = 'contracts from the API: 4 done, 2 left (run again later)\ntokens from the node: 4 done\n';
    expect(stdout).toContain(work);
    expect(stdout).toContain('Interrupted: the same command');
    expect((await runWarm(['status'], { cwd })).stdout).toContain('Pending    contracts from the API: 2\n');
    const tree = await built(cwd);
    expect(names.filter((name) => tree.has(ft(name)))).toEqual(['a', 'b', 'd', 'e']);

    holds = false;
    const before = api.requests.length;
    const second = await runWarm(['index', '--db', 'data/index.sqlite'], { cwd });
    expect(second).toMatchObject({ status: 0, stderr: expect.stringContaining('continuing with the remaining jobs') });
    expect(api.requests.slice(before).sort()).toEqual(
      ['/v2/info', ...held.flatMap((name) => [contractPath(name), ...callPaths(name)])].sort(),
    );
    expect(await statusOf(cwd)).toMatchObject({ pending: { contracts: 0, values: 0 }, source: { apiUrl: api.url } });
  });

  test('continues a run that was stopped before the API responded', async () => {
    const cwd = folderWith(['token']);
    const { promise: requested, resolve: onRequest } = Promise.withResolvers<void>();
    let listener: RequestListener = () => onRequest();
    const api = await loopbackServer((request, response) => listener(request, response));
    const stopped = new AbortController();
    const ended = runWarm(indexFrom(api.url), { cwd, signal: stopped.signal });
    await requested;
    stopped.abort();
    expect((await ended).status).toBe(75);
    listener = listenerOf(['token']);
    await runWarm(['index', '--db', 'data/index.sqlite'], { cwd });
    expect((await built(cwd)).has(ft('token'))).toBe(true);
  });

  test('--refresh reads all tokens again, or the named ones', async () => {
    const names = ['one', 'two', 'three'];
    const cwd = folderWith(names);
    const api = await apiOf(names);
    expect(await runWarm(indexFrom(api.url), { cwd })).toMatchObject({ status: 0 });
    const readAgain = async (...principals: readonly string[]) => {
      const before = api.requests.length;
      expect(await runWarm(['index', '--refresh', ...principals, '--quiet'], { cwd })).toMatchObject({ status: 0 });
      return api.requests.slice(before).filter((path) => path !== '/v2/info');
    };
    expect((await readAgain()).sort()).toEqual(names.flatMap(callPaths).sort());
    expect(await readAgain(idOf('two'))).toEqual(callPaths('two'));
    expect((await readAgain(idOf('one'), idOf('three'))).sort()).toEqual(['one', 'three'].flatMap(callPaths).sort());
    const refused = await runWarm(['index', '--refresh', idOf('one'), idOf('four')], { cwd });
    expectRefused(refused, `--refresh names ${idOf('four')}, and the index has no such token`);
  });
});

const HTML = '<!DOCTYPE html><html><body>Welcome</body></html>';
const PAGE = /http:\S+\/v2\/info returned an HTML page \(status \d+\)\. Pass the URL of a Stacks node or API/;

describe('an unavailable API', () => {
  const archive = () => {
    const deploy = deployJson('archived', '(define-fungible-token t)', {
      clarityVersion: 2,
      interface: TOKEN_INTERFACE,
    });
    return blockLine({ id: 1, parent: 0, height: 0, transactions: [deploy] });
  };

  test.each<[string, RegExp, RequestListener, number?]>([
    ['closes connections', /could not be reached/, (request) => request.socket.destroy()],
    ['fails', /responded with status 500: oh no/, (_, response) => response.writeHead(500).end('oh no')],
    ['is busy', /requested a pause/, (_, response) => response.writeHead(429, { 'retry-after': '9' }).end()],
    ['returns pages', PAGE, (_, response) => response.writeHead(200).end(HTML), 1],
    ['lacks pages', PAGE, (_, response) => response.writeHead(404).end(HTML), 1],
    ['requires a key', /status 401\. Check --api-key\./, (_, response) => response.writeHead(401).end(), 1],
    [
      'refuses',
      /status 403: No entry\. Check --api-key\./,
      (_, response) => response.writeHead(403).end('No entry'),
      1,
    ],
    ['is gone', /status 410\./, (_, response) => response.writeHead(410).end(), 1],
    [
      'redirects',
      /It redirects to https:\/\/new\.example\/a\. Pass that URL instead\./,
      ({ url }, response) => response.writeHead(301, { location: `https://new.example/a${url}` }).end(),
      1,
    ],
    ['is not a web server', /it does not begin with a status/, ({ socket }) => socket.end('SSH-2.0\r\n'), 1],
  ])('indexes the archive, and keeps the work for an API that %s', async (_, why, down, status = 75) => {
    const cwd = folderWith(['token']);
    writeFileSync(join(cwd, 'chain.tsv'), archive());
    let listener = down;
    const api = await loopbackServer((request, response) => listener(request, response));
    const args = indexFrom(api.url, '--archive', 'chain.tsv', '--no-vm', '--wait', '0');
    const left = await runWarm(args, { cwd });
    expect(left.status).toBe(status);
    const effect = status === 75 ? 'is left for a later run' : 'cannot be used';
    expect(left.stderr).toContain(`warning: The node or API ${effect}: `);
    expect(left.stderr).toMatch(why);
    expect(left.stdout).toContain('Indexed 1 deploy in 1 new block.');
    expect(left.stdout).toContain('contracts from the API: 1 left (run again ');
    expect(await statusOf(cwd)).toMatchObject({
      pending: { contracts: 1 },
      contracts: { contracts: 1 },
      source: { apiUrl: api.url },
    });
    listener = listenerOf(['token', 'archived']);
    expect(okOf(await runWarm(['index', '--no-vm'], { cwd }))).toContain('1 contract');
    expect(await statusOf(cwd)).toMatchObject({ pending: { contracts: 0, values: 0 }, contracts: { contracts: 2 } });
  });

  test.each<[string, readonly string[], string, RegExp]>([
    ['the token list', ['--discover', 'ft'], '/metadata/v1/ft', /did not return the list of tokens .*\(status 404\)/],
    ['a contract', [], contractPath('token'), /responded with status 403: Denied\. Check --api-key\./],
  ])('does all other work, and ends with status 1, if an API refuses %s', async (_, args, refused, why) => {
    const cwd = folderWith(['token', 'other']);
    const listener = listenerOf(['token', 'other']);
    let isRefused = true;
    const api = await loopbackServer((request, response) => {
      if (!isRefused || !request.url?.startsWith(refused)) listener(request, response);
      else response.writeHead(args.length > 0 ? 404 : 403).end('Denied');
    });
    const left = await runWarm(indexFrom(api.url, '--no-vm', '--wait', '0', ...args), { cwd });
    expect([left.status, left.stderr]).toEqual([1, expect.stringMatching(why)]);
    expect(left.stdout).toContain('1 left (run again when the node or API can be used)');
    expect(await statusOf(cwd)).toMatchObject({ contracts: { contracts: args.length > 0 ? 2 : 1 } });
    isRefused = false;
    okOf(await runWarm(['index', '--no-vm'], { cwd }));
    expect(await statusOf(cwd)).toMatchObject({ contracts: { contracts: 2 } });
  });

  test('reports other-chain', async () => {
    const cwd = folderWith(['token']);
    const mainnet = await apiOf(['token']);
    const testnet = await apiOf(['token', 'new'], { networkId: 0x80000000 });
    await runWarm(indexFrom(mainnet.url), { cwd });
    writeFileSync(join(cwd, LIST), idOf('new'));
    const refused = await runWarm(indexFrom(testnet.url), { cwd });
    expectRefused(refused, 'belongs to chain 0x80000000, but the index holds chain 0x00000001');
    expect(testnet.requests).toEqual(['/v2/info']);
    expect(await statusOf(cwd)).toMatchObject({ pending: { contracts: 0 }, lastIndex: { outcome: 'other-chain' } });
    // The rejected API is not stored in the index, so this run does not use it.
    expect(okOf(await runWarm(['index'], { cwd }))).toContain('The index is data/index.sqlite.');
    expect(testnet.requests).toEqual(['/v2/info']);
  });
});
