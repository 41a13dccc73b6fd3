// Tests the GitHub action, and the workflows for examples, checks and releases. Runs the scripts in their steps with
// real commands, or with stubs that record their calls.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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
  type Stubbing,
  stubCommands,
} from '../support/example-scripts.ts';
import { tempFolder } from '../support/temp-folder.ts';

const stepsOf = <Name extends string>(file: string, ...names: readonly Name[]) => {
  const { jobs } = parse(read(file)) as { jobs: Record<Name, Job> };
  return checkedSteps(names.flatMap((name) => jobs[name].steps));
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
  const step = stepsOf('examples/github-actions/build.yml', 'build', 'deploy');

  test.each(ENDS)('maps status %i of the index to status %i of the step', (status, outcome) => {
    expect(stubCommands('node')(asStep(step('Index')), { fails: 'index', status })).toMatchObject({
      status: outcome,
      calls: [
        'node bin/stxpress.mjs index --db live/mainnet.sqlite --api-url https://api.hiro.so --discover ft --max-age 7d',
      ],
    });
  });

  test('passes the URL of the site to the build', () => {
    const env = { PUBLIC_URL: 'https://me.example/api' };
    expect(stubCommands('node')(asStep(step('Build')), { env }).calls).toEqual([
      'node bin/stxpress.mjs build --db live/mainnet.sqlite --out dist --hosts github-pages --public-url https://me.example/api',
    ]);
  });
});

describe('action.yml', () => {
  const { steps } = (parse(read('action.yml')) as { runs: Job }).runs;
  const step = checkedSteps(steps);

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
    expect(calls('Build', { env: { HOST_NAMES: 'nginx' } })).toEqual([0, `${build} --hosts nginx`]);
    expect(calls('Publish')).toEqual([0, `${command} publish --out dist --to s3://tokens`]);
  });
});

test('.github/workflows/ci.yml runs each part of .ci/run, on each version of Node', () => {
  const { jobs } = parse(read('.github/workflows/ci.yml')) as { jobs: { check: Job } };
  const { part, node } = jobs.check.strategy?.matrix ?? {};
  expect(part?.filter((name) => name !== 'package')).toEqual(read('.ci/run').match(/(?<=^ {4})[a-z]+(?=\))/gm));
  expect(node).toEqual(packageJson.engines.node.split(' || ').map(Number));
});

describe('.github/workflows/release.yml', () => {
  const step = stepsOf('.github/workflows/release.yml', 'pack', 'publish');

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
