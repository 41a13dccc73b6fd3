// Tests that --rebuild reuses documents and images of the old index.
import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { cannedToken } from '../support/canned-token.ts';
import { chainListener, chainOf, type LiveContract } from '../support/chain-listener.ts';
import { ft } from '../support/index-of-servers.ts';
import { TOKEN_INTERFACE } from '../support/interfaces.ts';
import { loopbackServer } from '../support/loopback-server.ts';
import { PNG } from '../support/picture.ts';
import { okOf, runWarm } from '../support/run-cli.ts';
import { blockLine, deployJson, idOf, notificationOf } from '../support/transactions.ts';
import { built, callPaths, contractPath, folderWith, LIST } from './canned-api.ts';

const ARCHIVED = deployJson('archived', ';; source of archived', { clarityVersion: 2, interface: TOKEN_INTERFACE });
const FIRST_BLOCK = blockLine({ id: 'b0', parent: 'b', height: 0, transactions: [ARCHIVED] });
const DB = 'data/index.sqlite';

/** Indexes one token of an API and one token of an archive. The documents of both have images. */
async function indexedFolder() {
  const cwd = folderWith(['one']);
  writeFileSync(join(cwd, 'chain.tsv'), FIRST_BLOCK);
  const web = await loopbackServer((request, response) => {
    const path = request.url ?? '';
    if (path.endsWith('.png')) return response.writeHead(200, { 'content-type': 'image/png' }).end(PNG);
    if (path.includes('missing')) return response.writeHead(404).end();
    const localization = { uri: `${web.url}/{locale}.json`, default: 'en', locales: ['en', 'de'] };
    const document = { sip: 16, name: `Document ${path}`, image: `${web.url}/one.png` };
    const body = JSON.stringify(path === '/one.json' ? { ...document, localization } : document);
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  const uris = { one: `${web.url}/one.json`, archived: `${web.url}/missing.json` };
  const contracts = (names: typeof uris): LiveContract[] => [
    cannedToken('one', names.one),
    cannedToken('archived', names.archived, { txId: String(ARCHIVED.txid) }),
  ];
  const state = { chain: chainOf(contracts(uris)) };
  const api = await loopbackServer((request, response) => chainListener(state.chain)(request, response));
  const sources = ['--archive', 'chain.tsv', '--api-url', api.url, '--contracts', LIST];
  const index = (more: readonly string[] = [], signal?: AbortSignal) =>
    runWarm(['index', ...sources, '--no-vm', '--wait', '0', '--allow-host', web.host, ...more], { cwd, signal });
  okOf(await index());
  const tree = await built(cwd);
  expect(tree.get(ft('one'))).toContain('Document /one.json');
  expect(web.requests.toSorted()).toEqual(['/de.json', '/missing.json', '/one.json', '/one.png']);

  /** Runs `index --rebuild`. Returns its output and the requests that it sent. */
  async function rebuild(...more: string[]) {
    const [atApi, atWeb] = [api.requests.length, web.requests.length];
    const { status, stdout, stderr } = await index(['--rebuild', ...more]);
    expect({ status, stderr }).toMatchObject({ status: 0 });
    const requested = api.requests.slice(atApi).filter((path) => path !== '/v2/info');
    return { stdout, stderr, api: requested, web: web.requests.slice(atWeb) };
  }

  /** Changes the database of the index, to imitate an index of another version. */
  function change(...statements: string[]): void {
    const sqlite = new Database(join(cwd, DB));
    sqlite.pragma('foreign_keys = off');
    for (const statement of statements) sqlite.exec(statement);
    sqlite.close();
  }

  const moveUri = (uri: string) => {
    state.chain = chainOf(contracts({ ...uris, one: uri }));
  };
  return { cwd, tree, web, index, rebuild, change, moveUri };
}

test('default', async () => {
  const { cwd, tree, rebuild } = await indexedFolder();
  const result = await rebuild();
  expect(result.web).toEqual([]);
  expect(result.api).toEqual(expect.arrayContaining([contractPath('one'), ...callPaths('one')]));
  expect(result.stdout).toContain('3 documents, 1 image reused from the old index');
  expect(await built(cwd)).toEqual(tree);
});

test('forgets the old index after all jobs are done', async () => {
  const { cwd, rebuild, change } = await indexedFolder();
  const oldIndex = () => {
    const sqlite = new Database(join(cwd, DB), { readonly: true });
    const values = sqlite.prepare(`select value from info where key = 'old_index'`).pluck().all();
    sqlite.close();
    return values;
  };
  await rebuild();
  // The old index is kept while evaluations remain: they may find URIs whose documents it has.
  expect(oldIndex()).toEqual(['index.sqlite.kept-1']);
  change('delete from job');
  okOf(await runWarm(['index', '--no-vm'], { cwd }));
  expect(oldIndex()).toEqual([]);
});

test('keeps the times of fetching, so that refreshes continue as before', async () => {
  const { cwd, rebuild, change } = await indexedFolder();
  change('update document set fetched_at = 1000');
  await rebuild();
  const sqlite = new Database(join(cwd, DB), { readonly: true });
  expect(sqlite.prepare('select distinct fetched_at from document').pluck().all()).toEqual([1000]);
  sqlite.close();
  const again = await rebuild('--max-age', '1d');
  expect(again.web).toEqual([]);
});

test('fetches what a refresh asks for after a rebuild', async () => {
  const { cwd, web, rebuild } = await indexedFolder();
  await rebuild();
  const before = web.requests.length;
  okOf(await runWarm(['index', '--refresh', '--no-vm', '--wait', '0', '--allow-host', web.host], { cwd }));
  expect(web.requests.slice(before)).toContain('/one.json');
  expect(web.requests.slice(before)).toContain('/one.png');
});

test('reuses the readable data of an index of another version', async () => {
  const { cwd, tree, rebuild, change } = await indexedFolder();
  change('pragma user_version = 1', 'alter table document rename column warnings to remarks');
  const result = await rebuild();
  expect(result.web.toSorted()).toEqual(['/de.json', '/missing.json', '/one.json']);
  expect(result.stderr).toMatch(/kept-1 has no readable documents \(no such column: document\.warnings\)/);
  expect(result.stdout).toContain('1 image reused');
  expect(await built(cwd)).toEqual(tree);
});

test('warns about a damaged index, and fetches everything again', async () => {
  const { cwd, tree, rebuild } = await indexedFolder();
  const path = join(cwd, DB);
  writeFileSync(path, Buffer.concat([Buffer.alloc(4_096, 'x'), readFileSync(path).subarray(4_096)]));
  const result = await rebuild();
  expect(result.stderr).toMatch(/The old index .*kept-1 cannot be read \(.*\)\. Everything is fetched again/);
  expect(result.web.toSorted()).toEqual(['/de.json', '/missing.json', '/one.json', '/one.png']);
  expect(await built(cwd)).toEqual(tree);
});

test('fetches documents again if a stored one is not JSON, and uses the rest', async () => {
  const { cwd, tree, rebuild, change } = await indexedFolder();
  change(`update document set document = 'null' where locale = ''`);
  const result = await rebuild();
  expect(result.web).toContain('/one.json');
  expect(result.stderr).toMatch(/kept-1 has no readable documents/);
  expect(await built(cwd)).toEqual(tree);
});

test('reads an old index whose last changes are in its log, and does not change the file', async () => {
  const { cwd, rebuild } = await indexedFolder();
  const path = join(cwd, DB);
  const reader = new Database(path);
  reader.prepare('select count(*) from document').get();
  const writer = new Database(path);
  writer.exec('update document set fetched_at = 1000');
  for (const suffix of ['', '-wal']) copyFileSync(path + suffix, `${path}.copy${suffix}`);
  writer.close();
  reader.close();
  rmSync(`${path}-wal`, { force: true });
  rmSync(`${path}-shm`, { force: true });
  for (const suffix of ['', '-wal']) renameSync(`${path}.copy${suffix}`, path + suffix);
  const before = readFileSync(path);
  expect(await rebuild()).toMatchObject({ web: [] });
  expect(readFileSync(`${path}.kept-1`).equals(before)).toBe(true);
  const sqlite = new Database(path, { readonly: true });
  expect(sqlite.prepare('select distinct fetched_at from document').pluck().all()).toEqual([1000]);
  sqlite.close();
});

test('fetches the document of a changed URI, and an image whose copy is missing', async () => {
  const { cwd, web, rebuild, moveUri } = await indexedFolder();
  moveUri(`${web.url}/other.json`);
  renameSync(join(cwd, 'data/images'), join(cwd, 'data/elsewhere'));
  const result = await rebuild();
  expect(result.web.toSorted()).toEqual(['/one.png', '/other.json']);
  expect((await built(cwd)).get(ft('one'))).toContain('Document /other.json');
});

test('fetches documents again after the notification of a newer block', async () => {
  const { cwd, rebuild } = await indexedFolder();
  const { transaction, event } = notificationOf(idOf('archived'), 7);
  const more = blockLine({ id: 'b1', parent: 'b0', height: 1, transactions: [transaction], events: [event] });
  writeFileSync(join(cwd, 'chain.tsv'), FIRST_BLOCK + more);
  const result = await rebuild();
  expect(result.web).toEqual(['/missing.json']);
});

test('continues an interrupted rebuild with the same old index', async () => {
  const { cwd, tree, web, index } = await indexedFolder();
  expect((await index(['--rebuild'], AbortSignal.abort())).stdout).toContain('Interrupted: ');
  const before = web.requests.length;
  expect(okOf(await index())).toContain('3 documents, 1 image reused');
  expect(web.requests.slice(before)).toEqual([]);
  expect(await built(cwd)).toEqual(tree);
});
