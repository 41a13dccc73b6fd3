// The examples, run for real: the Node script and the wallet's parts against the served sample, the shell scripts and
// the workflow against recording stubs.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { OBSERVER_PATHS, REFUSED_FOR } from '#follow/observer-server.ts';
import { type Job, runScript, type Step, strangeFlags, stubCommands } from '../support/example-scripts.ts';
import { FOLLOW_METRICS } from '../support/metrics.ts';
import { COLLECTOR, expectedSample, filesBelow, PRESSER, SAMPLE_ARCHIVE } from '../support/sample.ts';
import { serveSample } from '../support/served-sample.ts';
import { tempFolder, tempFolderForFile } from '../support/temp-folder.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));
const read = (path: string) => readFileSync(join(EXAMPLES, path), 'utf8');

const KNOWN_LABELS: ReadonlySet<string | undefined> = new Set([...OBSERVER_PATHS, ...REFUSED_FOR]);

const folder = tempFolderForFile();
const expected = expectedSample();
/** The expected body of a path. */
const body = (path: string) => JSON.parse(expected.get(path) ?? '') as Record<string, string>;
let server: Server;
let base: string;

beforeAll(async () => {
  ({ server, base } = await serveSample(folder));
});
afterAll(() => {
  server.close();
});

const PRESS = `${PRESSER}.press-token`;
const PENDING = `${PRESSER}.pending-token`;
const SILENT = `${PRESSER}.silent-token`;
const WHOLE = `${PRESSER}.whole-token`;
const WRAPPED = `${COLLECTOR}.wrapped-token`;
const MISSING = 'SP000000000000000000002Q6VF78.nothing';
/** Of a server that is not there. */
const NOWHERE = 'http://127.0.0.1:9';

describe('examples/node/portfolio.mjs', () => {
  const portfolio = async (...args: string[]) => {
    const child = spawn(process.execPath, [join(EXAMPLES, 'node/portfolio.mjs'), ...args]);
    const [stdout, stderr] = await Promise.all([readAll(child.stdout), readAll(child.stderr)]);
    return { status: child.exitCode ?? (await new Promise((resolve) => child.once('close', resolve))), stdout, stderr };
  };

  test('default', async () => {
    expect(await portfolio(base, PRESS, WHOLE, WRAPPED)).toEqual({
      status: 0,
      stderr: '',
      stdout: [
        'SYMBOL  NAME           DECIMALS  SUPPLY  PRINCIPAL',
        `PRESS   Press Token           6    1.25  ${PRESS}`,
        `WHOLE   Whole Token           0      21  ${WHOLE}`,
        `WTOK    Wrapped Token         8       -  ${WRAPPED}`,
        '',
      ].join('\n'),
    });
  });

  test('behavior: a slash after the base URL is no matter', async () => {
    expect((await portfolio(`${base}/`, PRESS)).status).toBe(0);
  });

  test('behavior: --help', async () => {
    const { status, stdout, stderr } = await portfolio('--help');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Usage: node portfolio.mjs <base URL> <principal> …');
  });

  test('behavior: what is found is printed beside what is not', async () => {
    const { status, stdout, stderr } = await portfolio(base, MISSING, PRESS);
    expect(status).toBe(1);
    expect(stdout).toContain(PRESS);
    expect(stderr).toBe(`portfolio: ${MISSING}: There is no such fungible token here.\n`);
  });

  test.each([
    ['no principal', 'nonsense', 'This is no principal. principal must be <contract address>.<contract name>'],
    ['in progress', PENDING, body(`errors/422/metadata/v1/ft/${PENDING}`).error],
    ['a token error', SILENT, body(`errors/422/metadata/v1/ft/${SILENT}`).message],
  ])('error: %s', async (_what, principal, message) => {
    expect(await portfolio(base, principal)).toEqual({
      status: 1,
      stdout: '',
      stderr: `portfolio: ${principal}: ${message}\n`,
    });
  });

  test('error: the server is not there, or the base URL is wrong', async () => {
    expect((await portfolio(NOWHERE, PRESS)).stderr).toContain(`${NOWHERE} cannot be reached`);
    expect((await portfolio(`${base}/v9`, PRESS)).stderr).toContain('Are the base URL and the principal right?');
    expect(await portfolio('example.org', PRESS)).toMatchObject({ status: 1, stdout: '' });
  });

  test('error: no arguments', async () => {
    const { status, stdout, stderr } = await portfolio();
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('Usage');
  });
});

