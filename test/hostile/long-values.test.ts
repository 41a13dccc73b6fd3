// Tests names, symbols and URIs that are too long, and pages of lists full of the longest texts.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ft, indexOfServers, liveToken, parse, status } from '../support/index-of-servers.ts';
import { COLLECTION_INTERFACE, SFT_INTERFACE, TOKEN_INTERFACE } from '../support/interfaces.ts';
import { okOf, runWarm, statusOf } from '../support/run-cli.ts';
import { readTree } from '../support/sample.ts';
import { serveFolder } from '../support/served-sample.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { tokenSource } from '../support/token-source.ts';
import { blockLine, callJson, deployJson, idOf, type Json, nftEvent } from '../support/transactions.ts';

const MAX_BYTES = 1_000_000;
const MAX_URI = 4_096;

/** Returns the source of a token. Its texts are Clarity literals. */
const fungible = (name: string, symbol: string, uri: string) =>
  tokenSource({ 'get-name': `(ok ${name})`, 'get-symbol': `(ok ${symbol})`, 'get-token-uri': `(ok (some ${uri}))` });

const collection = (uri: string) => `(define-non-fungible-token thing uint)
  (define-read-only (get-last-token-id) (ok u0))
  (define-read-only (get-token-uri (id uint)) (ok (some ${uri})))`;

const long = (length: number) => `"${'x'.repeat(length)}"`;

let nonce = 0;
const deploy = (name: string, source: string, json: object) =>
  deployJson(name, source, { clarityVersion: 2, interface: json, nonce: nonce++ });

/** Returns a transaction that mints tokens, and its events. */
function mint(name: string, numbers: readonly bigint[]): { call: Json; events: Json[] } {
  const call = callJson({ nonce: nonce++ });
  return { call, events: numbers.map((number) => nftEvent('mint', call.txid, idOf(name), number)) };
}

/** Indexes blocks, and builds the site. Returns its files by path. */
async function build(cwd: string, blocks: readonly { transactions: Json[]; events?: Json[] }[]) {
  const lines = blocks.map((block, height) =>
    blockLine({ id: `b${height}`, parent: `b${height - 1}`, height, burnHeight: 800_000, ...block }),
  );
  writeFileSync(join(cwd, 'chain.tsv'), lines.join(''));
  okOf(await runWarm(['index', '--archive', 'chain.tsv', '--offline'], { cwd }));
  okOf(await runWarm(['build'], { cwd }));
  return readTree(join(cwd, 'dist'));
}

test('leaves out texts that are too long, with the reason', async () => {
  const cwd = tempFolder();
  const minted = [mint('shared', [1n]), mint('own', [1n, 2n])];
  const tree = await build(cwd, [
    {
      transactions: [
        deploy('fits', fungible(long(256), long(256), long(4_096)), TOKEN_INTERFACE),
        deploy('long', fungible(long(257), long(257), long(4_097)), TOKEN_INTERFACE),
        deploy('huge', fungible(long(90_000), long(3), long(3)), TOKEN_INTERFACE),
        deploy('shared', collection(long(4_097)), COLLECTION_INTERFACE),
        deploy('own', collection(`(if (is-eq id u1) ${long(4_096)} ${long(4_097)})`), COLLECTION_INTERFACE),
      ],
    },
    { transactions: minted.map(({ call }) => call), events: minted.flatMap(({ events }) => events) },
  ]);
  const answerOf = (path: string) => parse(tree, path) as Record<string, unknown>;
  const token = answerOf(`metadata/v1/ft/${idOf('fits')}`);
  expect([token.name, token.symbol, token.token_uri].map((text) => String(text).length)).toEqual([256, 256, 4_096]);
  const answer = answerOf(`metadata/v1/ft/${idOf('long')}`);
  expect([answer.decimals, answer.name, answer.symbol, answer.token_uri]).toEqual([6, undefined, undefined, undefined]);
  const code = 'value-too-long';
  expect(answerOf(`metadata/v1/status/${idOf('long')}`)).toMatchObject({
    values: {
      name: { failure: { code, message: 'get-name returned 257 characters, more than 256.' } },
      symbol: { failure: { code } },
      token_uri: { failure: { code, message: 'get-token-uri returned 4,097 characters, more than 4,096.' } },
    },
  });
  expect(String(answerOf(`metadata/v1/nft/${idOf('own')}/1`).token_uri)).toHaveLength(4_096);
  for (const path of [`${idOf('own')}/2`, `${idOf('shared')}/1`])
    expect(tree.get(`errors/422/metadata/v1/nft/${path}`)).toContain('get-token-uri returned 4,097 characters');
  expect(answerOf(`metadata/v1/status/${idOf('own')}`)).toMatchObject({ failures: { [code]: 1 } });
  expect(await statusOf(cwd)).toMatchObject({ failures: { tokens: { [code]: 6 } } });
});

