// Tests the script that runs the commands of package.json. It must pass arguments and signals to the program.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { COMMANDS } from '#cli/commands.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { endOf, untilPrinted } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

const SCRIPTS = fileURLToPath(new URL('../../scripts', import.meta.url));
const SRC = fileURLToPath(new URL('../../src', import.meta.url));
const PRINT = `#!/usr/bin/env -S node --no-warnings --max-semi-space-size=8
console.log(JSON.stringify([process.argv.slice(1), process.execArgv])); console.log(process.argv0); process.exitCode = 7;`;
const WAIT = `process.once('SIGTERM', () => { console.log('stopping'); }); setInterval(() => {}, 1000); console.log('ready');`;

const NODES = [
  ['this Node', false],
  ['the Node that it installs', true],
] as const;

/**
 * Starts a program with the script. `isOld`: Node is too old and a package is missing, so the script calls npm, which
 * is a stub.
 */
function start(program: string, isOld: boolean, variables = {}): { child: ChildProcess; project: string } {
  const project = tempFolder();
  mkdirSync(join(project, 'scripts'));
  for (const name of ['install.mjs', 'install-packages.mjs', 'run.mjs'])
    cpSync(join(SCRIPTS, name), join(project, 'scripts', name));
  writeFileSync(join(project, 'scripts/bundle.mjs'), '');
  const packages = { '': {}, ...(isOld ? { 'node_modules/missing': { version: '1.0.0' } } : {}) };
  writeFileSync(join(project, 'package-lock.json'), JSON.stringify({ packages }));
  writeFileSync(join(project, 'npm'), '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(join(project, 'program.mjs'), program);
  mkdirSync(join(project, 'node_modules/node/bin'), { recursive: true });
  symlinkSync(process.execPath, join(project, 'node_modules/node/bin/node'));
  writeFileSync(
    join(project, 'older.mjs'),
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });`,
  );
  const flags = isOld ? ['--import', './older.mjs'] : [];
  const args = [...flags, 'scripts/run.mjs', 'program.mjs', '--flag', 'two words'];
  const env = { ...process.env, PATH: `${project}:${process.env.PATH}`, ...variables };
  return { child: spawn(process.execPath, args, { cwd: project, env }), project };
}

test.each(NODES)('passes arguments, options of Node and the exit status to %s', async (_, isOld) => {
  const { child, project } = start(PRINT, isOld);
  const { status, stdout } = await endOf(child);
  const [printed = '', node = ''] = stdout.split('\n');
  const [args, options] = JSON.parse(printed) as [string[], string[]];
  expect(status).toBe(7);
  expect(args).toEqual([join(project, 'program.mjs'), '--flag', 'two words']);
  expect(options.slice(-2)).toEqual(['--no-warnings', '--max-semi-space-size=8']);
  expect(node.startsWith(project)).toBe(isOld);
});

test('runs the script publish in `npm run publish`, but not after `npm publish`', async () => {
  const statusIn = async (npmCommand: string) => {
    const { child } = start(PRINT, false, { npm_command: npmCommand, npm_lifecycle_event: 'publish' });
    return (await endOf(child)).status;
  };
  expect([await statusIn('run'), await statusIn('run-script'), await statusIn('publish')]).toEqual([7, 7, 0]);
});

test.each(NODES)('passes signals to %s, and ends by the signal that ends the program', async (_, isOld) => {
  const { child } = start(WAIT, isOld);
  const closed = once(child, 'close');
  await untilPrinted(child.stdout, /ready/);
  const stopping = untilPrinted(child.stdout, /stopping/);
  child.kill('SIGTERM');
  await stopping;
  child.kill('SIGINT');
  expect(await closed).toEqual([null, 'SIGINT']);
});

test('messages and files name commands as this installation has them', () => {
  const names = COMMANDS.map(({ name }) => name).join('|');
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const literals = files.flatMap((name) => {
    // Comments are for readers of the code.
    const code = readFileSync(join(SRC, name), 'utf8').replaceAll(/^ *(?:\/\/|\/?\*).*$/gm, '');
    return [...code.matchAll(new RegExp(`(?:stxpress|npm run) (?:${names})\\b`, 'g'))].map(([text]) => [name, text]);
  });
  expect(literals).toEqual([]);
});

test('each npm script runs its programs with the script, which installs missing packages', () => {
  const { scripts, engines } = packageJson as { scripts: Record<string, string>; engines: { node: string } };
  for (const { name } of COMMANDS) expect(scripts[name]).toBe(`node scripts/run.mjs bin/stxpress.mjs ${name}`);
  for (const [name, script] of Object.entries(scripts))
    for (const command of script.split(' && ').filter((part) => !part.startsWith('echo ')))
      expect([name, command]).toEqual([name, expect.stringMatching(/^(?:[A-Z_]+=\S+ )?node scripts\/run\.mjs /)]);
  const [, major] = /REQUIRED_MAJOR = (\d+)/.exec(readFileSync(join(SCRIPTS, 'run.mjs'), 'utf8')) ?? [];
  expect([parseInt(engines.node, 10), readFileSync(join(SCRIPTS, '../.nvmrc'), 'utf8')]).toEqual([
    Number(major),
    `${major}\n`,
  ]);
});
