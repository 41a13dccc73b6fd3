// Tests the functions of examples/wallet with the served sample.
import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { pathOf, read } from '../support/example-scripts.ts';
import { MISSING, PENDING, PRESS, SILENT, WRAPPED } from '../support/sample.ts';
import { servedSample } from '../support/served-sample.ts';

const PAGE = read('examples/wallet/index.html');
const SCRIPT = read('examples/wallet/wallet.js');

const { base, body } = await servedSample();

/** The URL of a server that is not running. */
const NOWHERE = 'http://127.0.0.1:9';

interface Shown {
  problem?: string;
  name?: string;
  symbol?: string;
  decimals?: number;
  supply?: string;
  description?: string;
  image?: string;
  locales?: string[];
  notes: string[];
}
interface Wallet {
  loadTokens(base: string, principals: readonly string[]): Promise<Map<string, Shown>>;
  tokenUrl(base: string, principal: string, locale?: string): string;
  statusUrl(base: string, principal: string): string;
  imageUrl(base: string, uri?: string): string | undefined;
  formatAmount(amount?: string, decimals?: number): string | undefined;
  loadToken(base: string, principal: string, locale?: string): Promise<Shown>;
  explain(response: { status?: number; body?: unknown }): string;
  explainStatus(status: object, locale?: string): string[];
}
await import(/* @vite-ignore */ pathOf('examples/wallet/wallet.js'));
const { wallet } = globalThis as unknown as { wallet: Wallet };

test('default', async () => {
  const token = await wallet.loadToken(base, PRESS);
  expect(token).toMatchObject({
    name: 'Press Token',
    symbol: 'PRESS',
    decimals: 6,
    supply: '1.25',
    locales: ['en', 'de', 'pt-BR'],
    notes: ['No image: It has not been copied yet.'],
  });
  expect(token.problem).toBeUndefined();
});

test('loads names, decimals and images of many tokens with one request', async () => {
  const urls: string[] = [];
  const { fetch } = globalThis;
  globalThis.fetch = (url, init) => {
    urls.push(String(url));
    return fetch(url, init);
  };
  const office = body<{ tokens: { address: string; logoURI: string }[] }>('metadata/v1/tokenlist.json');
  const addresses = office.tokens.map(({ address }) => address);
  const tokens = await wallet.loadTokens(`${base}/`, [PRESS, WRAPPED, PENDING, MISSING, ...addresses]);
  globalThis.fetch = fetch;
  expect(urls).toEqual([`${base}/metadata/v1/tokenlist.json`]);
  expect([...tokens.keys()].toSorted()).toEqual(addresses);
  expect(tokens.get(WRAPPED)).toMatchObject({ name: 'Wrapped Token', symbol: 'WTOK', decimals: 8, notes: [] });
  for (const { address, logoURI } of office.tokens) expect(tokens.get(address)?.image).toBe(logoURI);
  expect(office.tokens.filter(({ logoURI }) => logoURI !== undefined).length).toBeGreaterThan(0);
  expect((await wallet.loadTokens(NOWHERE, [PRESS])).size).toBe(0);
});

test('loads a locale', async () => {
  expect(await wallet.loadToken(base, PRESS, 'de')).toMatchObject({ name: 'Press Token (de)', symbol: 'PRESS' });
  const { name, notes } = await wallet.loadToken(base, PRESS, 'fr');
  expect([name, notes[0]]).toEqual(['Press Token', 'The token has no metadata in the language fr.']);
});

test('gives the reason for missing values', async () => {
  const why = async (principal: string) => {
    const { problem, notes } = await wallet.loadToken(base, principal);
    return { problem, notes };
  };
  interface Status {
    values: { total_supply: { failure: { message: string } } };
    document: { failure: { message: string } };
  }
  const { values, document } = body<Status>(`metadata/v1/status/${WRAPPED}`);
  expect(await why(WRAPPED)).toEqual({
    problem: undefined,
    notes: [`No supply: ${values.total_supply.failure.message}`, `No metadata: ${document.failure.message}`],
  });
  expect(await why(PENDING)).toEqual({
    problem: 'The token is not indexed yet. Try again later.',
    notes: ['No metadata: It has not been fetched yet.'],
  });
  expect(await why(SILENT)).toEqual({
    problem: body<{ message: string }>(`errors/422/metadata/v1/ft/${SILENT}`).message,
    notes: [],
  });
  expect(await why(MISSING)).toEqual({ problem: 'The API has no such fungible token.', notes: [] });
  expect((await why('nonsense')).problem).toContain('This is not a principal.');
  expect((await wallet.loadToken(NOWHERE, PRESS)).problem).toContain('The server cannot be reached.');
  expect((await wallet.loadToken(`${base}/v9`, PRESS)).problem).toContain('Check the base URL.');
});

