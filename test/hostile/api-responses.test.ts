// Indexes tokens from hostile APIs, nodes and web servers. A hostile response must fail only the job that requested it,
// stay within the memory limit, and not forge output.
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readChainFailures } from '#store/chain/chain-log.ts';
import { openIndex, type Store } from '#store/index-database.ts';
import { listFailures } from '#store/status/list-failures.ts';
import { cannedToken } from '../support/canned-token.ts';
import { chainListener, chainOf } from '../support/chain-listener.ts';
import { DEEP } from '../support/json-client.ts';
import { loopbackServer } from '../support/loopback-server.ts';
import { runWarm } from '../support/run-warm.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { ADDRESS, idOf } from '../support/transactions.ts';
import { FORGERY, HOSTILE_CASES, withoutSource } from './api-responses.ts';
import { runMeasured } from './run-measured.ts';

const MAX_PEAK_BYTES = 512_000_000;
const HONEST = 'honest';
// These timeouts are short because of silent servers, but long enough for a busy machine.
const LIMITS = ['--connect-timeout', '5', '--idle-timeout', '2', '--total-timeout', '8', '--wait', '4'];
// biome-ignore lint/suspicious/noControlCharactersInRegex: output must not contain these characters
const FORGED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066]|^\W*FORGED/m;

const pathOf = (index: number) => `/metadata/v1/ft?limit=60&offset=${60 * index}`;

/** Returns a listener that passes a request to the listener of its path. `otherwise` handles other paths. */
function routed(
  listeners: ReadonlyMap<string, RequestListener>,
  otherwise: RequestListener = (_, response) => void response.writeHead(404).end(),
): RequestListener {
  return (request, response) => (listeners.get(request.url ?? '') ?? otherwise)(request, response);
}

/**
 * Starts an API with a contract for each case, its node, and the web servers of the token URIs. Returns the arguments
 * of the index run, and the case of each list page.
 */
async function startServers(): Promise<{ readonly args: readonly string[]; readonly pages: readonly string[] }> {
  const webListeners = new Map<string, RequestListener>([
    [`/${HONEST}`, (_, response) => void response.end('{"name":"Honest"}')],
  ]);
  const serve = () => loopbackServer(routed(webListeners));
  const servers = { web: await serve(), silent: await serve(), busy: await serve() };
  const { web } = servers;
  const apiListeners = new Map<string, RequestListener>();
  const pages: string[] = [];
  const contracts = [cannedToken(HONEST, `${web.url}/${HONEST}`)];
  for (const { name, at, respond = () => {} } of HOSTILE_CASES) {
    if (typeof at === 'object') contracts.push(cannedToken(name, at.uri.replace('{host}', web.host)));
    else if (at === 'list') apiListeners.set(pathOf(pages.push(name)), respond);
    else if (at === 'web' || at === 'silent' || at === 'busy') {
      contracts.push(cannedToken(name, `${servers[at].url}/${name}`));
      webListeners.set(`/${name}`, respond);
    } else {
      contracts.push(cannedToken(name, undefined, at === 'interface' || at === 'abi' ? { abi: undefined } : {}));
      const about = `/extended/v1/contract/${idOf(name)}`;
      const nodePath = (endpoint: string) => `/v2/contracts/${endpoint}/${ADDRESS}/${name}`;
      const paths = {
        contract: about,
        abi: about,
        source: `${nodePath('source')}?proof=0`,
        interface: nodePath('interface'),
        'get-name': `${nodePath('call-read')}/get-name`,
      };
      apiListeners.set(paths[at], respond);
      if (at === 'source') apiListeners.set(about, withoutSource);
    }
  }
  // The first page of the list is full, so that the next pages, which are the cases of lists, are requested too.
  const results = Array.from({ length: 60 }, (_, index) => ({
    contract_principal: contracts[index % contracts.length]?.contractId,
  }));
  expect(contracts.length).toBeLessThanOrEqual(results.length);
  const first = JSON.stringify({ limit: 60, offset: 0, total: 60 * (pages.length + 1), results });
  apiListeners.set(pathOf(0), (_, response) => void response.end(first));
  const api = await loopbackServer(routed(apiListeners, chainListener(chainOf(contracts))));
  const allowed = Object.values(servers).flatMap(({ host }) => ['--allow-host', host]);
  return { args: ['index', '--api-url', api.url, '--discover', 'ft', ...allowed, ...LIMITS], pages };
}