describe('examples/wallet', () => {
  interface Shown {
    problem?: string;
    name?: string;
    symbol?: string;
    decimals?: number;
    supply?: string;
    description?: string;
    image?: string;
    locales?: string[];
    notes: string[];
  }
  interface Wallet {
    loadTokens(base: string, principals: readonly string[]): Promise<Map<string, Shown>>;
    tokenUrl(base: string, principal: string, locale?: string): string;
    statusUrl(base: string, principal: string): string;
    imageUrl(base: string, uri?: string): string | undefined;
    formatAmount(amount?: string, decimals?: number): string | undefined;
    loadToken(base: string, principal: string, locale?: string): Promise<Shown>;
    explain(answer: { status?: number; body?: unknown }): string;
    explainStatus(status: object, locale?: string): string[];
  }
  let wallet: Wallet;
  beforeAll(async () => {
    await import(/* @vite-ignore */ join(EXAMPLES, 'wallet/wallet.js'));
    wallet = (globalThis as unknown as { wallet: Wallet }).wallet;
  });

  test('default', async () => {
    const token = await wallet.loadToken(base, PRESS);
    expect(token).toMatchObject({
      name: 'Press Token',
      symbol: 'PRESS',
      decimals: 6,
      supply: '1.25',
      locales: ['en', 'de', 'pt-BR'],
      notes: ['No image: It has not been copied yet.'],
    });
    expect(token.problem).toBeUndefined();
  });

  test('behavior: names, decimals and pictures of many tokens by one request', async () => {
    const urls: string[] = [];
    const { fetch } = globalThis;
    globalThis.fetch = (url, init) => {
      urls.push(String(url));
      return fetch(url, init);
    };
    const office = body('metadata/v1/tokenlist.json') as unknown as { tokens: { address: string; logoURI: string }[] };
    const others = office.tokens.map(({ address }) => address);
    const tokens = await wallet.loadTokens(`${base}/`, [PRESS, WRAPPED, PENDING, MISSING, ...others]);
    globalThis.fetch = fetch;
    expect(urls).toEqual([`${base}/metadata/v1/tokenlist.json`]);
    expect([...tokens.keys()].toSorted()).toEqual(others);
    expect(tokens.get(WRAPPED)).toMatchObject({ name: 'Wrapped Token', symbol: 'WTOK', decimals: 8, notes: [] });
    for (const { address, logoURI } of office.tokens) expect(tokens.get(address)?.image).toBe(logoURI);
    expect(office.tokens.filter(({ logoURI }) => logoURI !== undefined).length).toBeGreaterThan(0);
    expect((await wallet.loadTokens(NOWHERE, [PRESS])).size).toBe(0);
  });

  test('behavior: a locale', async () => {
    expect(await wallet.loadToken(base, PRESS, 'de')).toMatchObject({ name: 'Press Token (de)', symbol: 'PRESS' });
    const { name, notes } = await wallet.loadToken(base, PRESS, 'fr');
    expect([name, notes[0]]).toEqual(['Press Token', 'There is nothing in the language fr.']);
  });

  test('behavior: it says why something is missing', async () => {
    const why = async (principal: string) => {
      const { problem, notes } = await wallet.loadToken(base, principal);
      return { problem, notes };
    };
    const { values, document } = body(`metadata/v1/status/${WRAPPED}`) as unknown as {
      values: { total_supply: { failure: { message: string } } };
      document: { failure: { message: string } };
    };
    expect(await why(WRAPPED)).toEqual({
      problem: undefined,
      notes: [`No supply: ${values.total_supply.failure.message}`, `No metadata: ${document.failure.message}`],
    });
    expect(await why(PENDING)).toEqual({
      problem: 'The token is still being read. Try again later.',
      notes: ['No metadata: It has not been fetched yet.'],
    });
    expect(await why(SILENT)).toEqual({
      problem: body(`errors/422/metadata/v1/ft/${SILENT}`).message,
      notes: [],
    });
    expect(await why(MISSING)).toEqual({ problem: 'There is no such fungible token here.', notes: [] });
    expect((await why('nonsense')).problem).toContain('This is not a principal.');
    expect((await wallet.loadToken(NOWHERE, PRESS)).problem).toContain('The server cannot be reached.');
    expect((await wallet.loadToken(`${base}/v9`, PRESS)).problem).toContain('Is the base URL right?');
  });

  test('behavior: a failure that will be tried again', () => {
    const document = { state: 'failed', failure: { code: 'http-503', message: 'Busy.' }, will_be_tried_again: true };
    expect(wallet.explainStatus({ document, locales: { de: document, fr: document } }, 'de')).toEqual([
      'No metadata: Busy. It will be tried again.',
      'No text in de: Busy. It will be tried again.',
    ]);
    const image = { copied: false, failure: { code: 'image-timeout', message: 'Too slow.' } };
    expect(wallet.explainStatus({ document: { state: 'read', image } })).toEqual(['No image: Too slow.']);
    expect(wallet.explainStatus({ document: { state: 'read', image: { copied: true } } })).toEqual([]);
  });

  test.each([
    [{ status: 503 }, 'The server answers with status 503. Try again later.'],
    [{ status: 200 }, 'The answer is no token. Is the base URL right?'],
    [{ status: 404 }, 'Nothing is found here. Is the base URL right?'],
  ])('behavior: the answer %j in words', (answer, words) => {
    expect(wallet.explain(answer)).toBe(words);
  });

  test.each<[string | undefined, number | undefined, string | undefined]>([
    ['1250000', 6, '1.25'],
    ['1000000', 6, '1'],
    ['1', 6, '0.000001'],
    ['0', 6, '0'],
    ['0', 0, '0'],
    ['21', 0, '21'],
    ['1234567', undefined, '1,234,567'],
    ['9007199254740993', 0, '9,007,199,254,740,993'],
    ['340282366920938463463374607431768211455', 18, '340,282,366,920,938,463,463.374607431768211455'],
    ['5', 1_000_000_000, '5 / 10^1000000000'],
    [undefined, 6, undefined],
    ['', 6, undefined],
  ])('behavior: the amount %s with %s decimals is %s', (amount, decimals, whole) => {
    expect(wallet.formatAmount(amount, decimals)).toBe(whole);
  });

  test('behavior: URLs', () => {
    expect(wallet.tokenUrl(' https://host/api// ', 'a.b')).toBe('https://host/api/metadata/v1/ft/a.b');
    expect(wallet.tokenUrl('https://host', '../x?y', 'pt-BR&')).toBe(
      'https://host/metadata/v1/ft/..%2Fx%3Fy?locale=pt-BR%26',
    );
    expect(wallet.statusUrl('https://host/', 'a.b')).toBe('https://host/metadata/v1/status/a.b');
    expect(wallet.imageUrl('https://host/api', '/images/a.png')).toBe('https://host/api/images/a.png');
    expect(wallet.imageUrl('https://host', 'https://other/a.png')).toBe('https://other/a.png');
    expect(wallet.imageUrl('https://host', undefined)).toBeUndefined();
  });

  test('behavior: it needs nothing from elsewhere, and opens from a file', () => {
    const page = read('wallet/index.html');
    const urls = `${page}${read('wallet/wallet.js')}`.match(/\b(?:https?:)?\/\/[\w.:-]+\.[\w.:-]+/g) ?? [];
    expect(new Set(urls)).toEqual(new Set(['http://127.0.0.1:3000']));
    expect([...page.matchAll(/\b(?:src|href)="([^"]*)"/g)].map(([, url]) => url)).toEqual(['data:,', 'wallet.js']);
    // A browser takes no module from a file.
    expect(page).not.toContain('type="module"');
    const checked = spawnSync(process.execPath, ['--check', join(EXAMPLES, 'wallet/wallet.js')], { encoding: 'utf8' });
    expect([checked.status, checked.stderr]).toEqual([0, '']);
    // Names come from strangers.
    expect(read('wallet/wallet.js')).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval/);
  });

  test('behavior: it can be used without eyes', () => {
    const page = read('wallet/index.html');
    expect(page).toMatch(/<html lang="en">/);
    const fields = [...page.matchAll(/<(?:input|textarea|select)[^>]*\bid="([^"]+)"/g)].map(([, id]) => id);
    expect(fields).toHaveLength(2);
    for (const id of fields) expect(page).toContain(`<label for="${id}">`);
    expect(page).toContain('aria-live="polite"');
    expect(read('wallet/wallet.js')).toContain('alt: `Logo of');
  });

  test('behavior: its elements are there that the script looks for', () => {
    const page = read('wallet/index.html');
    for (const id of ['form', 'base', 'principals', 'tokens']) expect(page).toContain(`id="${id}"`);
    expect(page).toContain(PRESS);
  });
});

