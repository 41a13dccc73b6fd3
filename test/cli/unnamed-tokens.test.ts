// Tests tokens whose names are invisible or imitate lines of the output. Checks commands, files and responses.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { pathOf, runProgram } from '../support/example-scripts.ts';
import { TOKEN_INTERFACE } from '../support/interfaces.ts';
import { okOf, runWarm } from '../support/run-cli.ts';
import { serveFolder } from '../support/served-sample.ts';
import { tempFolderForFile } from '../support/temp-folder.ts';
import { ADDRESS, deployJson, lineAt } from '../support/transactions.ts';

/**
 * By contract name: the expression that `get-name` returns, and the text of this expression, or undefined for an error.
 */
const BLANK: Readonly<Record<string, readonly [clarity: string, text: string | undefined]>> = {
  empty: ['(ok "")', ''],
  spaces: ['(ok "   ")', '   '],
  breaks: ['(ok "\\n\\t")', '\n\t'],
  'zero-width': ['(ok u"\\u{200b}\\u{2060}\\u{feff}")', '\u200b\u2060\ufeff'],
  bidi: ['(ok u"\\u{202e}\\u{2066}")', '\u202e\u2066'],
  filler: ['(ok u"\\u{3164}\\u{2800}")', '\u3164\u2800'],
  accents: ['(ok u"\\u{301}\\u{fe0f}")', '\u0301\ufe0f'],
  none: ['(if true (err u1) (ok ""))', undefined],
};
const FORGED = 'Real\u202e"  SP0.real\n  ft  "X"';

const cwd = tempFolderForFile();
const read = (path: string) => JSON.parse(readFileSync(join(cwd, 'dist', path), 'utf8'));

function source(name: string, symbol: string): string {
  return `(define-fungible-token t)
    (define-read-only (get-name) ${name}) (define-read-only (get-symbol) (ok ${symbol}))
    (define-read-only (get-decimals) (ok u0)) (define-read-only (get-total-supply) (ok u0))
    (define-read-only (get-token-uri) (ok none))`;
}

beforeAll(async () => {
  const sources = {
    ...Object.fromEntries(Object.entries(BLANK).map(([name, [clarity]]) => [name, source(clarity, 'u"\\u{200b}"')])),
    forger: source('(ok u"Real\\u{202e}\\"  SP0.real\\n  ft  \\"X\\"")', '"A\\nB"'),
  };
  const deploys = Object.entries(sources).map(([name, code]) => deployJson(name, code, { interface: TOKEN_INTERFACE }));
  writeFileSync(join(cwd, 'chain.tsv'), lineAt(0, deploys));
  okOf(await runWarm(['index', '--archive', 'chain.tsv', '--offline'], { cwd }));
  okOf(await runWarm(['build'], { cwd }));
});

describe('blank names', () => {
  test.each(Object.entries(BLANK))('shows %s as an unnamed token, and serves the name', async (name, [, text]) => {
    const id = `${ADDRESS}.${name}`;
    expect(read(`metadata/v1/ft/${id}`).name).toBe(text);
    const shown = okOf(await runWarm(['show', id], { cwd }));
    expect(shown).toMatch(/^ {2}name +Unnamed token; \S/m);
    expect(shown.startsWith(`${id}: SIP-010, partial\n`)).toBe(true);
    const { response } = JSON.parse(okOf(await runWarm(['show', id, '--json'], { cwd })));
    expect(response.body.name).toBe(text);
    const listed = read('metadata/v1/tokenlist.json').tokens.find(({ address }: { address: string }) => address === id);
    expect(listed.name).toBe(text ?? '');
  });

  test('search/tokens has no name for them, not even the name of the contract', () => {
    const rows = read('search/tokens/index.json') as readonly string[][];
    const blank = rows.filter(([, id]) => id !== `${ADDRESS}.forger`);
    expect(blank).toEqual(
      Object.keys(BLANK)
        .toSorted()
        .map((name) => ['ft', `${ADDRESS}.${name}`]),
    );
  });
});

test('the example script labels an unnamed token', async () => {
  const { server, base } = await serveFolder(join(cwd, 'dist'));
  onTestFinished(() => void server.close());
  for (const name of Object.keys(BLANK)) {
    const id = `${ADDRESS}.${name}`;
    const { status, stdout } = await runProgram(pathOf('examples/node/portfolio.mjs'), [base, id]);
    expect([status, stdout.split('\n')[1]]).toEqual([0, `-       Unnamed token         0       0  ${id}`]);
  }
});

test('escapes a name that imitates a line and columns', async () => {
  const quotedName = String.raw`"Real\u202e\"  SP0.real\n  ft  \"X\""`;
  expect(read(`metadata/v1/ft/${ADDRESS}.forger`).name).toBe(FORGED);
  const shown = okOf(await runWarm(['show', `${ADDRESS}.forger`], { cwd }));
  expect(shown).toContain(`  name          ${quotedName}; `);
});
