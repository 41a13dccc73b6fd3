// Scripts, workflows and jobs of the examples, run with recording stubs or with the real command.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Job, runScript, type Step, strangeFlags, stubCommands } from '../support/example-scripts.ts';
import { expectedSample, SAMPLE_ARCHIVE } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));
const read = (path: string) => readFileSync(join(EXAMPLES, path), 'utf8');

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
    const contracts = [...expectedSample()].filter(([path]) => /^(extended|v2|search\/contracts)\//.test(path));
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