/** Returns the failure codes that the index stores, by the name of the case. */
async function recordedCodes(store: Store, pages: readonly string[]): Promise<Map<string, string[]>> {
  const codesByCase = new Map<string, Set<string>>();
  const add = (subject: string, code: string) => {
    // Every case without a token URI also has this code.
    if (code === 'no-uri') return;
    const page = /^token list from (\d+)$/.exec(subject)?.[1];
    const name = page === undefined ? subject.replace(idOf(''), '') : (pages[Number(page) / 60 - 1] ?? 'first page');
    codesByCase.set(name, (codesByCase.get(name) ?? new Set()).add(code));
  };
  for (const { contractId, what, code } of await listFailures(store)) add(contractId || what, code);
  for (const { subject, code } of await readChainFailures(store, 1_000)) add(subject, code);
  return new Map([...codesByCase].map(([name, codes]) => [name, [...codes]]));
}

describe('hostile APIs, nodes and web servers', () => {
  test('fails only the job of each hostile response, within the memory limit', async () => {
    const cwd = tempFolder();
    const { args, pages } = await startServers();
    const indexed = await runMeasured(args, { cwd });
    expect(indexed).toMatchObject({ status: 75, stderr: expect.not.stringContaining('bug') });
    const store = await openIndex(join(cwd, 'data', 'index.sqlite'));
    const codes = await recordedCodes(store, pages);
    const jobs = await store.selectFrom('job').select('job_id').where('failure_code', '=', 'bug').execute();
    await store.destroy();
    const outcomes = (select: (hostile: (typeof HOSTILE_CASES)[number]) => string | undefined) =>
      Object.fromEntries(HOSTILE_CASES.map((hostile) => [hostile.name, select(hostile)]));
    expect(outcomes(({ name }) => codes.get(name)?.join(', '))).toEqual(outcomes(({ failureCode }) => failureCode));
    expect(codes.has(HONEST)).toBe(false);
    expect(jobs).toEqual([]);

    const text = await runWarm(['status', '--failures'], { cwd });
    const json = await runWarm(['status', '--json', '--failures'], { cwd });
    const logged = await runWarm([...args, '--wait', '0', '--log', 'json'], { cwd });
    for (const { stdout, stderr } of [indexed, text, json, logged]) expect(stdout + stderr).not.toMatch(FORGED);
    expect(text.stdout).toContain('FORGED');
    const { listed } = JSON.parse(json.stdout) as { listed: { contractId: string; message: string }[] };
    expect(listed.find(({ contractId }) => contractId === idOf('call-cause-forged'))?.message).toContain('\\u009b1A');
    expect(indexed.peakBytes).toBeLessThan(MAX_PEAK_BYTES);
  });

  test.each([
    ['a body with forged lines', 500, FORGERY],
    ['a body too large for a tip', 200, `"${'x'.repeat(19_000_000)}"`],
    ['a deeply nested body', 200, DEEP],
  ])('leaves work to a later run if a server responds to everything with %s', async (_, status, body) => {
    const cwd = tempFolder();
    const api = await loopbackServer((_, response) => void response.writeHead(status).end(body));
    const args = ['index', '--api-url', api.url, '--discover', 'ft', '--wait', '0'];
    const indexed = await runMeasured(args, { cwd });
    expect(indexed).toMatchObject({ status: 75, stdout: expect.stringContaining('1 token list page left to read') });
    expect(indexed.stdout + indexed.stderr).not.toMatch(FORGED);
    expect(indexed.peakBytes).toBeLessThan(MAX_PEAK_BYTES);
  });
});
