// Indexes all hostile things in one run: responses of APIs, nodes and web servers, sources, documents and images. Each
// must fail only its job, stay within the memory limit, and not forge output.
import { readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readChainFailures } from '#store/chain/chain-log.ts';
import { openIndex, type Store } from '#store/index-database.ts';
import { listFailures } from '#store/status/counts.ts';
import { readImages } from '#store/tokens/images.ts';
import { cannedToken } from '../support/canned-token.ts';
import { chainListener, chainOf } from '../support/chain-listener.ts';
import { loopbackServer } from '../support/loopback-server.ts';
import { runWarm } from '../support/run-cli.ts';
import { DEEP } from '../support/server-client.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { ADDRESS } from '../support/transactions.ts';
import { FORGERY, HOSTILE_CASES, withoutSource } from './api-responses.ts';
import { HOSTILE_DOCUMENTS, HOSTILE_GROUPS, type HostileDocument } from './documents.ts';
import { HOSTILE_RASTERS } from './hostile-rasters.ts';
import { runMeasured } from './run-measured.ts';
import { SOURCE_ARCHIVE } from './sources.ts';

/** The maximum memory of the main process. Storing all dependencies of the sources would take 0.5 to 1 GB more. */
const MAX_PEAK_BYTES = 512_000_000;
/** The maximum number of pixels of the images here that are decoded, and the number that is assumed for an SVG. */
const MAX_PIXELS = 8_000_000;
/** The maximum memory of the four processes that decode images. */
const MAX_DECODING_BYTES = 4 * (160_000_000 + MAX_PIXELS * 24);
const PAGE = 60;
const HONEST = 'honest';
const LIMITS = ['--wait', '4', '--max-image-bytes', '2000000'];
// biome-ignore lint/suspicious/noControlCharactersInRegex: output must not contain these characters
const FORGED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066]|^\W*FORGED/m;

const idOf = (name: string) => `${ADDRESS}.${name}`;
const pathOf = (page: number) => `/metadata/v1/ft?limit=${PAGE}&offset=${PAGE * page}`;

/** The members of a document's status that this test reads. */
interface DocumentStatus {
  readonly state: string;
  readonly failure?: { readonly code: string };
  readonly warnings?: readonly string[];
}

/** A document and the contract of a token that has it. The tokens of a group have the same document. */
interface Placed {
  readonly contract: string;
  readonly path: string;
  readonly document: HostileDocument;
}

const PLACED: readonly Placed[] = [
  ...HOSTILE_DOCUMENTS.map((document) => [1, document] as const),
  ...HOSTILE_GROUPS,
].flatMap(([count, document], place) =>
  Array.from({ length: count }, (_, copy) => ({ contract: `t-${place}-${copy}`, path: `/${place}`, document })),
);

/** Returns a listener that passes a request to the listener of its path. `otherwise` handles other paths. */
function routed(
  listeners: ReadonlyMap<string, RequestListener>,
  otherwise: RequestListener = (_, response) => void response.writeHead(404).end(),
): RequestListener {
  return (request, response) => (listeners.get(request.url ?? '') ?? otherwise)(request, response);
}

/**
 * Starts an API with a contract for each case, its node, and the web servers of the token URIs. Returns the arguments
 * of the index run, the case of each list page from `firstPage` on, and the URIs of images.
 */
