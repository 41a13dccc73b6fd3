// Tests the Docker image: its content, its health check, and the services of compose.yaml.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { pathOf, read, runProgram, runScript, unsupportedFlags } from '../support/example-scripts.ts';
import { SAMPLE_ARCHIVE } from '../support/sample.ts';
import { serveSample } from '../support/served-sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** The instructions of the Dockerfile. Lines that continue an instruction are joined with it. */
const instructions = read('examples/Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => ({ name: line.replace(/ .*/, ''), rest: line.replace(/^\S+ /, '') }));
const restOf = (name: string) =>
  instructions.filter((instruction) => instruction.name === name).map(({ rest }) => rest);

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
  services: Record<'build' | 'serve' | 'follow', Service>;
  volumes: object;
  'x-stxpress': { build: { context: string; dockerfile: string } };
};

describe('examples/Dockerfile', () => {
  test('has two stages of existing files, and a user who owns only the volume', () => {
    expect(new Set(instructions.map(({ name }) => name))).toEqual(
      new Set('FROM WORKDIR COPY RUN USER VOLUME EXPOSE HEALTHCHECK ENTRYPOINT CMD'.split(' ')),
    );
    const major = /^(\d+)/.exec(packageJson.engines.node)?.[1];
    expect(restOf('FROM')).toEqual([`node:${major}-slim AS build`, `node:${major}-slim`]);
    const sent = read('examples/Dockerfile.dockerignore').match(/(?<=^!).*/gm) ?? [];
    const copied = restOf('COPY').flatMap((rest) => (rest.startsWith('--from') ? [] : rest.split(' ').slice(0, -1)));
    expect(copied.toSorted()).toEqual(sent.toSorted());
    for (const file of copied) expect([file, existsSync(pathOf(file))]).toEqual([file, true]);
    // The image must copy the files of the package, except for lib/, which it builds.
    const packed = packageJson.files.filter((file) => file !== 'lib');
    expect(copied).toEqual(expect.arrayContaining(packed));
    expect(restOf('RUN')).toContain('scripts/install-package.sh /opt');
    expect(restOf('COPY')).toContain('--from=build /opt/node_modules /opt/node_modules');
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
    expect([entry, unsupportedFlags([...(entry ?? []), ...(command ?? [])].join(' '))]).toEqual([['stxpress'], []]);
  });

  test('checks the health of the server', async () => {
    const { server, port } = await serveSample(tempFolder());
    const command = JSON.parse(restOf('HEALTHCHECK')[0]?.replace(/^.* CMD /, '') ?? '') as string[];
    expect(command).toEqual(['node', '-e', expect.any(String)]);
    const health = async () => (await runProgram(command[2]?.replace('3000', `${port}`) ?? '', [], true)).status;
    expect(await health()).toBe(0);
    server.close();
    server.closeAllConnections();
    expect(await health()).toBe(1);
  });
});

describe('examples/compose.yaml', () => {
  test('can write only to the volume, and lets only the node of this machine post', () => {
    const { build, serve, follow } = compose.services;
    for (const service of [build, serve, follow])
      expect(service).toMatchObject({ read_only: true, tmpfs: ['/tmp'], cap_drop: ['ALL'], init: true });
    expect([build.volumes, serve.volumes, follow.volumes]).toEqual([
      ['data:/data', './archives:/archives:ro'],
      ['data:/data:ro'],
      ['data:/data'],
    ]);
    expect(compose.volumes).toEqual({ data: null });
    const { context, dockerfile } = compose['x-stxpress'].build;
    expect(existsSync(pathOf(join('examples', context, dockerfile)))).toBe(true);
    expect(follow.ports).toEqual(['127.0.0.1:3700:3700']);
    expect(unsupportedFlags([serve, follow].map(({ command }) => `stxpress ${command.join(' ')}`).join('\n'))).toEqual(
      [],
    );
    for (const { depends_on } of [serve, follow])
      expect(depends_on).toEqual({ build: { condition: 'service_completed_successfully' } });
    expect([build.healthcheck?.disable, follow.healthcheck?.test?.[0]]).toEqual([true, 'CMD']);
  });

  test('the service build creates a site', async () => {
    const { entrypoint, command } = compose.services.build;
    expect(entrypoint).toEqual(['/bin/sh', '-euc']);
    const cwd = tempFolder();
    await runScript(command[0]?.replaceAll('$$', '$') ?? '', { STXPRESS_ARCHIVE: SAMPLE_ARCHIVE }, cwd);
    expect(existsSync(join(cwd, 'dist/metadata/v1/tokenlist.json'))).toBe(true);
  });
});
