// Tests repeated reads: because of age, notifications, a higher --nft mode, and changes of documents and clocks.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cl } from '@stacks/transactions';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { NftMode } from '#model/token.ts';
import { createUriFetcher } from '#uri/uri-fetcher.ts';
import { chainOf } from '../../support/chain-listener.ts';
import { LIMITS } from '../../support/http-limits.ts';
import { indexOfServers, indexOfUris, json, parse } from '../../support/index-of-servers.ts';
import { NO_REFRESH } from '../../support/index-options.ts';
import { COLLECTION_INTERFACE } from '../../support/interfaces.ts';
import { loopbackServer } from '../../support/loopback-server.ts';
import { PNG } from '../../support/picture.ts';
import { ADDRESS, blockLine, call, deployJson, nftEvent, notificationOf } from '../../support/transactions.ts';

const BY_AGE = { principals: undefined, maxAgeMs: 0 };
const ALL = { principals: [], maxAgeMs: undefined };

test('copies images again by age and after notifications', async () => {
  let image = PNG;
  const world = await indexOfUris(
    (base) => [`${base}/a`],
    (request, response) =>
      request.url === '/a'
        ? json(response, { name: 'x', image: `http://${request.headers.host}/i.png` })
        : response.end(image),
  );
  const uri = async () => (world.answer(await world.build(), 'token-0') as { image_uri?: string }).image_uri;
  await world.run();
  const first = await uri();
  image = await sharp(PNG).negate().png().toBuffer();
  await world.run(BY_AGE);
  expect(await uri()).not.toBe(first);
  image = PNG;
  const { transaction, event } = notificationOf(`${ADDRESS}.token-0`, 100, 'standard');
  const path = join(world.folder, 'notified.tsv');
  writeFileSync(path, blockLine({ id: 2, parent: 1, height: 2, transactions: [transaction], events: [event] }));
  await world.run(NO_REFRESH, [path]);
  expect(await uri()).toBe(first);
});

test('sends a validator only to the URL that returned it', async () => {
  let target = '/v1';
  const world = await indexOfUris(
    (base) => [`${base}/doc`],
    (request, response) => {
      if (request.url === '/doc') return response.writeHead(302, { location: target }).end();
      if (request.headers['if-none-match'] === '"1"') return response.writeHead(304).end();
      return json(response.setHeader('ETag', '"1"'), { name: request.url });
    },
  );
  await world.run();
  target = '/v2';
  await world.run(ALL);
  expect(world.answer(await world.build(), 'token-0')).toMatchObject({ metadata: { name: '/v2' } });
});

test('removes locales that a document no longer declares', async () => {
  let isLocalized = true;
  const world = await indexOfUris(
    (base) => [`${base}/doc`],
    (request, response) => {
      const uri = `http://${request.headers.host}/l/{locale}`;
      const localization = { uri, default: 'en', locales: ['en', 'de', 'fr'] };
      return json(response, { name: request.url, ...(isLocalized && request.url === '/doc' && { localization }) });
    },
  );
  await world.run();
  isLocalized = false;
  await world.run(ALL);
  const tree = await world.build();
  expect(parse(tree, `metadata/v1/status/${ADDRESS}.token-0`)).not.toHaveProperty('locales');
});

test('resets the attempts if a document names another image', async () => {
  let name = '/1.png';
  const world = await indexOfUris(
    (base) => [`${base}/a`],
    (request, response) => {
      if (request.url === '/a') return json(response, { name, image: `http://${request.headers.host}${name}` });
      return request.url === '/1.png' ? response.writeHead(503).end() : response.end(PNG);
    },
  );
  await world.run();
  await world.store
    .updateTable('job')
    .set({ next_attempt_at: Date.now() + 3_600_000, attempts: 14 })
    .execute();
  name = '/2.png';
  await world.run(BY_AGE);
  expect(world.answer(await world.build(), 'token-0')).toHaveProperty('image_uri');
});

