// Pages of tokens for link previews: their contents, incremental builds, and builds without the option.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TokenResponse } from '#routes/token-response.ts';
import { renderTokenPage } from '#site/token-page.ts';
import { TOKEN_INTERFACE } from '../support/interfaces.ts';
import { okOf, runWarm } from '../support/run-cli.ts';
import { readTree } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { deployJson, idOf, lineAt } from '../support/transactions.ts';

const ID = 'SP2PABAF9FTAJYNFZH93XENAJ8FVY99RRM50D2JG9.token';
const TOKEN = { tx_id: `0x${'0'.repeat(64)}`, sender_address: 'SP1', asset_identifier: `${ID}::t` };

test('has the title, description and picture of the token, and leads to the explorer', () => {
  const token: TokenResponse = {
    ...TOKEN,
    name: 'Token',
    symbol: 'TOK',
    description: 'About',
    image_uri: '/images/1.png',
  };
  const page = renderTokenPage(ID, token, 'https://x.example/site');
  expect(page).toContain('<title>Token (TOK) · stxpress</title>');
  expect(page).toContain('<meta property="og:description" content="About">');
  expect(page).toContain('<meta property="og:image" content="https://x.example/site/images/1.png">');
  expect(page).toContain(`content="0; url=https://x.example/site/#/token/${ID}"`);
  expect(renderTokenPage(ID, TOKEN, '')).toContain(`<a href="../../#/token/${ID}">Unnamed token</a>`);
});

test('escapes and shortens hostile names', () => {
  const hostile = `"><script>alert(1)</script>${'x'.repeat(1_000_000)}`;
  const page = renderTokenPage(ID, { ...TOKEN, name: hostile, symbol: hostile, description: hostile }, '');
  expect(page).not.toContain('<script');
  expect(page).not.toContain('"><');
  expect(page.length).toBeLessThan(5_000);
});

test('shows controls of direction', () => {
  expect(renderTokenPage(ID, { ...TOKEN, name: '\u202eCTBs' }, '')).toContain('<title>\\u202eCTBs · stxpress');
});

test('does not cut a character into halves', () => {
  const name = `${'x'.repeat(99)}😀y`;
  expect(renderTokenPage(ID, { ...TOKEN, name }, '').isWellFormed()).toBe(true);
  expect(renderTokenPage(ID, { ...TOKEN, name: `x${name}` }, '')).toContain(`<title>x${'x'.repeat(99)}… · stxpress`);
  expect(renderTokenPage(ID, { ...TOKEN, name: name.slice(1) }, '')).toContain('😀… · stxpress');
});

test('adds, updates and removes pages in incremental builds', async () => {
  const cwd = tempFolder();
  const source = (name: string) => `(define-fungible-token t)
    (define-read-only (get-name) (ok "${name}")) (define-read-only (get-symbol) (ok "T"))
    (define-read-only (get-decimals) (ok u0)) (define-read-only (get-total-supply) (ok u0))
    (define-read-only (get-token-uri) (ok none))`;
  const deploy = (name: string) => [deployJson(name, source(name), { interface: TOKEN_INTERFACE })];
  const pages = () => [...readTree(join(cwd, 'dist')).keys()].filter((path) => path.startsWith('t/'));
  const run = async (archive: string, ...options: string[]) => {
    okOf(await runWarm(['index', '--archive', archive, '--offline'], { cwd }));
    okOf(await runWarm(['build', ...options], { cwd }));
  };
  writeFileSync(join(cwd, 'first.tsv'), lineAt(0, deploy('zero')) + lineAt(1, deploy('one')));
  await run('first.tsv');
  expect(pages()).toEqual([]);
  await run('first.tsv', '--token-pages');
  expect(pages().toSorted()).toEqual([`t/${idOf('one')}/index.html`, `t/${idOf('zero')}/index.html`]);
  const fork = [lineAt(1, deploy('two'), { forkedAt: 1 }), lineAt(2, [], { forkedAt: 1 })];
  writeFileSync(join(cwd, 'fork.tsv'), lineAt(0, deploy('zero')) + fork.join(''));
  await run('fork.tsv', '--token-pages');
  expect(pages().toSorted()).toEqual([`t/${idOf('two')}/index.html`, `t/${idOf('zero')}/index.html`]);
  okOf(await runWarm(['build', '--token-pages', '--out', 'full'], { cwd }));
  expect(readTree(join(cwd, 'dist'))).toEqual(readTree(join(cwd, 'full')));
  await run('fork.tsv');
  expect(pages()).toEqual([]);
});
