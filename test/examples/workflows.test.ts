// Tests the GitHub action, and the workflows for examples, checks and releases. Runs the scripts in their steps with
// real commands, or with stubs that record their calls.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import {
  asStep,
  checkedSteps,
  type Job,
  pathOf,
  read,
  type Step,
  type Stubbing,
  stubCommands,
} from '../support/example-scripts.ts';
import { tempFolder } from '../support/temp-folder.ts';

interface Workflow<Name extends string> {
  readonly on: { readonly schedule?: { cron: string }[]; readonly push?: object };
  readonly concurrency?: object;
  readonly permissions: object;
  readonly jobs: Record<Name, Job>;
}
const workflowOf = <Name extends string>(file: string) => parse(read(file)) as Workflow<Name>;

/** Checks that a workflow saves the index under a new key, and restores the newest saved index. */
const expectSaved = (step: (name: string) => Step, path: string, key: RegExp) => {
  const [restored, saved] = [step('Restore the index').with, step('Save the index').with];
  expect(saved).toEqual({ path, key: restored?.key });
  expect(restored?.key).toMatch(key);
  expect(String(restored?.key).startsWith(String(restored?.['restore-keys']))).toBe(true);
};

/**
 * Pairs of an exit status of `index` and the expected exit status of the workflow's step. Status 75 is not a failure.
 */
const ENDS = [
  [0, 0],
  [75, 0],
  [1, 1],
  [130, 130],
] as const;

describe('examples/github-actions/build.yml', () => {
  const file = 'examples/github-actions/build.yml';
  const { jobs, ...workflow } = workflowOf<'build' | 'deploy'>(file);
  const { build, deploy } = jobs;
  const steps = [...build.steps, ...deploy.steps];
  const step = checkedSteps(steps);

  test('has the expected triggers, permissions and steps', () => {
    expect(workflow.on.schedule?.[0]?.cron).toMatch(/^[1-9]\d? \S+ \* \* \*$/);
    expect(workflow.on).toHaveProperty('workflow_dispatch');
    expect(workflow.concurrency).toEqual({ group: 'build', 'cancel-in-progress': false });
    expect(workflow.permissions).toEqual({});
    expect(build.permissions).toEqual({ contents: 'read', pages: 'read' });
    expect(deploy.permissions).toEqual({ pages: 'write', 'id-token': 'write' });
    expect([deploy.needs, deploy.environment?.name]).toEqual(['build', 'github-pages']);
    for (const job of [build, deploy]) expect(job['timeout-minutes']).toBeGreaterThan(0);
    expect(steps.map(({ uses, name }) => uses?.replace(/^actions\/|@.*/g, '') ?? name).join(', ')).toBe(
      'checkout, setup-node, Install, cache/restore, Index, cache/save, configure-pages, Build, upload-pages-artifact, deploy-pages',
    );
    expect(existsSync(pathOf('bin/stxpress.mjs'))).toBe(true);
  });

  test('passes the key from the secrets to one step', () => {
    expect(read(file).match(/secrets\.\w+/g)).toEqual(['secrets.STXPRESS_API_KEY']);
    expect(Object.keys(step('Index').env ?? {})).toEqual(['STXPRESS_API_KEY']);
  });

  test('saves the index, and uploads the build', () => {
    expectSaved(step, 'live', /^index-.*github\.run_id.*github\.run_attempt/);
    for (const { run } of [step('Index'), step('Build')]) expect(run).toContain('--db live/mainnet.sqlite');
    expect(step('Build').run).toContain(`--out ${step('Upload').with?.path} `);
  });

  test.each(ENDS)('maps status %i of the index to status %i of the step', (status, outcome) => {
    expect(stubCommands('node')(asStep(step('Index')), { fails: 'index', status })).toMatchObject({
      status: outcome,
      calls: [
        'node bin/stxpress.mjs index --db live/mainnet.sqlite --api-url https://api.hiro.so --discover ft --max-age 7d',
      ],
    });
  });

  test('passes the URL of the site to the build', () => {
    expect(step('Build').env?.PUBLIC_URL).toContain('steps.pages.outputs.base_url');
    expect(step('Read the URL of the site').id).toBe('pages');
    const env = { PUBLIC_URL: 'https://me.example/api' };
    expect(stubCommands('node')(asStep(step('Build')), { env }).calls).toEqual([
      'node bin/stxpress.mjs build --db live/mainnet.sqlite --out dist --host github-pages --public-url https://me.example/api',
    ]);
  });
});

