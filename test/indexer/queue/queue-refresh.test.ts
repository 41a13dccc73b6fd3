import { existsSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { indexOfUris, json } from '../../support/index-of-servers.ts';
import { NO_REFRESH } from '../../support/index-options.ts';
import { PNG } from '../../support/picture.ts';
import { ADDRESS, blockLine, notificationOf } from '../../support/transactions.ts';

test('sends conditional requests, and keeps documents after failures', async () => {
  let answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) =>
    json(response.setHeader('ETag', '"1"'), { name: 'First' });
  const world = await indexOfUris(
    (base) => [`${base}/a`],
    (request, response) => answer(request, response),
  );
  const name = async () =>
    (world.answer(await world.build(), 'token-0') as { metadata: { name: string } }).metadata.name;
  await world.run();
  answer = (request, response) => response.writeHead(request.headers['if-none-match'] === '"1"' ? 304 : 500).end();
  expect(await world.run({ principals: [], maxAgeMs: undefined })).toMatchObject({ fetched: 1, fetchesFailed: 0 });
  expect(await name()).toBe('First');
  answer = (_, response) => response.writeHead(404).end();
  const principal = `${ADDRESS}.token-0`;
  expect(await world.run({ principals: [principal], maxAgeMs: undefined })).toMatchObject({ fetchesFailed: 1 });
  expect(await name()).toBe('First');
  answer = (_, response) => json(response, { name: 'Second' });
  expect(await world.run({ principals: undefined, maxAgeMs: 3_600_000 })).toMatchObject({ fetched: 0 });
  expect(await world.run({ principals: undefined, maxAgeMs: 0 })).toMatchObject({ fetched: 1 });
  expect(await name()).toBe('Second');
  await expect(
    world.run({ principals: ['SP000000000000000000002Q6VF78.none'], maxAgeMs: undefined }),
  ).rejects.toMatchObject({
    failure: { code: 'usage', message: expect.stringContaining('SP000000000000000000002Q6VF78.none') },
  });
});

test('retries final failures of documents and images', async () => {
  let isUp = false;
  const world = await indexOfUris(
    (base) => [`${base}/a`, `data:application/json,{"image":"${base}/i.png"}`.replaceAll('"', '%22')],
    (request, response) => {
      if (!isUp) response.writeHead(404).end();
      else if (request.url === '/a') json(response, { name: 'Repaired' });
      else response.end(PNG);
    },
  );
  expect(await world.run()).toMatchObject({ fetched: 0, fetchesFailed: 1, images: 0, imagesFailed: 1 });
  isUp = true;
  expect(await world.run()).toMatchObject({ fetched: 0, images: 0 });
  expect(await world.run({ principals: [], maxAgeMs: undefined })).toMatchObject({ fetched: 1, images: 1 });
  const tree = await world.build();
  expect(world.answer(tree, 'token-0')).toMatchObject({ metadata: { name: 'Repaired' } });
  expect(world.answer(tree, 'token-1')).toHaveProperty('image_uri');
  // A refresh copies an image again if its copy is lost.
  rmSync(join(world.folder, 'images'), { recursive: true });
  await world.run({ principals: [], maxAgeMs: undefined });
  expect(existsSync(join(world.folder, 'images'))).toBe(true);
});

test('copies a changed image again, and keeps the copy after a failed attempt', async () => {
  let image: Buffer | undefined = PNG;
  const world = await indexOfUris(
    (base) => [`data:application/json,{"image":"${base}/i.png"}`.replaceAll('"', '%22')],
    (_, response) => (image === undefined ? response.writeHead(404).end() : response.end(image)),
  );
  const uri = async () => (world.answer(await world.build(), 'token-0') as { image_uri: string }).image_uri;
  const refresh = { principals: [], maxAgeMs: undefined };
  await world.run();
  const first = await uri();
  image = undefined;
  expect(await world.run(refresh)).toMatchObject({ imagesFailed: 1 });
  expect(await uri()).toBe(first);
  image = await sharp(PNG).negate().png().toBuffer();
  expect(await world.run()).toMatchObject({ images: 0 });
  expect(await world.run(refresh)).toMatchObject({ images: 1 });
  expect(await uri()).not.toBe(first);
});

test('SIP-019, Fungible Tokens: refreshes the named token in each mode, and never a frozen one', async () => {
  let served = 0;
  const world = await indexOfUris(
    (base) => [`${base}/a`, `${base}/b`],
    (_, response) => json(response, { name: `answer ${++served}` }),
  );
  await world.run();
  expect(served).toBe(2);
  const notify = (id: number, mode: string, ttl?: number) => {
    const { transaction, event } = notificationOf(`${ADDRESS}.token-0`, 100 + id, mode, ttl);
    const path = join(world.folder, `notify-${id}.tsv`);
    writeFileSync(path, blockLine({ id, parent: id - 1, height: id, transactions: [transaction], events: [event] }));
    return path;
  };
  expect(await world.run(NO_REFRESH, [notify(2, 'standard')])).toMatchObject({ fetched: 1 });
  expect(await world.run()).toMatchObject({ fetched: 0 });
  expect(await world.run(NO_REFRESH, [notify(3, 'dynamic', 0)])).toMatchObject({ fetched: 1 });
  // A ttl of 0 expires immediately, so every run reads the document again.
  expect(await world.run()).toMatchObject({ fetched: 1 });
  expect(await world.run(NO_REFRESH, [notify(4, 'frozen')])).toMatchObject({ fetched: 1 });
  expect(await world.run({ principals: undefined, maxAgeMs: 0 })).toMatchObject({ fetched: 1 });
  expect(world.requests.at(-1)).toBe('/b');
});

test('follows a notification on an orphan only after the orphan is adopted', async () => {
  let served = 0;
  const world = await indexOfUris(
    (base) => [`${base}/a`],
    (_, response) => json(response, { name: `answer ${++served}` }),
  );
  const add = (id: string, parent: string | number, height: number, mode?: string) => {
    const notified = mode && notificationOf(`${ADDRESS}.token-0`, 100, mode);
    const path = join(world.folder, `${id}.tsv`);
    const more = notified ? { transactions: [notified.transaction], events: [notified.event] } : {};
    writeFileSync(path, blockLine({ id, parent, height, ...more }));
    return world.run(NO_REFRESH, [path]);
  };
  await world.run();
  await add('a', 1, 1);
  expect(await add('b', 1, 1, 'frozen')).toMatchObject({ fetched: 0 });
  // The notification `frozen` is in an orphaned block, so it has no effect yet.
  expect(await world.run({ principals: undefined, maxAgeMs: 0 })).toMatchObject({ fetched: 1 });
  expect(await add('b2', 'b', 2)).toMatchObject({ fetched: 1 });
  expect(await world.run({ principals: undefined, maxAgeMs: 0 })).toMatchObject({ fetched: 0 });
});
