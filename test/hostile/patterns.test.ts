// Checks that each regular expression of src takes linear time for any text.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyse } from 'scslre';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';

const ROOT = join(import.meta.dirname, '../..');
/** Expressions that may take quadratic time, but only read short texts of the project, its operator or a number. */
const SHORT_TEXTS: readonly string[] = [
  String.raw`src/cli/read-url.ts /\/+$/`,
  'src/explorer/format.ts /0+$/',
  String.raw`src/follow/who-may-post.ts /^::ffff:(?=\d+\.)|%.*$/g`,
  'src/hosts/apache.ts /;.*$/',
  'src/hosts/nginx.ts /;.*$/',
  String.raw`src/text/format-count.ts /\B(?=(\d{3})+$)/g`,
  // A line of a list has few characters.
  'src/source/contract-list/read-contract-list.ts /#.*$/s',
  // Both parts end at the end of the text, so that a match never fails.
];

test('src has only regular expressions that take linear time', () => {
  const files = globSync('src/**/*.{ts,tsx,js}', { cwd: ROOT });
  const slow = files.flatMap((file) =>
    patternsIn(readFileSync(join(ROOT, file), 'utf8'), file.endsWith('x'))
      .filter((pattern) => analyse(pattern).reports.length > 0)
      .map((pattern) => `${file} ${pattern}`),
  );
  expect(slow.sort()).toEqual(SHORT_TEXTS.toSorted());
});

test.each([/=+$/, /a*b/, /^(?:\s|;[^\n]*)+\(/, /^x{3}(?:a+)+$/])('finds that %s does not', (pattern) => {
  expect(analyse(pattern).reports).not.toEqual([]);
});

/** Returns the literals of regular expressions in a source, from its syntax tree. */
function patternsIn(source: string, isJsx: boolean): RegExp[] {
  const patterns: RegExp[] = [];
  const open: unknown[] = [parseAst(source, { lang: isJsx ? 'tsx' : 'ts' })];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    const { regex } = node as { readonly regex?: { readonly pattern: string; readonly flags: string } };
    if (regex !== undefined) patterns.push(new RegExp(regex.pattern, regex.flags));
    for (const child of Object.values(node)) open.push(child);
  }
  return patterns;
}
