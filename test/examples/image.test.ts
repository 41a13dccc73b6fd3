// The image for one machine, the GitHub action and the workflow of releases: what they run, run for real or against
// recording stubs.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { type Job, runScript, type Step, strangeFlags, stubCommands } from '../support/example-scripts.ts';
import { SAMPLE_ARCHIVE } from '../support/sample.ts';
import { serveSample } from '../support/served-sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The instructions of the Dockerfile, lines that go on joined. */
const instructions = read('examples/Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => ({ name: line.replace(/ .*/, ''), rest: line.replace(/^\S+ /, '') }));
const restOf = (name: string) => instructions.filter((one) => one.name === name).map(({ rest }) => rest);

interface Service {
  readonly entrypoint?: readonly string[];
  readonly command: readonly string[];
  readonly read_only: boolean;
  readonly tmpfs: readonly string[];
  readonly cap_drop: readonly string[];
  readonly volumes: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: object;
  readonly healthcheck?: { readonly disable?: boolean; readonly test?: readonly string[] };
}
const compose = parse(read('examples/compose.yaml'), { merge: true }) as {
  services: Record<'press' | 'serve' | 'follow', Service>;
  volumes: object;
  'x-stxpress': { build: { context: string; dockerfile: string } };
};

/** The exit status of a health check, where `port` is another one. */
const check = async ([program, ...args]: readonly string[], port: number, own: number) => {
  expect(program).toBe('node');
  const child = spawn(
    process.execPath,
    args.map((one) => one.replace(String(own), String(port))),
  );
  return new Promise((resolve) => child.once('close', resolve));
};
const healthOfImage = () => JSON.parse(restOf('HEALTHCHECK')[0]?.replace(/^.* CMD /, '') ?? '') as string[];

describe('examples/Dockerfile', () => {
  test('default: two stages, of files that are there and sent, run by a user who owns the volume alone', () => {
    expect(new Set(instructions.map(({ name }) => name))).toEqual(
      new Set('FROM WORKDIR COPY RUN USER VOLUME EXPOSE HEALTHCHECK ENTRYPOINT CMD'.split(' ')),
    );
    const major = /^>=(\d+)$/.exec(packageJson.engines.node)?.[1];
    expect(restOf('FROM')).toEqual([`node:${major}-slim AS build`, `node:${major}-slim`]);
    const sent = read('examples/Dockerfile.dockerignore').match(/(?<=^!).*/gm) ?? [];
    const copied = restOf('COPY').flatMap((rest) => (rest.startsWith('--from') ? [] : rest.split(' ').slice(0, -1)));
    expect(copied.toSorted()).toEqual(sent.toSorted());
    for (const file of copied) expect([file, existsSync(join(ROOT, file))]).toEqual([file, true]);
    // What the package has, and what makes it.
    const packed = packageJson.files.filter((file) => file !== 'lib');
    expect(copied).toEqual(expect.arrayContaining(packed));
    const afterUser = instructions.slice(instructions.findIndex(({ name }) => name === 'USER') + 1);
    expect([restOf('USER'), afterUser.map(({ name }) => name)]).toEqual([
      ['node'],
      ['WORKDIR', 'VOLUME', 'EXPOSE', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD'],
    ]);
    expect(restOf('VOLUME')).toEqual(['/data']);
    for (const script of restOf('RUN'))
      expect(spawnSync('sh', ['-n'], { input: script, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
    const [entry, command] = [restOf('ENTRYPOINT')[0] ?? '', restOf('CMD')[0] ?? ''].map(
      (text) => JSON.parse(text) as string[],
    );
    expect([entry, strangeFlags([...(entry ?? []), ...(command ?? [])].join(' '))]).toEqual([['stxpress'], []]);
  });

  test('behavior: its health is that of the server', async () => {
    const { server, base } = await serveSample(tempFolder());
    const port = Number(new URL(base).port);
    expect(await check(healthOfImage(), port, 3000)).toBe(0);
    server.close();
    server.closeAllConnections();
    expect(await check(healthOfImage(), port, 3000)).toBe(1);
  });
});

describe('examples/compose.yaml', () => {
  test('default: nothing is writable but the volume, and only the node of this machine may post', () => {
    const { press, serve, follow } = compose.services;
    for (const service of [press, serve, follow])
      expect(service).toMatchObject({ read_only: true, tmpfs: ['/tmp'], cap_drop: ['ALL'], init: true });
    expect([press.volumes, serve.volumes, follow.volumes]).toEqual([
      ['data:/data', './archives:/archives:ro'],
      ['data:/data:ro'],
      ['data:/data'],
    ]);
    expect(compose.volumes).toEqual({ data: null });
    const { context, dockerfile } = compose['x-stxpress'].build;
    expect(existsSync(join(ROOT, 'examples', context, dockerfile))).toBe(true);
    expect(follow.ports).toEqual(['127.0.0.1:3700:3700']);
    expect(strangeFlags([serve, follow].map(({ command }) => `stxpress ${command.join(' ')}`).join('\n'))).toEqual([]);
    for (const { depends_on } of [serve, follow])
      expect(depends_on).toEqual({ press: { condition: 'service_completed_successfully' } });
    expect([press.healthcheck?.disable, follow.healthcheck?.test?.[0]]).toEqual([true, 'CMD']);
  });

  test('behavior: what it runs first makes a site', () => {
    const { entrypoint, command } = compose.services.press;
    expect(entrypoint).toEqual(['/bin/sh', '-euc']);
    const cwd = tempFolder();
    runScript(command[0]?.replaceAll('$$', '$') ?? '', { STXPRESS_ARCHIVE: SAMPLE_ARCHIVE }, cwd);
    expect(existsSync(join(cwd, 'dist/metadata/v1/tokenlist.json'))).toBe(true);
  });
});

describe('action.yml', () => {
  const action = parse(read('action.yml')) as {
    inputs: Record<string, { description: string; required?: boolean; default?: string }>;
    runs: { using: string; steps: (Step & { shell?: string })[] };
  };
  const { steps } = action.runs;
  const step = (name: string) => steps.find((candidate) => candidate.name === name) as Step & { run: string };

  test('default', () => {
    expect(action.runs.using).toBe('composite');
    expect(Object.keys(action.inputs)).toEqual(['api-url', 'public-url', 'host', 'publish-to']);
    for (const one of Object.values(action.inputs))
      expect(one.required === true || one.default !== undefined).toBe(true);
    for (const { uses, run, shell } of steps) {
      expect(uses ?? 'actions/a@v1').toMatch(/^actions\/[a-z/-]+@v\d+$/);
      expect(run === undefined ? 'bash' : shell).toBe('bash');
      expect(run ?? '').not.toContain('${{');
      expect(strangeFlags(run ?? 'stxpress build --out dist')).toEqual([]);
      expect(spawnSync('bash', ['-n'], { input: run ?? '', encoding: 'utf8' })).toMatchObject({
        status: 0,
        stderr: '',
      });
    }
    const used = JSON.stringify(steps)
      .match(/inputs\.[a-z-]+/g)
      ?.map((name) => name.replace('inputs.', ''));
    expect(new Set(used)).toEqual(new Set(Object.keys(action.inputs)));
    const [restored, saved] = [step('Restore the index').with, step('Save the index').with];
    expect([saved, String(restored?.key).startsWith(String(restored?.['restore-keys']))]).toEqual([
      { path: restored?.path, key: restored?.key },
      true,
    ]);
  });

  test('behavior: the steps run one after the other, as GitHub runs them', () => {
    const env = { GITHUB_ACTION_PATH: '/action', TARGET: 's3://tokens', HOST_NAMES: '' };
    const run = stubCommands('node', 'npm');
    const calls = (name: string, more: Partial<typeof env> = {}, given: { fails?: string; status?: number } = {}) => {
      const file = join(tempFolder(), 'step.sh');
      writeFileSync(file, step(name).run);
      const ran = run(['--noprofile', '--norc', '-e', '-o', 'pipefail', file], { env: { ...env, ...more }, ...given });
      return [ran.status, ...ran.calls];
    };
    const command = 'node /action/bin/stxpress.mjs';
    const index = `${command} index --db .stxpress-index/index.sqlite --discover ft --max-age 7d`;
    const build = `${command} build --db .stxpress-index/index.sqlite --out dist`;
    expect(calls('Install')).toEqual([0, 'npm ci --omit=dev --prefix /action']);
    expect(calls('Index')).toEqual([0, index]);
    expect(calls('Index', {}, { fails: 'index', status: 75 })).toEqual([0, index]);
    expect(calls('Index', {}, { fails: 'index', status: 1 })).toEqual([1, index]);
    expect(calls('Build')).toEqual([0, build]);
    expect(calls('Build', { HOST_NAMES: 'nginx' })).toEqual([0, `${build} --host nginx`]);
    expect(calls('Publish')).toEqual([0, `${command} publish --out dist --to s3://tokens --take-over`]);
  });
});

describe('.github/workflows/release.yml', () => {
  const workflow = parse(read('.github/workflows/release.yml')) as {
    on: { push: { tags: string[] } };
    permissions: object;
    jobs: Record<'pack' | 'publish', Job>;
  };
  const { pack, publish } = workflow.jobs;
  const scriptOf = (name: string) => [...pack.steps, ...publish.steps].find((one) => one.name === name)?.run ?? '';

  test('default: what was tested is what is published, by a job that runs nothing else', () => {
    expect([workflow.on.push.tags, workflow.permissions]).toEqual([['v*'], {}]);
    expect([pack.permissions, publish.permissions]).toEqual([{ contents: 'read' }, { 'id-token': 'write' }]);
    expect([publish.needs, publish.steps.flatMap(({ run }) => run ?? [])]).toEqual(['pack', [scriptOf('Publish')]]);
    expect(scriptOf('Publish')).toContain('--provenance');
    for (const { uses, run = '' } of [...pack.steps, ...publish.steps]) {
      expect(uses ?? 'actions/a@v1').toMatch(/^actions\/[a-z/-]+@v\d+$/);
      expect(run).not.toContain('${{');
      expect(spawnSync('bash', ['-n'], { input: run, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
    }
    expect(strangeFlags(scriptOf('Test the package'))).toEqual([]);
    const named = [...scriptOf('Test').matchAll(/npm run ([a-z]+)/g)].map(([, name]) => name);
    expect(Object.keys(packageJson.scripts)).toEqual(expect.arrayContaining(named));
  });

  test('behavior: the tag, the version and the changes say the same', () => {
    const ask = (tag: string) =>
      spawnSync('bash', ['-e', '-c', scriptOf('Check the version')], {
        cwd: ROOT,
        encoding: 'utf8',
        env: { ...process.env, GITHUB_REF_NAME: tag },
      });
    expect(ask(`v${packageJson.version}`)).toMatchObject({ status: 0, stderr: '' });
    expect(ask('v9.9.9')).toMatchObject({ status: 1, stdout: expect.stringContaining('the version') });
  });
});