describe('action.yml', () => {
  const action = parse(read('action.yml')) as {
    inputs: Record<string, { description: string; required?: boolean; default?: string }>;
    runs: { using: string; steps: (Step & { shell?: string })[] };
  };
  const { steps } = action.runs;
  const step = checkedSteps(steps);

  test('uses all of its inputs, and saves the index', () => {
    expect(action.runs.using).toBe('composite');
    expect(Object.keys(action.inputs)).toEqual(['api-url', 'public-url', 'host', 'publish-to']);
    for (const input of Object.values(action.inputs))
      expect(input.required === true || input.default !== undefined).toBe(true);
    for (const { run, shell } of steps) expect(shell).toBe(run === undefined ? undefined : 'bash');
    const used = JSON.stringify(steps).match(/(?<=inputs\.)[a-z-]+/g);
    expect(new Set(used)).toEqual(new Set(Object.keys(action.inputs)));
    expectSaved(step, '.stxpress-index', /github\.run_id.*github\.run_attempt/);
  });

  test('lets the environment replace the defaults of the index', () => {
    const folder = join(tempFolder(), 'node_modules/stxpress/bin');
    mkdirSync(folder, { recursive: true });
    const print = 'const { STXPRESS_DISCOVER: a, STXPRESS_MAX_AGE: b } = process.env; console.log(a, b);';
    writeFileSync(join(folder, 'stxpress.mjs'), print);
    const settings = (env: object) =>
      spawnSync('bash', asStep(step('Index')), {
        encoding: 'utf8',
        env: { ...process.env, RUNNER_TEMP: join(folder, '../../..'), ...env },
      }).stdout;
    expect(settings({})).toBe('ft 7d\n');
    expect(settings({ STXPRESS_DISCOVER: 'other', STXPRESS_MAX_AGE: '1h' })).toBe('other 1h\n');
  });

  test('runs the steps in sequence, like GitHub', () => {
    const env = { RUNNER_TEMP: '/temp', TARGET: 's3://tokens', HOST_NAMES: '' };
    const run = stubCommands('node');
    const calls = (name: string, { env: extraEnv, ...options }: Stubbing = {}) => {
      const ran = run(asStep(step(name)), { env: { ...env, ...extraEnv }, ...options });
      return [ran.status, ...ran.calls];
    };
    const command = 'node /temp/node_modules/stxpress/bin/stxpress.mjs';
    const index = `${command} index --db .stxpress-index/index.sqlite`;
    const build = `${command} build --db .stxpress-index/index.sqlite --out dist`;
    for (const [status, outcome] of ENDS) expect(calls('Index', { fails: 'index', status })).toEqual([outcome, index]);
    expect(calls('Build')).toEqual([0, build]);
    expect(calls('Build', { env: { HOST_NAMES: 'nginx' } })).toEqual([0, `${build} --host nginx`]);
    expect(calls('Publish')).toEqual([0, `${command} publish --out dist --to s3://tokens --take-over`]);
  });
});

test('.github/workflows/ci.yml runs each part of .ci/run', () => {
  const { jobs, ...workflow } = workflowOf<'check'>('.github/workflows/ci.yml');
  expect([workflow.on, workflow.permissions]).toEqual([{ pull_request: null, push: { branches: ['main'] } }, {}]);
  expect(jobs.check.permissions).toEqual({ contents: 'read' });
  const { run } = checkedSteps(jobs.check.steps)('Check');
  expect(statSync(pathOf(run.split(' ')[0] ?? '')).mode & 0o111).toBeGreaterThan(0);
  const { part, node } = jobs.check.strategy?.matrix ?? {};
  expect(part?.filter((name) => name !== 'package')).toEqual(read('.ci/run').match(/(?<=^ {4})[a-z]+(?=\))/gm));
  expect(node).toEqual(packageJson.engines.node.split(' || ').map(Number));
});

describe('.github/workflows/release.yml', () => {
  const { jobs, ...workflow } = workflowOf<'pack' | 'publish'>('.github/workflows/release.yml');
  const { pack, publish } = jobs;
  const step = checkedSteps([...pack.steps, ...publish.steps]);

  test('publishes the tested package, in a separate job', () => {
    expect([workflow.on.push, workflow.permissions]).toEqual([{ tags: ['v*'] }, {}]);
    expect([pack.permissions, publish.permissions]).toEqual([{ contents: 'read' }, { 'id-token': 'write' }]);
    expect([publish.needs, publish.steps.flatMap(({ run }) => run ?? [])]).toEqual(['pack', [step('Publish').run]]);
    expect(step('Publish').run).toContain('--provenance');
  });

  test('writes the repository to the package', () => {
    const cwd = tempFolder();
    copyFileSync(pathOf('package.json'), join(cwd, 'package.json'));
    const env = { ...process.env, GITHUB_REPOSITORY: 'octo-org/stxpress' };
    const { run } = step('Write the repository to the package');
    expect(spawnSync('bash', ['-e', '-c', run], { cwd, env, encoding: 'utf8' })).toMatchObject({ status: 0 });
    expect(JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'))).toEqual({
      ...packageJson,
      homepage: 'https://github.com/octo-org/stxpress#readme',
      bugs: 'https://github.com/octo-org/stxpress/issues',
      repository: { type: 'git', url: 'git+https://github.com/octo-org/stxpress.git' },
    });
  });

  test('requires the same version in the tag, the package and the changes', () => {
    const ask = (tag: string) =>
      spawnSync('bash', ['-e', '-c', step('Check the version').run], {
        cwd: pathOf('.'),
        encoding: 'utf8',
        env: { ...process.env, GITHUB_REF_NAME: tag },
      });
    expect(ask(`v${packageJson.version}`)).toMatchObject({ status: 0, stderr: '' });
    expect(ask('v9.9.9')).toMatchObject({ status: 1, stdout: expect.stringContaining('the version') });
  });
});
