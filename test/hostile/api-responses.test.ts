import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readChainFailures } from '#store/chain/chain-log.ts';
import { openIndex, type Store } from '#store/index-database.ts';
import { listFailures } from '#store/status/list-failures.ts';
import { CANNED_DEPLOYER, cannedToken } from '../support/canned-token.ts';
import { chainListener, chainOf } from '../support/chain-listener.ts';
import { DEEP } from '../support/json-client.ts';
import { loopbackServer } from '../support/loopback-server.ts';
import { runWarm } from '../support/run-warm.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { FORGERY, HOSTILE_CASES, withoutSource } from './api-responses.ts';
import { runMeasured } from './run-measured.ts';

const MAX_PEAK_BYTES = 512_000_000;
const HONEST = 'honest';
// For what is silent; a busy machine needs the rest.
const LIMITS = ['--connect-timeout', '5', '--idle-timeout', '2', '--total-timeout', '8', '--wait', '4'];
// biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be printed
const FORGED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066]|^\W*FORGED/m;

const idOf = (name: string) => `${CANNED_DEPLOYER}.${name}`;
const pathOf = (index: number) => `/metadata/v1/ft?limit=60&offset=${60 * index}`;

/** Answers some paths in their own way, and the others as `otherwise` does. */
function answering(
  answers: ReadonlyMap<string, RequestListener>,
  otherwise: RequestListener = (_, response) => void response.writeHead(404).end(),
): RequestListener {
  return (request, response) => (answers.get(request.url ?? '') ?? otherwise)(request, response);
}

/** An API with a contract for each case, a node behind it, and the web servers that its tokens point to. */
async function hostileWorld(): Promise<{ readonly args: readonly string[]; readonly pages: readonly string[] }> {
  const ofWeb = new Map<string, RequestListener>([
    [`/${HONEST}`, (_, response) => void response.end('{"name":"Honest"}')],
  ]);
  const serve = () => loopbackServer(answering(ofWeb));
  const servers = { web: await serve(), silent: await serve(), busy: await serve() };
  const { web } = servers;
  const ofApi = new Map<string, RequestListener>();
  const pages: string[] = [];
  const contracts = [cannedToken(HONEST, `${web.url}/${HONEST}`)];
  for (const { name, at, answer = () => {} } of HOSTILE_CASES) {
    if (typeof at === 'object') contracts.push(cannedToken(name, at.uri.replace('{host}', web.host)));
    else if (at === 'list') ofApi.set(pathOf(pages.push(name)), answer);
    else if (at === 'web' || at === 'silent' || at === 'busy') {
      contracts.push(cannedToken(name, `${servers[at].url}/${name}`));
      ofWeb.set(`/${name}`, answer);
    } else {
      contracts.push(cannedToken(name, undefined, at === 'interface' || at === 'abi' ? { abi: undefined } : {}));
      const about = `/extended/v1/contract/${idOf(name)}`;
      const ofNode = (question: string) => `/v2/contracts/${question}/${CANNED_DEPLOYER}/${name}`;
      const paths = {
        contract: about,
        abi: about,
        source: `${ofNode('source')}?proof=0`,
        interface: ofNode('interface'),
        'get-name': `${ofNode('call-read')}/get-name`,
      };
      ofApi.set(paths[at], answer);
      if (at === 'source') ofApi.set(about, withoutSource);
    }
  }
  // As long as the offsets of the others have it.
  const results = Array.from({ length: 60 }, (_, index) => ({
    contract_principal: contracts[index % contracts.length]?.contractId,
  }));
  expect(contracts.length).toBeLessThanOrEqual(results.length);
  const first = JSON.stringify({ limit: 60, offset: 0, total: 60 * (pages.length + 1), results });
  ofApi.set(pathOf(0), (_, response) => void response.end(first));
  const api = await loopbackServer(answering(ofApi, chainListener(chainOf(contracts))));
  const allowed = Object.values(servers).flatMap(({ host }) => ['--allow-host', host]);
  return { args: ['index', '--api-url', api.url, '--discover', 'ft', ...allowed, ...LIMITS], pages };
}

/** The codes that are recorded for each case. */
async function recorded(store: Store, pages: readonly string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, Set<string>>();
  const add = (subject: string, code: string) => {
    // What is asked for something else points nowhere.
    if (code === 'no-uri') return;
    const page = /^token list from (\d+)$/.exec(subject)?.[1];
    const name = page === undefined ? subject.replace(idOf(''), '') : (pages[Number(page) / 60 - 1] ?? 'first page');
    found.set(name, (found.get(name) ?? new Set()).add(code));
  };
  for (const { contractId, what, code } of await listFailures(store)) add(contractId || what, code);
  for (const { subject, code } of await readChainFailures(store, 1_000)) add(subject, code);
  return new Map([...found].map(([name, codes]) => [name, [...codes]]));
}

describe('hostile APIs, nodes and web servers', () => {
  test('behavior: each answer costs itself alone, within the memory of the set', async () => {
    const cwd = tempFolder();
    const { args, pages } = await hostileWorld();
    const indexed = await runMeasured(args, { cwd });
    expect(indexed).toMatchObject({ status: 75, stderr: expect.not.stringContaining('bug') });
    const store = await openIndex(join(cwd, 'data', 'index.sqlite'));
    const codes = await recorded(store, pages);
    const jobs = await store.selectFrom('job').select('job_id').where('failure_code', '=', 'bug').execute();
    await store.destroy();
    const outcomes = (of: (hostile: (typeof HOSTILE_CASES)[number]) => string | undefined) =>
      Object.fromEntries(HOSTILE_CASES.map((hostile) => [hostile.name, of(hostile)]));
    expect(outcomes(({ name }) => codes.get(name)?.join(', '))).toEqual(outcomes(({ fails }) => fails));
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
    ['a body that forges lines', 500, FORGERY],
    ['more than a tip can be', 200, `"${'x'.repeat(19_000_000)}"`],
    ['a tip nested like no other', 200, DEEP],
  ])('behavior: a server that answers everything with %s leaves work to a later run', async (_, status, body) => {
    const cwd = tempFolder();
    const api = await loopbackServer((_, response) => void response.writeHead(status).end(body));
    const args = ['index', '--api-url', api.url, '--discover', 'ft', '--wait', '0'];
    const indexed = await runMeasured(args, { cwd });
    expect(indexed).toMatchObject({ status: 75, stdout: expect.stringContaining('1 token list page left to read') });
    expect(indexed.stdout + indexed.stderr).not.toMatch(FORGED);
    expect(indexed.peakBytes).toBeLessThan(MAX_PEAK_BYTES);
  });
});
