// Read-only functions of the explorer, called at the node that a reader chooses.
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { chainListener, chainOf } from '../../support/chain-listener.ts';
import { loopbackServer } from '../../support/loopback-server.ts';
import { PRESSER } from '../../support/sample.ts';
import { callInVm } from '../../support/simnet.ts';
import { openUrl, test, violations } from './pages.ts';

const SAMPLE_CONTRACTS = new URL('../../../data/sample/contracts/', import.meta.url);
const CONTRACT = `${PRESSER}.press-token`;

/** A node of the sample's contract, which allows requests of pages. */
async function startNode() {
  const source = readFileSync(new URL('press-token.clar', SAMPLE_CONTRACTS), 'utf8').replace(/\(impl-trait .*/, '');
  const chain = chainOf([
    {
      contractId: CONTRACT,
      sourceCode: source,
      abi: null,
      call: (name, args) => callInVm(CONTRACT, source, name, args),
    },
  ]);
  const answer = chainListener(chain);
  return loopbackServer((request, response) => {
    response.setHeader('Access-Control-Allow-Origin', '*').setHeader('Access-Control-Allow-Headers', '*');
    if (request.method === 'OPTIONS') response.end();
    else if (request.url === '/v2/info') response.end('{}');
    else answer(request, response);
  });
}

test('read-only functions are called at the node that a reader connects to, and at none before', async ({
  context,
  origin,
}) => {
  const node = await startNode();
  // This page is not watched, since it contacts a node, which is another host.
  const page = await context.newPage();
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) foreign.push(request.url());
  });
  await openUrl(page, `${origin}/#/contract/${CONTRACT}/interface`);
  await page.getByText('The node sees your IP address.').waitFor();
  await page.getByLabel('A node on this computer').check();
  await page.getByLabel('Another node').check();
  const field = page.getByLabel('Node URL');
  await field.fill('javascript:alert(1)');
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByText('Enter the URL of a node, such as http://localhost:20443.').waitFor();
  expect(await violations(page)).toEqual([]);
  await field.fill(node.url);
  expect([node.requests, foreign]).toEqual([[], []]);
  await field.press('Enter');
  const connected = page.locator('.note', { hasText: `Reading from ${node.url}` });
  await connected.waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.innerText')).toContain('Reading from');
  // Getters without arguments are called at once, and say in their rows what they return.
  const row = (name: string) => page.locator('#panel .card > details', { hasText: name });
  await row('get-symbol').getByText('(ok "PRESS")').first().waitFor();
  expect(await row('get-balance').locator('summary').first().innerText()).not.toContain('ok u');
  await row('get-balance').locator('summary').first().click();
  await page.getByLabel(/^who/).fill(PRESSER);
  await page.getByRole('button', { name: 'Call get-balance' }).click();
  await row('get-balance').locator('pre', { hasText: '(ok u1000000)' }).waitFor();
  await page.getByLabel(/^who/).fill('nobody');
  await page.getByRole('button', { name: 'Call get-balance' }).click();
  await page.getByText('who is not a principal value. It needs an address such as').waitFor();
  expect(await page.getByLabel(/^who/).getAttribute('aria-invalid')).toBe('true');
  expect(await violations(page)).toEqual([]);
  // Another visit reads from the same node, without a question.
  await openUrl(page, `${origin}/#/contract/${CONTRACT}/interface`);
  await row('get-symbol').getByText('(ok "PRESS")').first().waitFor();
  // Each failure names its cause: the node, its limits, or the call.
  const respond = async (status: number, body: string) => {
    await page.unrouteAll();
    await page.route(`${node.url}/v2/contracts/**`, (route) =>
      route.fulfill({
        status,
        body,
        headers: { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' },
      }),
    );
  };
  const name = row('get-name');
  await name.locator('summary').first().click();
  for (const [status, body, text] of [
    [429, '', 'The node is busy. Try again in a minute.'],
    [200, '{"okay":false,"cause":"Unchecked"}', 'The call failed: Unchecked. The contract rejected these arguments.'],
    [503, 'down', 'The node returned status 503: down'],
  ] as const) {
    await respond(status, body);
    await name.getByRole('button', { name: 'Call get-name' }).click();
    await name.getByRole('alert').getByText(text).waitFor();
  }
  await page.unrouteAll();
  await page.route(`${node.url}/**`, (route) => route.abort());
  await name.getByRole('button', { name: 'Call get-name' }).click();
  await name.getByText(`Cannot reach ${node.url}`).waitFor();
  await page.close();
});

test('a node that does not respond is not remembered, and another one can be chosen', async ({ context, origin }) => {
  const node = await startNode();
  const page = await context.newPage();
  let isOff = true;
  await page.route(`${node.url}/**`, (route) => (isOff ? route.abort() : route.continue()));
  await openUrl(page, `${origin}/#/contract/${CONTRACT}/interface`);
  await page.getByLabel('Another node').check();
  await page.getByLabel('Node URL').fill(`${node.url}/`);
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByRole('alert').getByText(`Cannot reach ${node.url}`).waitFor();
  expect(await page.evaluate("localStorage.getItem('stxpress-node')")).toBe(null);
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Use another node' }).click();
  expect(await page.getByLabel('Node URL').inputValue()).toBe(node.url);
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByRole('alert').getByText(`Cannot reach ${node.url}`).waitFor();
  isOff = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText(`Reading from ${node.url}`).waitFor();
  expect(await page.evaluate("localStorage.getItem('stxpress-node')")).toBe(node.url);
  await page.getByRole('button', { name: 'Change' }).click();
  await page.getByRole('heading', { name: 'See what these functions return now' }).waitFor();
  await page.close();
});

test('a page by HTTPS says that browsers block a node by HTTP, and asks nothing', async ({ page, watched, origin }) => {
  await page.route('https://pages.test/**', async (route) => {
    const url = route.request().url().replace('https://pages.test', origin);
    await route.fulfill({ response: await route.fetch({ url }) });
  });
  await openUrl(page, `https://pages.test/#/contract/${CONTRACT}/interface`);
  await page.getByLabel('Another node').check();
  await page.getByLabel('Node URL').fill('http://node.example:20443');
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByText('Browsers block this: the page came by HTTPS').waitFor();
  expect(watched.foreign).toEqual([]);
});
