// Tests the Docker image: its content, its health check, and the commands of compose.yaml.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { pathOf, read, runProgram, runScript, SENT_FILES, unsupportedFlags } from '../support/example-scripts.ts';
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
}
const { services } = parse(read('examples/compose.yaml'), { merge: true }) as {
  services: Record<'build' | 'serve' | 'follow', Service>;
};

describe('examples/Dockerfile', () => {
  test('copies the files of the package, and starts with supported options', () => {
    const copied = restOf('COPY').flatMap((rest) => (rest.startsWith('--from') ? [] : rest.split(' ').slice(0, -1)));
    expect(copied.toSorted()).toEqual(SENT_FILES.toSorted());
    for (const file of copied) expect([file, existsSync(pathOf(file))]).toEqual([file, true]);
    // The image builds lib/ itself.
    const packed = packageJson.files.filter((file) => file !== 'lib');
    expect(copied).toEqual(expect.arrayContaining(packed));
    const [entry, command] = [...restOf('ENTRYPOINT'), ...restOf('CMD')].map((text) => JSON.parse(text) as string[]);
    expect([entry, unsupportedFlags(`stxpress ${command?.join(' ')}`)]).toEqual([['stxpress'], []]);
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
  test('uses supported options', () => {
    const commands = [services.serve, services.follow].map(({ command }) => `stxpress ${command.join(' ')}`);
    expect(unsupportedFlags(commands.join('\n'))).toEqual([]);
  });

  test('the service build creates a site', async () => {
    const { entrypoint, command } = services.build;
    expect(entrypoint).toEqual(['/bin/sh', '-euc']);
    const cwd = tempFolder();
    await runScript(command[0]?.replaceAll('$$', '$') ?? '', { STXPRESS_ARCHIVE: SAMPLE_ARCHIVE }, cwd);
    expect(existsSync(join(cwd, 'dist/metadata/v1/tokenlist.json'))).toBe(true);
  });
});
