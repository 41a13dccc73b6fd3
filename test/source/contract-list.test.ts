import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FailureError } from '#model/failure.ts';
import { readContractList } from '#source/contract-list/read-contract-list.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ADDRESS = 'SP000000000000000000002Q6VF78';
const [A, B] = [`${ADDRESS}.a`, `${ADDRESS}.b-2_c`];

/** Writes a contract list with this text, and returns the path of the file. */
function listOf(text: string | Buffer): string {
  const path = join(tempFolder(), 'contracts.txt');
  writeFileSync(path, text);
  return path;
}

/** Returns the failure of reading a contract list. The test fails if reading succeeds. */
const failureOf = (path: string) =>
  readContractList(path).then(
    () => expect.unreachable('it was read'),
    ({ failure }: FailureError) => failure,
  );

test('default', async () => {
  expect(await readContractList(listOf(`${B}\n${A}\n`))).toEqual([B, A]);
});

test.each([
  ['comments', `# all of them\n${A} # the first\n${B}#the second\n#`],
  ['blank lines', `\n\n  \n${A}\n\t\n${B}\n\n`],
  ['surrounding spaces', `  ${A}\t\n\t${B}  `],
  ['CRLF', `${A}\r\n${B}\r\n`],
  ['CR', `${A}\r${B}\r`],
  ['a byte order mark', `\uFEFF${A}\n${B}`],
  ['a missing newline at the end', `${A}\n${B}`],
  ['duplicates', `${A}\n${B}\n${A} # again\n${B}`],
])('reads a list with %s', async (_, text) => {
  expect(await readContractList(listOf(text))).toEqual([A, B]);
});

test.each(['', '\n', '# nobody', '\uFEFF'])('reads %j as an empty list', async (text) => {
  expect(await readContractList(listOf(text))).toEqual([]);
});

test.each([
  ['an invalid contract id', `${A}\nnonsense\n`, 2, '"nonsense"'],
  ['only an address', `${ADDRESS}\n`, 1, `"${ADDRESS}"`],
  ['two ids on a line', `${A} ${B}`, 1, `"${A} ${B}"`],
  ['ids with commas', `# two\n\n${A},\n${B}`, 3, `"${A},"`],
  ['an asset', `${A}::coin`, 1, '::coin"'],
  ['a line after CRLF', `${A}\r\n\r\n!\r\n`, 3, '"!"'],
  ['control characters', `${A}\n\u001b[2J`, 2, '"\\u001b[2J"'],
  ['a long line', 'x'.repeat(10_000), 1, `"${'x'.repeat(80)}…"`],
  ['bytes that are not UTF-8', Buffer.from([0xff, 0xfe, 0x53]), 1, 'is not a contract id'],
])('reports usage for %s, with its line', async (_, text, line, shown) => {
  const path = listOf(text);
  const failure = await failureOf(path);
  expect(failure).toMatchObject({ code: 'usage', message: expect.stringContaining(shown) });
  expect(failure.message).toMatch(new RegExp(`contracts\\.txt:${line}: `));
  expect(failure.message.startsWith(`${path}:`)).toBe(true);
});

test('reports usage for a missing file, or a folder', async () => {
  const folder = tempFolder();
  for (const [path, message] of [
    [join(folder, 'missing.txt'), `The list of contracts ${join(folder, 'missing.txt')} cannot be read`],
    [folder, `${folder} is a folder. Replace it by a regular file`],
  ] as const)
    expect(await failureOf(path)).toMatchObject({ code: 'usage', message: expect.stringContaining(message) });
});