const INDEX_CALL =
  'npm run --silent index -- --db data/mainnet.sqlite --api-url https://api.hiro.so --discover ft --max-age 7d';
describe.each([
  {
    host: 'nginx',
    calls: [
      INDEX_CALL,
      'npm run --silent build -- --db data/mainnet.sqlite --host nginx',
      'nginx -t',
      'nginx -s reload',
    ],
  },
  {
    host: 'cloudflare',
    calls: [
      INDEX_CALL,
      'npm run --silent build -- --db data/mainnet.sqlite --host cloudflare',
      'npx --yes wrangler@4 deploy --config dist-hosts/cloudflare/wrangler.jsonc',
    ],
  },
])('examples/$host/deploy.sh', ({ host, calls }) => {
  const script = join(EXAMPLES, host, 'deploy.sh');
  const stubs = () => stubCommands('npm', 'npx', 'nginx', 'sudo', 'wrangler');

  test('default', () => {
    expect(stubs()([script])).toEqual({ status: 0, stderr: '', calls });
    expect(spawnSync('bash', ['-n', script]).status).toBe(0);
    expect(statSync(script).mode & 0o111).toBe(0o111);
  });

  test('behavior: arguments go to the build, settings to both', () => {
    const env = { STXPRESS_DB: 'my index.sqlite', STXPRESS_API_URL: 'http://localhost:3999', STXPRESS_MAX_AGE: '12h' };
    const ran = stubs()([script, '--only', 'tokens'], { env });
    expect(ran.calls.slice(0, 2)).toEqual([
      'npm run --silent index -- --db my index.sqlite --api-url http://localhost:3999 --discover ft --max-age 12h',
      `npm run --silent build -- --db my index.sqlite --host ${host} --only tokens`,
    ]);
  });

  test('behavior: what is indexed is published while work is left', () => {
    expect(stubs()([script], { fails: 'silent index', status: 75 })).toEqual({ status: 0, stderr: '', calls });
  });

  test('error: it stops at the first step that fails', () => {
    const run = stubs();
    for (const [index, call] of calls.entries()) {
      expect(run([script], { fails: call, status: 3 })).toMatchObject({ status: 3, calls: calls.slice(0, index + 1) });
    }
    // Only the index may leave work.
    expect(run([script], { fails: 'silent build', status: 75 })).toMatchObject({
      status: 75,
      calls: calls.slice(0, 2),
    });
  });

  test('behavior: stxpress has every flag that it gives', () => {
    expect(strangeFlags(read(`${host}/deploy.sh`))).toEqual([]);
    expect(read(`${host}/README.md`)).toContain(`examples/${host}/deploy.sh`);
  });
});