test('treats data stored while the clock was ahead as due', async () => {
  const world = await indexOfUris(
    (base) => [`${base}/a`, `${base}/b`],
    (request, response) => (request.url === '/b' ? response.writeHead(503).end() : json(response, { name: 'a' })),
  );
  await world.run();
  const later = Date.now() + 365 * 86_400_000;
  await world.store.updateTable('job').set({ next_attempt_at: later }).execute();
  await world.store.updateTable('document').set({ fetched_at: later }).execute();
  await world.run({ principals: undefined, maxAgeMs: 1000 });
  expect(world.requests.toSorted()).toEqual(['/a', '/a', '/b', '/b']);
});

test("reads a node's URIs of collections' tokens again", async () => {
  const things = `${ADDRESS}.things`;
  const collection = (version: number) => ({
    contractId: things,
    sourceCode: '(define-read-only (get-token-uri (id uint)) (ok (map-get? uris id)))',
    abi: COLLECTION_INTERFACE,
    call: (name: string, [number]: readonly string[]) => {
      const uri = Cl.some(Cl.stringAscii(`https://own.test/v${version}/${BigInt(`0x${number?.slice(4) ?? 0}`)}`));
      return { result: `0x${Cl.serialize(Cl.ok(name === 'get-last-token-id' ? Cl.uint(2) : uri))}` };
    },
  });
  const world = await indexOfServers([collection(1)], { isIndexed: true });
  for (const [version, refresh] of [
    [2, { principals: [things], maxAgeMs: undefined }] as const,
    [3, BY_AGE] as const,
  ]) {
    world.chain = chainOf([collection(version)], { tipHeight: 200_001 });
    await world.run({ refresh });
    const tree = await world.build();
    for (const number of [1, 2])
      expect(parse(tree, `metadata/v1/nft/${things}/${number}`)).toMatchObject({
        token_uri: `https://own.test/v${version}/${number}`,
      });
  }
});

test.each([
  ['documents', 'uris', 'documents', { complete: 2 }],
  ['uris', 'none', 'uris', { partial: 2, queued: 0 }],
] as const)('reads tokens minted meanwhile with --nft %s, %s, %s', async (first, less, last, tokens) => {
  const server = await loopbackServer((request, response) => json(response, { name: request.url }));
  const fetcher = createUriFetcher({
    limits: LIMITS,
    allowedHosts: [server.host],
    gateways: { ipfs: [], arweave: [] },
  });
  const source = `(define-non-fungible-token thing uint)
(define-read-only (get-last-token-id) (ok u3)) (define-read-only (get-owner (id uint)) (ok (nft-get-owner? thing id)))
(define-public (transfer (id uint) (from principal) (to principal)) (ok true))
(define-read-only (get-token-uri (id uint)) (ok (some "${server.url}/{id}")))`;
  const things = `${ADDRESS}.things`;
  const mint = (number: number) => {
    const transaction = call('mint', [Cl.uint(number)], { on: 'things' });
    const event = nftEvent('mint', transaction.txid, things, BigInt(number));
    return blockLine({ id: number, parent: number - 1, height: number, transactions: [transaction], events: [event] });
  };
  const transactions = [deployJson('things', source, { clarityVersion: 2, interface: COLLECTION_INTERFACE })];
  const lines = [blockLine({ id: 0, parent: 'none', height: 0, transactions }), mint(1), mint(2)];
  const world = await indexOfServers([]);
  const documents = { fetcher, maxDocumentBytes: 10_000 };
  const run = (count: number, nft: NftMode) =>
    world.run({ archives: [world.archive(lines.slice(0, count))], source: undefined, vm: true, documents, nft });
  await run(2, first);
  await run(3, less);
  await run(3, last);
  expect(parse(await world.build(), `metadata/v1/status/${things}`)).toMatchObject({ tokens });
});
