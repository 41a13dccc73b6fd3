// Tests that a command refuses named pipes and devices where it reads a file.
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { SAMPLE_ARCHIVE, sampleIndex } from '../support/sample.ts';
import { seedOf } from '../support/seeds.ts';
import { tempFolder, tempFolderForFile } from '../support/temp-folder.ts';

const db = sampleIndex();
const honest = join(tempFolderForFile(), 'seed');
beforeAll(async () => {
  await seedOf({ db, archives: [SAMPLE_ARCHIVE], out: honest });
});

const API = ['--api-url', 'http://127.0.0.1:9'];
const OVERLAY = 'overlay/SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7.token.json';
const KINDS = {
  'a named pipe': (path: string) => spawnSync('mkfifo', [path]),
  'a link to a device': (path: string) => symlinkSync('/dev/zero', path),
};

test.runIf(process.platform === 'linux').each(
  Object.entries(KINDS).flatMap(([kind, make]) =>
    (
      [
        ['stxpress.config.json', ['status'], / is a (named pipe|device)\. Replace it by a regular file/],
        ['list', ['index', '--contracts', 'list', ...API], /^stxpress: list is a /],
        ['seed/index.json', ['index', '--seed', 'seed'], /There is no seed at seed/],
        ['seed/index.json', ['build', '--with-seed', 'seed'], /seed\/index\.json is a /],
        ['seed/index.json', ['seed', '--out', 'seed'], /seed\/index\.json is a /],
        ['seed/part', ['index', '--seed', 'seed'], /\.zst is missing, or does not have the bytes/],
        ['seed/part', ['build', '--with-seed', 'seed'], /\.zst is missing or damaged/],
        [OVERLAY, ['build', '--overlay', 'overlay'], /token\.json is a /],
      ] as const
    ).map(([file, args, message]) => [kind, file, args.join(' '), make, args, message] as const),
  ),
)('refuses %s as %s: %s', async (_kind, file, _command, make, args, message) => {
  const cwd = tempFolder();
  copyFileSync(db, join(cwd, 'i.sqlite'));
  cpSync(honest, join(cwd, 'seed'), { recursive: true });
  mkdirSync(join(cwd, 'overlay'));
  const part = readdirSync(honest).find((name) => name.endsWith('.zst')) ?? '';
  const path = join(cwd, file === 'seed/part' ? join('seed', part) : file);
  rmSync(path, { force: true });
  make(path);
  const target = args[0] === 'index' ? 'new.sqlite' : 'i.sqlite';
  const { status, stderr } = await runCli([...args, '--db', target], { cwd, killAfterMs: 20_000 });
  expect([status, stderr]).toEqual([1, expect.stringMatching(message)]);
});
