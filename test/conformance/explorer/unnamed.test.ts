// Tokens whose names readers cannot see, on each page of the explorer: a label, and the contract id next to it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { COLLECTION_INTERFACE, TOKEN_INTERFACE } from '../../support/interfaces.ts';
import { runWarm } from '../../support/run-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { ADDRESS, deployJson, idOf, lineAt, nftEvent } from '../../support/transactions.ts';
import { stxpressServe } from '../servers/node-servers.ts';
import { focusSearch, openUrl, searchBox, test, watch } from './pages.ts';

const LABEL = 'Unnamed token';

function source(name: string): string {
  return `(define-fungible-token coin)
    (define-read-only (get-name) (ok ${name})) (define-read-only (get-symbol) (ok u"\\u{200b}"))
    (define-read-only (get-decimals) (ok u0)) (define-read-only (get-total-supply) (ok u0))
    (define-read-only (get-token-uri) (ok none))`;
}

/** Token 1 has a document with a blank name, token 2 has one without a name. */
const COLLECTION = `(define-non-fungible-token thing uint)
  (define-read-only (get-last-token-id) (ok u2))
  (define-read-only (get-owner (id uint)) (ok (nft-get-owner? thing id)))
  (define-read-only (get-token-uri (id uint))
    (ok (some (if (is-eq id u1) u"data:application/json,{%22name%22:%22%20%22}" u"data:application/json,{}"))))
  (nft-mint? thing u1 tx-sender) (nft-mint? thing u2 tx-sender)`;

test('an unnamed token is labelled so everywhere, and its contract is named apart', async ({ browser }) => {
  const cwd = tempFolder();
  const deploys = [
    ...['""', '"  "', 'u"\\u{200b}"', 'u"\\u{202e}"', 'u"\\u{3164}"'].map((name, index) =>
      deployJson(`blank-${index}`, source(name), { interface: TOKEN_INTERFACE }),
    ),
    deployJson('things', COLLECTION, { interface: COLLECTION_INTERFACE }),
  ];
  const mints = [1n, 2n].map((number, event_index) => ({
    ...nftEvent('mint', deploys[5]?.txid, idOf('things'), number),
    event_index,
  }));
  writeFileSync(join(cwd, 'chain.tsv'), lineAt(0, deploys, { events: mints }));
  expect(await runWarm(['index', '--archive', 'chain.tsv', '--offline'], { cwd })).toMatchObject({ status: 0 });
  expect(await runWarm(['build'], { cwd })).toMatchObject({ status: 0 });
  const running = await stxpressServe.start({ dist: join(cwd, 'dist'), hosts: join(cwd, 'dist-hosts') });
  const context = await browser.newContext();
  try {
    const { page, errors } = await watch(context, running.origin);
    const open = (fragment: string) => openUrl(page, `${running.origin}/${fragment}`);
    for (const fragment of ['', `#/address/${ADDRESS}`]) {
      await open(fragment);
      for (const index of [0, 1, 2, 3, 4]) {
        const line = page.locator(`main a[href="#/token/${idOf(`blank-${index}`)}"]`);
        expect(await line.locator('.nm > bdi').innerText(), fragment).toBe(LABEL);
        expect(await line.innerText()).toContain(`blank-${index}`);
      }
    }
    await open(`#/token/${idOf('blank-2')}`);
    await page.getByText('Decimals').first().waitFor();
    expect(await page.locator('h1').innerText()).toBe(LABEL);
    expect(await page.title()).toBe(`${LABEL} (blank-2) · stxpress`);
    expect(await page.locator('.title .id').innerText()).toContain(idOf('blank-2'));
    await open(`#/contract/${idOf('blank-3')}`);
    await page.locator('.facts a', { hasText: LABEL }).waitFor();
    await focusSearch(page);
    await searchBox(page).fill('blank-4');
    const option = page.getByRole('option', { name: LABEL });
    expect(await option.innerText()).toContain('blank-4');
    await open(`#/nft/${idOf('things')}`);
    expect(await page.locator('.nfts li').allInnerTexts()).toEqual([
      expect.stringMatching(new RegExp(`^${LABEL}\\s*#1$`)),
      expect.stringMatching(/^#2$/),
    ]);
    await open(`#/nft/${idOf('things')}/1`);
    await page.getByText('1 of 2').waitFor();
    expect(await page.locator('h1').innerText()).toBe(LABEL);
    expect(await page.title()).toBe(`${LABEL} (things #1) · stxpress`);
    expect(errors).toEqual([]);
  } finally {
    await context.close();
    await running.stop();
  }
});