test('mentions a retry of a failure', () => {
  const document = { state: 'failed', failure: { code: 'http-503', message: 'Busy.' }, will_be_tried_again: true };
  expect(wallet.explainStatus({ document, locales: { de: document, fr: document } }, 'de')).toEqual([
    'No metadata: Busy. It will be retried.',
    'No text in de: Busy. It will be retried.',
  ]);
  const image = { copied: false, failure: { code: 'image-timeout', message: 'Too slow.' } };
  expect(wallet.explainStatus({ document: { state: 'read', image } })).toEqual(['No image: Too slow.']);
  expect(wallet.explainStatus({ document: { state: 'read', image: { copied: true } } })).toEqual([]);
});

test.each([
  [{ status: 503 }, 'The server returned status 503. Try again later.'],
  [{ status: 200 }, 'The response is not a token. Check the base URL.'],
  [{ status: 404 }, 'Nothing was found. Check the base URL.'],
])('explains the response %j', (response, message) => {
  expect(wallet.explain(response)).toBe(message);
});

test.each<[string | undefined, number | undefined, string | undefined]>([
  ['1250000', 6, '1.25'],
  ['1000000', 6, '1'],
  ['1', 6, '0.000001'],
  ['0', 6, '0'],
  ['0', 0, '0'],
  ['21', 0, '21'],
  ['1234567', undefined, '1,234,567'],
  ['9007199254740993', 0, '9,007,199,254,740,993'],
  ['340282366920938463463374607431768211455', 18, '340,282,366,920,938,463,463.374607431768211455'],
  ['5', 1_000_000_000, '5 / 10^1000000000'],
  [undefined, 6, undefined],
  ['', 6, undefined],
])('formats the amount %s with %s decimals as %s', (amount, decimals, text) => {
  expect(wallet.formatAmount(amount, decimals)).toBe(text);
});

test('makes URLs', () => {
  expect(wallet.tokenUrl(' https://host/api// ', 'a.b')).toBe('https://host/api/metadata/v1/ft/a.b');
  expect(wallet.tokenUrl('https://host', '../x?y', 'pt-BR&')).toBe(
    'https://host/metadata/v1/ft/..%2Fx%3Fy?locale=pt-BR%26',
  );
  expect(wallet.statusUrl('https://host/', 'a.b')).toBe('https://host/metadata/v1/status/a.b');
  expect(wallet.imageUrl('https://host/api', '/images/a.png')).toBe('https://host/api/images/a.png');
  expect(wallet.imageUrl('https://host', 'https://other/a.png')).toBe('https://other/a.png');
  expect(wallet.imageUrl('https://host', undefined)).toBeUndefined();
});

test('loads no external files, and opens from a file', () => {
  const urls = `${PAGE}${SCRIPT}`.match(/\b(?:https?:)?\/\/[\w.:-]+\.[\w.:-]+/g) ?? [];
  expect(new Set(urls)).toEqual(new Set(['http://127.0.0.1:3000']));
  expect([...PAGE.matchAll(/\b(?:src|href)="([^"]*)"/g)].map(([, url]) => url)).toEqual(['data:,', 'wallet.js']);
  // The page may be a local file, and browsers do not load modules from local files.
  expect(PAGE).not.toContain('type="module"');
  expect(() => new Script(SCRIPT)).not.toThrow();
  // Names of tokens must never be parsed as HTML, since they are untrusted.
  expect(SCRIPT).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval/);
});

test('is accessible, and has the elements that the script uses', () => {
  expect(PAGE).toMatch(/<html lang="en">/);
  const fields = [...PAGE.matchAll(/<(?:input|textarea|select)[^>]*\bid="([^"]+)"/g)].map(([, id]) => id);
  expect(fields).toHaveLength(2);
  for (const id of fields) expect(PAGE).toContain(`<label for="${id}">`);
  expect(PAGE).toContain('aria-live="polite"');
  expect(SCRIPT).toContain('alt: `Logo of');
  for (const id of ['form', 'base', 'principals', 'tokens']) expect(PAGE).toContain(`id="${id}"`);
  expect(PAGE).toContain(PRESS);
});
