// Tests the npm package. Packs it from the files that the image contains, installs it without development packages, and
// runs it.
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { openBucket } from '../support/bucket.ts';
import { checkedSteps, copyProject, pathOf, read, type Step } from '../support/example-scripts.ts';
import { spawnCli, untilPrinted } from '../support/run-cli.ts';
import { offlineSample, readTree } from '../support/sample.ts';
import { tempFolderForFile } from '../support/temp-folder.ts';

const folder = tempFolderForFile();
const clone = join(folder, 'clone');
const workspace = join(folder, 'workspace');
const installed = join(folder, 'node_modules/stxpress');
const ENTRY = join(installed, 'bin/stxpress.mjs');
const step = checkedSteps((parse(read('action.yml')) as { runs: { steps: Step[] } }).runs.steps);

const must = (cwd: string, command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
  const ran = spawnSync(command, args, { cwd, encoding: 'utf8', env: { ...process.env, ...env } });
  expect([ran.status, ran.status === 0 ? '' : ran.stderr]).toEqual([0, '']);
  return ran.stdout;
};
const stxpress = (...args: string[]) => must(folder, process.execPath, [ENTRY, ...args]);
const runStep = (name: string, env: NodeJS.ProcessEnv = {}) => {
  const where = { RUNNER_TEMP: folder, GITHUB_ACTION_PATH: clone };
  return must(workspace, 'bash', ['-e', '-o', 'pipefail', '-c', step(name).run], { ...where, ...env });
};

beforeAll(() => {
  mkdirSync(workspace);
  copyProject(clone);
  // `npm ci` empties this folder. With a link for each package, it removes only the links and not the packages of this
  // project.
  mkdirSync(join(clone, 'node_modules'));
  for (const name of readdirSync(pathOf('node_modules')))
    symlinkSync(pathOf(`node_modules/${name}`), join(clone, 'node_modules', name));
  runStep('Install');
  // The time limit is high, since npm may download the packages.
}, 300_000);

test('indexes, builds and serves the same site, and shows its commands as users run them', async () => {
  expect(stxpress('index', '--archive', 'node_modules/stxpress/data/sample/chain.tsv', '--offline')).toContain(
    'The index is data/index.sqlite',
  );
  stxpress('build', '--hosts', 'nginx,cloudflare,s3-cloudfront');
  const worker = readFileSync(join(folder, 'dist-hosts/cloudflare/worker.js'), 'utf8');
  expect(worker).toMatch(/^const RULES = \{.*\};$/m);
  expect(worker).toContain('handleRequest(');
  expect(readFileSync(join(folder, 'dist-hosts/s3-cloudfront/origin-request.mjs'), 'utf8')).toContain(
    'AWS4-HMAC-SHA256',
  );
  const tree = readTree(join(folder, 'dist'));
  for (const [path, body] of await offlineSample()) expect([path, tree.get(path)]).toEqual([path, body]);
  expect(tree.get('explorer/app.js')?.length).toBeGreaterThan(10_000);
  expect(tree.get('docs/swagger-ui-bundle.js')?.length).toBeGreaterThan(1_000_000);
  expect(stxpress('status')).toContain('7');
  const server = spawnCli(['serve', '--port', '0'], { cwd: folder, entry: ENTRY });
  const [base = ''] = /http:\S+:\d+/.exec(await untilPrinted(server.stdout, /Ctrl-C/)) ?? [];
  const response = await fetch(`${base}/metadata/v1/search/contracts`);
  expect([(await fetch(`${base}/explorer/app.js`)).status, response.status]).toEqual([200, 404]);
  server.kill('SIGTERM');
  expect(await once(server, 'close')).toEqual([0, null]);
});

test('builds and publishes in the action', async () => {
  const archive = join(installed, 'data/sample/chain.tsv');
  const db = join(workspace, '.stxpress-index/index.sqlite');
  stxpress('index', '--archive', archive, '--db', db, '--offline', '--no-vm', '--quiet');
  runStep('Build', { STXPRESS_PUBLIC_URL: 'https://tokens.example.org', HOST_NAMES: 'github-pages' });
  const bucket = await openBucket();
  const env = { AWS_ACCESS_KEY_ID: 'KEY', AWS_SECRET_ACCESS_KEY: 'SECRET', STXPRESS_ENDPOINT: bucket.url };
  // The bucket responds in this process, which must not block.
  await promisify(execFile)('bash', ['-e', '-o', 'pipefail', '-c', step('Publish').run], {
    cwd: workspace,
    env: { ...process.env, RUNNER_TEMP: folder, TARGET: 's3://site', ...env },
  });
  expect(bucket.objects.has('metadata/v1/tokenlist.json')).toBe(true);
});

test('has no modules to import', () => {
  const script = `import('stxpress/lib/cli/main.js').catch(({ code }) => console.log(code))`;
  expect(must(folder, process.execPath, ['-e', script])).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED\n');
});

test('contains only the required files', () => {
  const packed = [...readTree(installed).keys()].filter((path) => !path.startsWith('node_modules/'));
  expect(packed.filter((path) => !path.startsWith('lib/')).toSorted()).toEqual([
    'LICENSE',
    'README.md',
    'bin/stxpress.mjs',
    'data/sample/chain.tsv',
    'data/sample/examples.json',
    'package-lock.json',
    'package.json',
  ]);
  // The package contains the explorer as a bundle. In addition, it contains only the files of the explorer that
  // commands import.
  expect(packed.filter((path) => /\.tsx?$|^lib\/hosts\/edge/.test(path))).toEqual([]);
  expect(readdirSync(join(installed, 'lib/explorer')).toSorted()).toEqual([
    'find-in-blocks.js',
    'find-tokens.js',
    'search-text.js',
  ]);
  const packages = readdirSync(join(installed, 'node_modules'));
  // A dependency of stxpress needs hyparquet too.
  for (const name of Object.keys(packageJson.devDependencies).filter((each) => each !== 'hyparquet'))
    expect([name, existsSync(join(installed, 'node_modules', name))]).toEqual([name, false]);
  expect(packages.length).toBeGreaterThan(10);
});
