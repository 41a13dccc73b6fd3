// Tests the package of the token list: npm packs it, a program imports it, and its types hold.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { okOf, runWarm } from '../support/run-warm.ts';
import { PRESS, sampleIndex } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

const db = sampleIndex();

test('default: npm installs the packed list, and a program imports it with its types', async () => {
  const cwd = tempFolder();
  const npm = (...args: string[]) => execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: 'pipe' });
  const { stdout } = await runWarm(['token-list', '--db', db, '--out', 'list', '--name', '@example/tokens'], { cwd });
  expect(stdout).toContain('@example/tokens 1.0.107');
  const [packed = ''] = npm('pack', './list', '--silent').trim().split('\n');
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ name: 'app', private: true, type: 'module' }));
  npm('install', '--offline', '--no-audit', '--no-fund', `./${packed}`);
  writeFileSync(
    join(cwd, 'app.mjs'),
    `import list from '@example/tokens';
    import file from '@example/tokens/tokenlist.json' with { type: 'json' };
    const { name, decimals } = list.tokens.find(({ address }) => address === process.argv[2]);
    console.log(JSON.stringify([name, decimals, file === list]));`,
  );
  expect(JSON.parse(execFileSync(process.execPath, ['app.mjs', PRESS], { cwd, encoding: 'utf8' }))).toEqual([
    'Press Token',
    6,
    true,
  ]);
  writeFileSync(
    join(cwd, 'app.ts'),
    `import tokenList, { type Token } from '@example/tokens';
    const tokens: readonly Token[] = tokenList.tokens;
    const decimals: number | undefined = tokens[0]?.decimals;
    console.log(decimals);`,
  );
  const tsc = new URL('../../node_modules/typescript/bin/tsc', import.meta.url).pathname;
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--types', '', 'app.ts'];
  expect(execFileSync(process.execPath, [tsc, ...options, '--lib', 'es2023,dom'], { cwd, encoding: 'utf8' })).toBe('');
});

test('behavior: writes the same bytes again, and keeps files of others', async () => {
  const cwd = tempFolder();
  const write = () => runWarm(['token-list', '--db', db, '--out', 'list'], { cwd });
  okOf(await write());
  const before = readFileSync(join(cwd, 'list/tokenlist.json'), 'utf8');
  okOf(await write());
  expect(readFileSync(join(cwd, 'list/tokenlist.json'), 'utf8')).toBe(before);
  mkdirSync(join(cwd, 'list/src'));
  const refused = await write();
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('list contains src')]);
});

test('error: usage for a name that is not the name of a package', async () => {
  const { status, stderr } = await runWarm(['token-list', '--db', db, '--name', '../evil'], { cwd: tempFolder() });
  expect([status === 0, stderr]).toEqual([false, expect.stringContaining('such as @example/stacks-token-list')]);
});