describe('examples/github-actions/press.yml', () => {
  const workflow = parse(read('github-actions/press.yml')) as {
    on: { schedule: { cron: string }[]; workflow_dispatch: null };
    concurrency: Record<string, unknown>;
    permissions: Record<string, string>;
    jobs: { press: Job; deploy: Job };
  };
  const { press, deploy } = workflow.jobs;
  const steps = [...press.steps, ...deploy.steps];
  const step = (name: string) => steps.find((candidate) => candidate.name === name) as Step & { run: string };

  test('default', () => {
    expect(workflow.on.schedule[0]?.cron).toMatch(/^[1-9]\d? \S+ \* \* \*$/);
    expect(workflow.on).toHaveProperty('workflow_dispatch');
    expect(workflow.concurrency).toEqual({ group: 'press', 'cancel-in-progress': false });
    expect(workflow.permissions).toEqual({});
    expect(press.permissions).toEqual({ contents: 'read', pages: 'read' });
    expect(deploy.permissions).toEqual({ pages: 'write', 'id-token': 'write' });
    expect([deploy.needs, deploy.environment?.name]).toEqual(['press', 'github-pages']);
    for (const job of [press, deploy]) expect(job['timeout-minutes']).toBeGreaterThan(0);
    expect(steps.map(({ uses, name }) => uses?.replace(/@.*/, '') ?? name)).toEqual([
      'actions/checkout',
      'actions/setup-node',
      'Install',
      'actions/cache/restore',
      'Index',
      'actions/cache/save',
      'actions/configure-pages',
      'Build',
      'actions/upload-pages-artifact',
      'actions/deploy-pages',
    ]);
  });

  test('behavior: actions are those of GitHub, at a major version', () => {
    const actions = steps.flatMap(({ uses }) => uses ?? []);
    expect(actions).toHaveLength(7);
    for (const action of actions) expect(action).toMatch(/^actions\/[a-z/-]+@v\d+$/);
  });

  test('behavior: the shell takes every step, and nothing is pasted into one', () => {
    const scripts = steps.flatMap(({ run }) => run ?? []);
    expect(scripts).toHaveLength(3);
    for (const script of scripts) {
      expect(spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
      expect(script).not.toContain('${{');
      expect(strangeFlags(script)).toEqual([]);
    }
    expect(existsSync(fileURLToPath(new URL('../../bin/stxpress.mjs', import.meta.url)))).toBe(true);
  });

  test('behavior: the key comes from the secrets, for one step, in the environment', () => {
    expect(read('github-actions/press.yml').match(/secrets\.\w+/g)).toEqual(['secrets.STXPRESS_API_KEY']);
    expect(Object.keys(step('Index').env ?? {})).toEqual(['STXPRESS_API_KEY']);
  });

  test('behavior: the index is restored, and saved under a name of its own', () => {
    const [restored, saved] = [step('Restore the index').with, step('Save the index').with];
    expect(saved).toEqual({ path: 'live', key: restored?.key });
    expect(restored?.key).toMatch(/^index-.*github\.run_id.*github\.run_attempt/);
    expect(String(restored?.key).startsWith(String(restored?.['restore-keys']))).toBe(true);
    for (const { run } of [step('Index'), step('Build')]) expect(run).toContain('--db live/mainnet.sqlite');
    expect(step('Build').run).toContain(`--out ${step('Upload').with?.path} `);
  });

  test.each([
    [0, 0],
    [75, 0],
    [1, 1],
    [130, 130],
  ])('behavior: index ends with status %i, the step with %i', (status, outcome) => {
    const run = stubCommands('node');
    // As GitHub runs a step.
    const file = join(tempFolder(), 'step.sh');
    writeFileSync(file, step('Index').run);
    expect(run(['-e', file], { fails: 'index', status })).toMatchObject({
      status: outcome,
      calls: [
        'node bin/stxpress.mjs index --db live/mainnet.sqlite --api-url https://api.hiro.so --discover ft --max-age 7d',
      ],
    });
  });

  test('behavior: the build knows where the site will be', () => {
    const run = stubCommands('node');
    expect(step('Build').env?.PUBLIC_URL).toContain('steps.pages.outputs.base_url');
    expect(step('Ask where the site will be').id).toBe('pages');
    expect(run(['-c', step('Build').run], { env: { PUBLIC_URL: 'https://me.example/api' } }).calls).toEqual([
      'node bin/stxpress.mjs build --db live/mainnet.sqlite --out dist --host github-pages --public-url https://me.example/api',
    ]);
  });
});

describe('examples of shards', () => {
  interface Manifest {
    readonly spec: {
      readonly completions: number;
      readonly template: {
        readonly spec: {
          readonly containers: readonly [
            { readonly command: string[]; readonly args: [string]; readonly env: { name: string; value: string }[] },
          ];
        };
      };
    };
  }
  const manifest = (name: string) => parse(read(`kubernetes/${name}`)) as Manifest;
  const containerOf = (name: string) => manifest(name).spec.template.spec.containers[0];

  test('default: what the Kubernetes jobs run makes the site', () => {
    const cwd = tempFolder();
    const [shards, merge] = [containerOf('shards.yaml'), containerOf('merge.yaml')];
    for (const { command } of [shards, merge]) expect(command).toEqual(['/bin/sh', '-euc']);
    expect(shards.env).toContainEqual({ name: 'SHARDS', value: String(manifest('shards.yaml').spec.completions) });
    const env = { SHARDS: '2', ARCHIVE: SAMPLE_ARCHIVE, TARGET: `file:${cwd}/site` };
    for (const index of ['0', '1']) runScript(shards.args[0], { ...env, JOB_COMPLETION_INDEX: index }, cwd);
    runScript(merge.args[0], env, cwd);
    // What needs no VM, which the sample's tokens do.
    const contracts = [...expected].filter(([path]) => /^(extended|v2|search\/contracts)\//.test(path));
    expect(contracts.length).toBeGreaterThan(20);
    for (const [path, text] of contracts) expect(readFileSync(join(cwd, 'site', path), 'utf8')).toBe(text);
    expect(existsSync(join(cwd, 'site/index.html'))).toBe(true);
  });

  test('behavior: stxpress has every flag that they give, and the workflow hands over each export', () => {
    for (const file of ['kubernetes/shards.yaml', 'kubernetes/merge.yaml', 'github-actions/shards.yml'])
      expect(strangeFlags(read(file))).toEqual([]);
    const { shard, merge } = (parse(read('github-actions/shards.yml')) as { jobs: Record<'shard' | 'merge', Job> })
      .jobs;
    const steps = [...shard.steps, ...merge.steps];
    const step = (name: string) => steps.find((candidate) => candidate.name === name) as Step & { run: string };
    expect(merge.needs).toBe('shard');
    for (const { uses } of steps) expect(uses ?? 'actions/a@v1').toMatch(/^actions\/[a-z/-]+@v\d+$/);
    for (const { run } of steps) expect(run ?? '').not.toContain('${{');
    expect(step('Hand over the export').with).toMatchObject({ path: 'exports' });
    expect(step('Collect the exports').with).toMatchObject({ path: 'exports', pattern: 'export-*' });
    for (const name of ['Build', 'Merge']) expect(step(name).run).toContain('--exports exports');
    const file = join(tempFolder(), 'step.sh');
    writeFileSync(file, step('Index').run);
    const run = stubCommands('node');
    for (const [status, outcome] of [
      [0, 0],
      [75, 0],
      [1, 1],
    ] as const)
      expect(run(['-e', file], { fails: 'index', status, env: { SHARD: '2/4' } })).toMatchObject({
        status: outcome,
        calls: [expect.stringContaining('--shard 2/4')],
      });
  });
});

describe('examples/README.md', () => {
  test('default', () => {
    const files = filesBelow(EXAMPLES);
    const links = [...read('README.md').matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    for (const link of links) expect(files).toContain(link);
    const named = new Set(files.filter((file) => !/^(?:README\.md|.*\.dockerignore)$/.test(file)).map(topOf));
    expect(new Set(links.map(topOf))).toEqual(named);
  });
});

/** A file, or the folder that it is in. */
function topOf(path: string): string {
  return path.replace(/\/.*/, '');
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += chunk;
  return text;
}

describe('examples/systemd', () => {
  const units = readdirSync(join(EXAMPLES, 'systemd'));

  test('default: the commands take their flags, and systemd takes the units', () => {
    expect(units.length).toBeGreaterThan(2);
    const calls = units.map((unit) => read(`systemd/${unit}`)).join('\n');
    expect([...calls.matchAll(/env stxpress /g)].length).toBeGreaterThan(3);
    expect(strangeFlags(calls)).toEqual([]);
    const paths = units.map((unit) => join(EXAMPLES, 'systemd', unit));
    const { error, status, stderr } = spawnSync('systemd-analyze', ['verify', ...paths], { encoding: 'utf8' });
    // A machine without systemd cannot say.
    if (error === undefined) expect([status, stderr]).toEqual([0, '']);
  });
});

describe('examples/prometheus', () => {
  const path = join(EXAMPLES, 'prometheus/stxpress-follow.rules.yml');

  test('default: each alert has what it needs, and asks for what a follower says', () => {
    const { groups } = parse(readFileSync(path, 'utf8')) as {
      groups: { rules: { alert: string; expr: string; labels: object; annotations: { summary: string } }[] }[];
    };
    const rules = groups.flatMap((group) => group.rules);
    expect(rules.length).toBeGreaterThan(4);
    for (const { alert, expr, labels, annotations } of rules) {
      expect([alert, labels, annotations.summary.length < 120]).toEqual([
        expect.stringMatching(/^[A-Z][A-Za-z]+$/),
        { severity: expect.stringMatching(/^(page|ticket)$/) },
        true,
      ]);
      const metrics = expr.match(/\b(?:stxpress_\w+|up)\b/g) ?? [];
      expect([alert, metrics.length > 0]).toEqual([alert, true]);
      expect(metrics.filter((name) => name !== 'up' && !FOLLOW_METRICS.includes(name))).toEqual([]);
      const labelled = [...expr.matchAll(/\b(path|reason)!?="([^"]*)"/g)].map(([, , value]) => value);
      expect(labelled.filter((value) => !KNOWN_LABELS.has(value))).toEqual([]);
    }
    const { error, status, stdout } = spawnSync('promtool', ['check', 'rules', path], { encoding: 'utf8' });
    // A machine without Prometheus cannot say.
    if (error === undefined) expect([status, stdout]).toEqual([0, expect.stringContaining(`${rules.length} rules`)]);
  });
});
