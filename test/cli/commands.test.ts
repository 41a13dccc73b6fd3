// Tests the command line: help, where settings come from, exit statuses, and output as text and as JSON.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { COMMANDS } from '#cli/commands.ts';
import { indexInto } from '../support/index-options.ts';
import { TOKEN_INTERFACE } from '../support/interfaces.ts';
import { loopbackServer } from '../support/loopback-server.ts';
import { expectRefused, okOf, runCli, runWarm, statusOf } from '../support/run-cli.ts';
import { readTree, SAMPLE, SAMPLE_ARCHIVE } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { blockLine, callJson, deployJson } from '../support/transactions.ts';

const { contracts: CONTRACTS, tokens: TOKENS } = SAMPLE;
/** The number of fungible tokens and collections in the sample. */
const EVALUATED = TOKENS + SAMPLE.collections;
const INDEX_WITHOUT_VM = ['index', '--no-vm', '--offline'];

/** Creates a folder with an archive. The archive deploys a token whose metadata has this URI. */
function folderOfToken(uri: string): string {
  const cwd = tempFolder();
  const source = `(define-fungible-token t) (define-read-only (get-name) (ok "T"))
      (define-read-only (get-token-uri) (ok (some u"${uri}")))`;
  const transactions = [deployJson('token', source, { clarityVersion: 2, interface: TOKEN_INTERFACE })];
  writeFileSync(join(cwd, 'chain.tsv'), blockLine({ id: 1, parent: 0, height: 0, transactions }));
  return cwd;
}

test('default', async () => {
  const cwd = tempFolder();
  const run = (...args: string[]) => runWarm(args, { cwd });
  const version = await runCli(['--version'], { cwd });
  expect(okOf(version)).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(await run('-v')).toEqual(version);
  const help = await run('--help');
  expect(await run('help')).toEqual({ ...help, status: 0, stderr: '' });
  expect(await run('help', 'build')).toEqual(await run('build', '--help'));
  expectRefused(await run('help', 'bild'), 'Usage: stxpress');
  for (const { name } of COMMANDS) expect(help.stdout).toContain(`  ${name} `);
  const indexHelp = okOf(await run('index', '--help')).replace(/\s+/g, ' ');
  for (const part of ['--skip-broken', 'default: 60, env: STXPRESS_WAIT', '--quiet']) expect(indexHelp).toContain(part);
  expectRefused(await run(), 'Usage: stxpress');
});

test('prefers flags to the environment, the environment to the configuration, and that to defaults', async () => {
  const cwd = tempFolder();
  const index = async (args: readonly string[], env = {}) => okOf(await runWarm(['index', ...args], { cwd, env }));
  writeFileSync(join(cwd, 'stxpress.config.json'), '{"db":"from-config.sqlite","no-vm":true,"offline":true}');
  const env = { STXPRESS_DB: 'from-env.sqlite' };
  expect(await index(['--db', 'from-flag.sqlite'], env)).toContain('from-flag.sqlite');
  expect(await index([], env)).toContain('from-env.sqlite');
  const fromConfig = await index([]);
  expect(fromConfig).toContain('from-config.sqlite');
  expect(fromConfig).toContain(`token evaluations: ${EVALUATED} left (--no-vm)`);
  // The variables contain a list, a switch that is off, and an empty text, which counts as unset.
  const archives = {
    STXPRESS_DB: 'x.sqlite',
    STXPRESS_ARCHIVE: SAMPLE_ARCHIVE,
    STXPRESS_NO_VM: '0',
    STXPRESS_RATE: '',
  };
  expect(await index([], archives)).toContain(`token evaluations: ${EVALUATED} done`);
  const empty = { STXPRESS_DB: '', STXPRESS_ARCHIVE: '', STXPRESS_OFFLINE: '' };
  expect(await index(['--db', 'y.sqlite'], empty)).toContain('The index is y.sqlite.');
  // A list is not merged with lists of other sources: the source with the highest priority replaces the others.
  writeFileSync(join(cwd, 'stxpress.config.json'), '{"archive":["missing.tsv"],"no-vm":false}');
  const listEnv = { STXPRESS_ARCHIVE: `missing.tsv,${SAMPLE_ARCHIVE}`, STXPRESS_DB: 'z.sqlite' };
  const list = await index(['--no-vm', '--offline', '--archive', SAMPLE_ARCHIVE], listEnv);
  expect(list).toContain(`Indexed ${CONTRACTS} deploys`);
  expectRefused(await runWarm(['index'], { cwd, env: listEnv }), 'missing.tsv cannot be read');
});