async function startServers() {
  const webListeners = new Map<string, RequestListener>([
    [`/${HONEST}`, (_, response) => void response.end('{"name":"Honest"}')],
    ...PLACED.map(({ path, document }) => [path, send(document.body)] as const),
    ...HOSTILE_RASTERS.map(({ bytes, type }, at) => [`/i${at}`, send(bytes, type)] as const),
    ...HOSTILE_RASTERS.map((_, at) => [`/d${at}`, sendJson((url) => ({ image: `${url}/i${at}` }))] as const),
    [
      '/images',
      sendJson((url) => ({
        localization: { uri: `${url}/d{locale}`, default: 'en', locales: [...HOSTILE_RASTERS.keys()].map(String) },
      })),
    ],
  ]);
  const serve = () => loopbackServer(routed(webListeners));
  const servers = { web: await serve(), silent: await serve(), busy: await serve() };
  const { web } = servers;
  const apiListeners = new Map<string, RequestListener>();
  const pages: { readonly name: string; readonly respond: RequestListener }[] = [];
  const contracts = [
    cannedToken(HONEST, `${web.url}/${HONEST}`),
    cannedToken('images', `${web.url}/images`),
    ...PLACED.map(({ contract, path, document: { uri } }) => cannedToken(contract, uri ?? web.url + path)),
  ];
  for (const { name, at, respond = () => {} } of HOSTILE_CASES) {
    if (typeof at === 'object') contracts.push(cannedToken(name, at.uri.replace('{host}', web.host)));
    else if (at === 'list') pages.push({ name, respond });
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
  // The pages with all contracts are full, so that the next pages, which are the cases of lists, are requested too.
  const firstPage = Math.ceil(contracts.length / PAGE);
  const total = PAGE * (firstPage + pages.length);
  for (let page = 0; page < firstPage; page++) {
    const results = Array.from({ length: PAGE }, (_, at) => ({
      contract_principal: contracts[(PAGE * page + at) % contracts.length]?.contractId,
    }));
    apiListeners.set(pathOf(page), send(JSON.stringify({ limit: PAGE, offset: PAGE * page, total, results })));
  }
  for (const [at, { respond }] of pages.entries()) apiListeners.set(pathOf(firstPage + at), respond);
  const api = await loopbackServer(routed(apiListeners, chainListener(chainOf(contracts))));
  const allowed = Object.values(servers).flatMap(({ host }) => ['--allow-host', host]);
  const sources = ['--archive', 'chain.tsv', '--no-vm', '--api-url', api.url, '--discover', 'ft'];
  return {
    args: ['index', ...sources, ...allowed, ...LIMITS],
    pages: [...Array<string>(firstPage).fill('a page of contracts'), ...pages.map(({ name }) => name)],
    imageUris: [...HOSTILE_RASTERS.keys()].map((at) => `${web.url}/i${at}`),
  };
}

function send(body: string | Buffer | undefined, type?: string): RequestListener {
  return (_, response) => {
    if (type !== undefined) response.setHeader('Content-Type', type);
    response.end(body);
  };
}

/** Responds with JSON, which receives the URL of the server. */
function sendJson(jsonOf: (url: string) => object): RequestListener {
  return ({ headers }, response) => void response.end(JSON.stringify(jsonOf(`http://${headers.host}`)));
}

/** Returns the failure codes that the index stores, by the name of the case. */
async function recordedCodes(store: Store, pages: readonly string[]): Promise<Map<string, string[]>> {
  const codesByCase = new Map<string, Set<string>>();
  const add = (subject: string, code: string) => {
    // Every case without a token URI also has this code.
    if (code === 'no-uri') return;
    const page = /^token list from (\d+)$/.exec(subject)?.[1];
    const name = page === undefined ? subject.replace(idOf(''), '') : (pages[Number(page) / PAGE] ?? 'no page');
    codesByCase.set(name, (codesByCase.get(name) ?? new Set()).add(code));
  };
  for (const { contractId, what, code } of await listFailures(store)) add(contractId || what, code);
  for (const { subject, code } of await readChainFailures(store, 1_000)) add(subject, code);
  return new Map([...codesByCase].map(([name, codes]) => [name, [...codes]]));
}

test('fails only the job of each hostile thing, within the memory limit', async () => {
  const cwd = tempFolder();
  writeFileSync(join(cwd, 'chain.tsv'), SOURCE_ARCHIVE);
  const { args, pages, imageUris } = await startServers();
  const indexed = await runMeasured(args, { cwd });
  expect(indexed).toMatchObject({ status: 1, stderr: expect.not.stringContaining('bug') });
  const store = await openIndex(join(cwd, 'data', 'index.sqlite'));
  const codes = await recordedCodes(store, pages);
  const images = await readImages(store, imageUris);
  const jobs = await store.selectFrom('job').select('job_id').where('failure_code', '=', 'bug').execute();
  await store.destroy();
  expect(jobs).toEqual([]);
  for (const { name, failureCode } of HOSTILE_CASES) expect.soft(codes.get(name)?.join(', '), name).toBe(failureCode);
  expect(codes.has(HONEST)).toBe(false);
  for (const [at, { name, outcome }] of HOSTILE_RASTERS.entries()) {
    const { copy, failure } = images.get(imageUris[at] ?? '') ?? {};
    expect.soft([outcome].flat(), name).toContain(copy?.extension ?? failure?.code);
  }

  const built = await runMeasured(['build', '--only', 'tokens'], { cwd });
  expect(built.status, built.stderr).toBe(0);
  for (const { contract, document } of PLACED) expectOutcome(join(cwd, 'dist'), contract, document);
  expect(indexed.mainBytes).toBeLessThan(MAX_PEAK_BYTES);
  expect(indexed.peakBytes).toBeLessThan(MAX_PEAK_BYTES + MAX_DECODING_BYTES);
  expect(built.peakBytes).toBeLessThan(MAX_PEAK_BYTES);

  const text = await runWarm(['status', '--failures'], { cwd });
  const json = await runWarm(['status', '--json', '--failures'], { cwd });
  for (const { stdout, stderr } of [indexed, text, json]) expect(stdout + stderr).not.toMatch(FORGED);
  expect(text.stdout).toContain('FORGED');
  const { listed } = JSON.parse(json.stdout) as { listed: { contractId: string; message: string }[] };
  expect(listed.find(({ contractId }) => contractId === idOf('call-cause-forged'))?.message).toContain('\\u009b1A');
}, 600_000);

test.each([
  ['a body with forged lines', 500, FORGERY],
  ['a body too large for a tip', 200, `"${'x'.repeat(19_000_000)}"`],
  ['a deeply nested body', 200, DEEP],
])('leaves work to a later run if a server responds to everything with %s', async (_, status, body) => {
  const cwd = tempFolder();
  const api = await loopbackServer((_, response) => void response.writeHead(status).end(body));
  const args = ['index', '--api-url', api.url, '--discover', 'ft', '--wait', '0'];
  const indexed = await runMeasured(args, { cwd });
  // A server whose every response is not that of an API will not be one later.
  const exitStatus = status === 200 ? 1 : 75;
  expect(indexed).toMatchObject({
    status: exitStatus,
    stdout: expect.stringMatching(/^pages of the token list: .*1 left/),
  });
  expect(indexed.stdout + indexed.stderr).not.toMatch(FORGED);
  expect(indexed.peakBytes).toBeLessThan(MAX_PEAK_BYTES);
});

function expectOutcome(dist: string, contract: string, document: HostileDocument): void {
  const { name, code, metadata, locales, names, warnings } = document;
  const path = `metadata/v1/ft/${ADDRESS}.${contract}`;
  const status = readJson(join(dist, path.replace('/ft/', '/status/'))) as {
    readonly state: string;
    readonly document: DocumentStatus;
    readonly locales?: Readonly<Record<string, DocumentStatus>>;
  };
  expect.soft(codeOf(status.document), name).toBe(code ?? 'read');
  expect.soft(status.state, name).toBe(code === undefined ? 'complete' : 'partial');
  // The hostile document must not change the values that come from the token's getters.
  const response = readJson(join(dist, path)) as { readonly name: string; readonly metadata?: object };
  expect.soft(response.name, name).toBe(`Token ${contract}`);
  expect.soft(response.metadata === undefined, name).toBe(code !== undefined);
  if (metadata !== undefined) expect.soft(pick(response.metadata, Object.keys(metadata)), name).toEqual(metadata);
  if (warnings !== undefined) expect.soft(status.document.warnings?.length, name).toBe(warnings);
  if (locales !== undefined) {
    const codes = Object.entries(status.locales ?? {}).map(([locale, localeStatus]) => [locale, codeOf(localeStatus)]);
    expect.soft(Object.fromEntries(codes), name).toEqual(locales);
  }
  for (const [locale, expected] of Object.entries(names ?? {})) {
    const variant = readJson(join(dist, `variants/locale/${locale}/${path}`)) as typeof response | undefined;
    expect.soft(pick(variant?.metadata, ['name']).name, `${name}, ${locale}`).toBe(expected);
  }
}

function codeOf({ state, failure }: DocumentStatus): string {
  return failure?.code ?? state;
}

function pick(from: object | undefined, keys: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(keys.map((key) => [key, (from as Readonly<Record<string, unknown>> | undefined)?.[key]]));
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
