// Tests the check of English: its findings, and the files that it skips.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';

const SCRIPT = fileURLToPath(new URL('../../scripts/check-prose.ts', import.meta.url));

const check = (files: Readonly<Record<string, string>>) => {
  const cwd = tempFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT], { cwd, encoding: 'utf8' });
  return [status, stderr.split('\n').filter((line) => /^\S+:\d+: /.test(line))];
};

test.each([
  ['src/a.ts', '/** Of the host. */\nconst a = 1;', 'src/a.ts:1: Of the host.'],
  [
    'src/a.ts',
    'const a = 1;\n// Reads the file,\n// whatever its name.',
    'src/a.ts:2: Reads the file, whatever its name.',
  ],
  ['docs/a.md', 'A reader need not know it.', 'docs/a.md:1: A reader need not know it.'],
])('behavior: finds a habit in %s: %s', (name, text, finding) => {
  expect(check({ [name]: text })).toEqual([1, [finding]]);
});

test('behavior: accepts clear comments, code, and files of other projects', () => {
  const files = {
    'src/a.ts': '/** Returns the host of a URL. */\nconst whatever = "Of the host";',
    'docs/a.md': 'Text.\n\n```\nwhatever\n```\n\n    whatever\n\nThe word `whatever` is code.',
    'src/node_modules/a.ts': '// Whatever.',
    'test/conformance/packages/node_modules/a/README.md': 'Whatever.',
  };
  expect(check(files)).toEqual([0, []]);
});