test('exits with 75 only if work remains that the run was allowed to do', async () => {
  let status = 503;
  const server = await loopbackServer((_, response) => {
    response.writeHead(status, { 'Retry-After': '3600' }).end('{"name":"Fetched"}');
  });
  const cwd = folderOfToken(`${server.url}/1.json`);
  const index = (...args: string[]) => runWarm(['index', ...args], { cwd });
  okOf(await index('--no-vm', '--offline', '--archive', 'chain.tsv'));
  okOf(await index('--offline'));
  // Fetches from this machine are allowed only with --allow-host.
  const fetching = ['--allow-host', server.host];
  expect(await index(...fetching)).toMatchObject({
    status: 75,
    stdout: expect.stringContaining('metadata documents: 1 attempt failed, 1 left (run again later)'),
  });
  expect(server.requests).toEqual(['/1.json']);
  status = 200;
  okOf(await index('--offline'));
  expect(okOf(await index(...fetching))).toContain('metadata documents: 1 done');
  okOf(await index(...fetching));
  expect(server.requests).toEqual(['/1.json', '/1.json']);
});

test('status prints the same facts as text and as JSON', async () => {
  const cwd = tempFolder();
  await runWarm(['index', '--offline'], { cwd });
  await runWarm(['build'], { cwd });
  const status = await statusOf(cwd);
  expect(status).toMatchObject({
    chain: '0x53545850',
    sample: true,
    tip: { height: 7, burnBlockHeight: 107 },
    blocks: { canonical: 8, orphaned: 1 },
    contracts: {
      contracts: CONTRACTS,
      canonical: CONTRACTS - 1,
      unconfirmed: 1,
      byStandard: { 'sip-009': 1, 'sip-010': TOKENS, 'sip-013': 1 },
    },
    tokens: { queued: 0, complete: TOKENS - 4, partial: 3, error: 1 },
    notifications: { all: 1, entitled: 1 },
    failures: {
      chain: {},
      tokens: { 'getter-error': 6, 'no-uri': 1, 'no-value': 1, 'not-a-uri': 1, offline: 1, 'replay-diverged': 1 },
      jobs: {},
    },
    pending: { tokens: 0, documents: 0 },
    lastIndex: { outcome: 'ok', summary: { deploys: CONTRACTS } },
    lastBuild: { outcome: 'ok', summary: { out: 'dist', files: readTree(join(cwd, 'dist')).size } },
  });
  const listed = (await runWarm(['status', '--failures'], { cwd })).stdout;
  expect(listed).toContain(
    '.wrapped-token get-total-supply: getter-error: get-total-supply returned (err u6004). (not tried again)',
  );
  expect(listed).toContain('.whole-token document: no-uri');
  const text = (await runWarm(['status'], { cwd })).stdout;
  for (const part of [
    'block 7',
    '8 canonical, 1 not',
    `SIP-010 ${TOKENS}: ${TOKENS - 4} complete, 3 partial, 0 queued, 1 error`,
    '1 notification, 1 from the contract or deployer',
    'no-uri: The token has no metadata URI.',
  ]) {
    expect(text).toContain(part);
  }
});

test('--quiet prints only errors and the results of queries', async () => {
  const cwd = tempFolder();
  const quiet = await runWarm([...INDEX_WITHOUT_VM, '--quiet'], { cwd });
  expect(quiet).toEqual({ status: 0, stdout: '', stderr: '' });
  expect(okOf(await runWarm(['status', '--quiet'], { cwd }))).toMatch(/^Index /);
});

