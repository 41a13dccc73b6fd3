// What examples run: their scripts with recording stubs or with the real command, and the flags that they give.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { OPTIONS } from '#cli/options.ts';
import type { SettingGroup } from '#cli/setting.ts';
import { tempFolder } from './temp-folder.ts';

/** Puts commands first on PATH that do nothing but write down how they were called, and fail where they are told to. */
export function stubCommands(...names: string[]) {
  const bin = tempFolder();
  const log = join(bin, 'log');
  writeFileSync(log, '');
  for (const name of names) {
    const call = `call="${name} $*"; echo "$call" >> "$STUB_LOG"; case "$call" in *"$STUB_FAILS"*) exit "$STUB_STATUS";; esac`;
    // sudo is no step of its own.
    writeFileSync(join(bin, name), `#!/bin/sh\n${name === 'sudo' ? 'exec "$@"' : call}\n`, { mode: 0o755 });
  }
  const run = (script: string[], { fails = 'nothing fails', status = 0, env = {} as Record<string, string> } = {}) => {
    const ran = spawnSync('bash', script, {
      cwd: bin,
      encoding: 'utf8',
      env: {
        PATH: `${bin}:${process.env.PATH}`,
        STUB_LOG: log,
        STUB_FAILS: fails,
        STUB_STATUS: String(status),
        ...env,
      },
    });
    const calls = readFileSync(log, 'utf8').split('\n').slice(0, -1);
    writeFileSync(log, '');
    return { status: ran.status, stderr: ran.stderr, calls };
  };
  return run;
}

/** Flags that a text gives to a command of stxpress, and which of them the command does not take. */
export function strangeFlags(text: string): { command: string; flag: string }[] {
  const takes: Readonly<Record<string, SettingGroup>> = OPTIONS;
  return [
    ...text
      .replaceAll(/\\\n/g, ' ')
      .matchAll(/(?:stxpress\.mjs|npm run --silent|\bstxpress) (index|build|publish|follow|merge|serve)\b([^\n|&;]*)/g),
  ].flatMap(([, command = '', rest = '']) => {
    const known = Object.values(takes[command] ?? {}).map((option) => option.name());
    const flags = [...rest.matchAll(/(?<=\s)--([a-z][a-z-]*)/g)].map(([, flag = '']) => flag);
    expect(flags).not.toHaveLength(0);
    return flags.filter((flag) => !known.includes(flag)).map((flag) => ({ command, flag }));
  });
}

export interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}
export interface Job {
  readonly needs?: string;
  readonly 'timeout-minutes'?: number;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: { readonly name: string };
  readonly steps: readonly Step[];
}

/** What runs a script as the example does, with the real command. */
export function runScript(script: string, env: Readonly<Record<string, string>>, cwd: string) {
  const bin = join(cwd, 'bin');
  mkdirSync(bin, { recursive: true });
  const entry = fileURLToPath(new URL('../../bin/stxpress.mjs', import.meta.url));
  writeFileSync(join(bin, 'stxpress'), `#!/bin/sh\nexec "${process.execPath}" "${entry}" "$@"\n`, { mode: 0o755 });
  const ran = spawnSync('/bin/sh', ['-euc', script], {
    cwd,
    encoding: 'utf8',
    env: {
      ...process.env,
      PATH: `${bin}:${process.env.PATH}`,
      STXPRESS_QUIET: '1',
      STXPRESS_NO_VM: '1',
      STXPRESS_NO_FETCH: '1',
      ...env,
    },
  });
  expect([ran.status, ran.stderr]).toEqual([0, '']);
}