test('leaves out texts of a node that are too long, and requests those of a token list from the node', async () => {
  const listed = {
    name: 'x'.repeat(257),
    symbol: 'LISTED',
    decimals: 6,
    total_supply: '1',
    token_uri: 'x'.repeat(4_097),
  };
  const world = await indexOfServers([
    liveToken('token', { 'get-token-uri': `(ok (some ${long(4_097)}))` }, { listed }),
  ]);
  await world.run({ discover: true });
  const tree = await world.build();
  expect(parse(tree, ft('token'))).toMatchObject({ name: 'Live', symbol: 'LISTED' });
  expect(parse(tree, status('token'))).toMatchObject({
    values: {
      name: { read_from: 'node' },
      symbol: { read_from: 'token-list' },
      token_uri: { failure: { code: 'value-too-long' } },
    },
  });
});

/** Returns a literal of `count` characters that have six bytes each in JSON. */
const controls = (count: number) => '\\u{1}'.repeat(count);
/** Returns a literal of `count` characters that have three bytes each. */
const wide = (count: number) => '\\u{20ac}'.repeat(count);

test('keeps pages of lists and batches below 1 MB', async () => {
  const cwd = tempFolder();
  const [start, end] = ['data:application/json,{"name":"x","description":"', '"}'];
  const filled = wide(MAX_URI - start.length - end.length);
  const document = `u"${start.replaceAll('"', '\\"')}${filled}${end.replaceAll('"', '\\"')}"`;
  const names = Array.from({ length: 60 }, (_, index) => `t-${index}`);
  const numbers = Array.from({ length: 60 }, (_, index) => 10n ** 38n + BigInt(index));
  const [template, numbered] = [mint('template', numbers), mint('documents', numbers)];
  const tree = await build(cwd, [
    {
      transactions: [
        ...names.map((name) =>
          deploy(name, fungible(`u"${controls(256)}"`, `u"${controls(256)}"`, document), TOKEN_INTERFACE),
        ),
        deploy('template', collection(`"https://x.test/${'{id}'.repeat(1_020)}"`), COLLECTION_INTERFACE),
        deploy('documents', collection(document), COLLECTION_INTERFACE),
        deploy('sheet', sheet(`u"${wide(4_096)}"`), SFT_INTERFACE),
      ],
    },
    { transactions: [template.call, numbered.call], events: [...template.events, ...numbered.events] },
  ]);
  const single = parse(tree, `metadata/v1/ft/${idOf('t-0')}`) as Record<string, string>;
  expect([single.name?.length, single.token_uri?.length]).toEqual([256, 4_096]);
  expect(single.description?.length).toBeGreaterThan(4_000);
  const page = parse(tree, 'metadata/v1/ft/pages/60/0.json') as { results: Record<string, string>[] };
  expect(page.results).toHaveLength(60);
  expect(page.results[0]).toMatchObject({ name: single.name, contract_principal: idOf('t-0') });
  const large = [...tree].flatMap(([path, body]) =>
    path.startsWith('docs/') || Buffer.byteLength(body) < MAX_BYTES ? [] : [path],
  );
  expect(large).toEqual([]);
  const { server, base } = await serveFolder(join(cwd, 'dist'));
  try {
    for (const tokens of [
      names,
      numbers.map((number) => `template:${number}`),
      numbers.map((number) => `documents:${number}`),
    ]) {
      const query = tokens
        .slice(0, 50)
        .map((token) => `contract=${idOf(token)}`)
        .join('&');
      const response = await fetch(`${base}/metadata/v1/search?${query}`);
      const body = await response.text();
      expect([response.status, (JSON.parse(body) as object[]).length]).toEqual([200, 50]);
      expect(Buffer.byteLength(body)).toBeLessThan(MAX_BYTES);
    }
  } finally {
    server.close();
  }
});

const sheet = (uri: string) => `(define-fungible-token part)
  (define-read-only (get-token-uri (id uint)) (ok (some ${uri})))
  (define-read-only (get-decimals (id uint)) (ok u0))
  (define-read-only (get-total-supply (id uint)) (ok u0))`;