test('status shows where an archive is broken, until the archive has been read', async () => {
  const cwd = tempFolder();
  const lines = readFileSync(SAMPLE_ARCHIVE, 'utf8').split(/(?<=\n)/);
  writeFileSync(join(cwd, 'my chain.tsv'), lines.with(12, 'half a line\n').join(''));
  const args = [...INDEX_WITHOUT_VM, '--archive', 'my chain.tsv'];
  expect((await runWarm(args, { cwd })).status).toBe(1);
  const where = `my chain.tsv, line 13 (byte ${lines.slice(0, 12).join('').length})`;
  const { stdout } = await runWarm(['status'], { cwd });
  expect(stdout).toContain(`Archive    ${where}: four columns are expected`);
  expect(stdout).toContain(`Repair the archive, then continue with: npm run index -- --archive 'my chain.tsv'\n`);
  const { stderr } = await runWarm([...args, '--skip-broken'], { cwd });
  expect(stderr).toContain(`warning: ${where}: four columns are expected`);
  expect((await runWarm(['status'], { cwd })).stdout).not.toContain('ontinue with');
});

test('continues an archive in which a run was interrupted, without its name', async () => {
  const cwd = tempFolder();
  const lines = readFileSync(SAMPLE_ARCHIVE, 'utf8').split(/(?<=\n)/);
  writeFileSync(join(cwd, 'chain.tsv'), lines.slice(0, 6).join(''));
  await runWarm([...INDEX_WITHOUT_VM, '--archive', 'chain.tsv'], { cwd });
  writeFileSync(join(cwd, 'chain.tsv'), lines.join(''));
  const interruptedIn = (name: string) => {
    const index = new Database(join(cwd, 'data/index.sqlite'));
    index.prepare('update archive set unfinished_name = ?').run(name);
    index.close();
  };
  interruptedIn('chain.tsv');
  okOf(await runWarm(INDEX_WITHOUT_VM, { cwd }));
  expect(await statusOf(cwd)).toMatchObject({ blocks: { canonical: 8, orphaned: 1 }, unfinishedArchives: [] });
  interruptedIn('gone.tsv');
  const { stderr } = await runWarm(INDEX_WITHOUT_VM, { cwd });
  expect(stderr).toContain('warning: gone.tsv was read up to line');
});

test('reads archives that a killed run had not begun, without their names', async () => {
  const cwd = tempFolder();
  const archives = ['chain.tsv', 'gone.tsv'].map((name) => join(cwd, name));
  copyFileSync(SAMPLE_ARCHIVE, join(cwd, 'chain.tsv'));
  await indexInto(join(cwd, 'data/index.sqlite'), { archives, signal: AbortSignal.abort() });
  expect((await runWarm(['status'], { cwd })).stdout).toContain('chain.tsv was not read yet.\n');
  expect((await runWarm(INDEX_WITHOUT_VM, { cwd })).stderr).toContain('gone.tsv was not read yet. Continue with: ');
  expect(await statusOf(cwd)).toMatchObject({
    blocks: { canonical: 8 },
    unfinishedArchives: [{ name: archives[1], nextOffset: 0 }],
  });
  await runWarm([...INDEX_WITHOUT_VM, '--archive', 'chain.tsv'], { cwd });
  expect(await statusOf(cwd)).toMatchObject({ unfinishedArchives: [] });
});

test('build warns about an index without contracts, and names the command to fill it', async () => {
  const cwd = tempFolder();
  await indexInto(join(cwd, 'data/index.sqlite'), {});
  const { status, stderr } = await runWarm(['build'], { cwd });
  expect(stderr).toMatch(/^warning: data\/index.sqlite has no contracts, .*FILE\n$/);
  expect(status).toBe(0);
});

test('reports other-chain', async () => {
  const cwd = tempFolder();
  await runWarm(INDEX_WITHOUT_VM, { cwd });
  writeFileSync(join(cwd, 'mainnet.tsv'), blockLine({ id: 1, parent: 0, height: 1, transactions: [callJson()] }));
  const refused = await runWarm([...INDEX_WITHOUT_VM, '--archive', 'mainnet.tsv'], { cwd });
  expectRefused(refused, 'mainnet.tsv belongs to chain 0x00000001, but the index holds the bundled sample');
  expect(await statusOf(cwd)).toMatchObject({
    blocks: { canonical: 8, orphaned: 1 },
    lastIndex: { outcome: 'other-chain' },
  });
});
