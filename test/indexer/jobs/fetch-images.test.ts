import { hash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { runBuild } from '#generator/run-build.ts';
import { runIndex } from '#indexer/run-index.ts';
import { countJobs } from '#store/work/jobs.ts';
import { buildOptions } from '../../support/build-options.ts';
import { indexOfUris, json } from '../../support/index-of-servers.ts';
import { indexOptions, offline } from '../../support/index-options.ts';
import { readTree } from '../../support/sample.ts';
import { silentReporter } from '../../support/silent-reporter.ts';

const pictureOf = (width: number, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: '#36c' } })
    .png()
    .toBuffer();
const png = await pictureOf(400, 400);
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10"/></svg>';
const SHA256 = hash('sha256', png);

test('default', async () => {
  const images = [
    (base: string) => `${base}/shared.png`,
    (base: string) => `${base}/shared.png`,
    () => `data:image/png;base64,${png.toString('base64')}`,
    () => `data:image/svg+xml,${encodeURIComponent(svg)}`,
    (base: string) => `${base}/missing.png`,
    () => 'http://169.254.169.254/x.png',
  ];
  const world = await indexOfUris(
    (base) => images.map((_, index) => `${base}/${index}.json`),
    (request, response) => {
      const index = /^\/(\d)\.json$/.exec(request.url ?? '')?.[1];
      if (index !== undefined)
        json(response, { name: 'T', image: images[Number(index)]?.(`http://${request.headers.host}`) });
      else if (request.url === '/shared.png') response.end(png);
      else response.writeHead(404).end();
    },
  );
  expect(await world.run()).toMatchObject({ fetched: 6, images: 4, imagesFailed: 2, leftToDo: false });
  // Three tokens share an image, which has one copy and one thumbnail. The SVG has a PNG as its copy.
  const kept = readdirSync(join(world.folder, 'images'));
  expect(kept).toHaveLength(4);
  expect(kept).toEqual(expect.arrayContaining([`${SHA256}.png`, `${SHA256}.thumb.webp`]));

  const tree = await world.build();
  expect([...tree.keys()].filter((path) => path.startsWith('images/'))).toEqual(
    kept.sort().map((name) => `images/${name}`),
  );
  const uris = { image_uri: `/images/${SHA256}.png`, image_thumbnail_uri: `/images/${SHA256}.thumb.webp` };
  for (const name of ['token-0', 'token-1', 'token-2']) {
    expect(world.answer(tree, name)).toMatchObject({
      ...uris,
      metadata: { cached_image: uris.image_uri, cached_thumbnail_image: uris.image_thumbnail_uri },
    });
  }
  expect(world.answer(tree, 'token-0')).toMatchObject({ image_canonical_uri: expect.stringContaining('/shared.png') });
  // A broken image does not affect the other values of its token.
  expect(world.answer(tree, 'token-4')).toMatchObject({
    name: 'On chain',
    image_canonical_uri: expect.stringContaining('/missing.png'),
  });
  expect(world.answer(tree, 'token-4')).not.toHaveProperty('image_uri');
  expect(world.answer(await world.build('https://cdn.example'), 'token-0')).toMatchObject({
    image_uri: `https://cdn.example/images/${SHA256}.png`,
  });
  const before = world.requests.length;
  await world.run();
  expect(world.requests).toHaveLength(before);
});

test('accepts an undecodable image as final after four failures, or at once in a data: URI', async () => {
  const broken = png.subarray(0, 60);
  const world = await indexOfUris(
    (base) => [
      `data:application/json,{"image":"${base}/i.png"}`.replaceAll('"', '%22'),
      `data:application/json,{"image":"data:image/png;base64,${broken.toString('base64')}"}`.replaceAll('"', '%22'),
    ],
    (_, response) => response.end(broken),
  );
  expect(await world.run()).toMatchObject({ images: 0, imagesFailed: 2, leftToDo: true });
  expect(await countJobs(world.store)).toMatchObject({ 'fetch-image': 1 });
  expect(await world.runToEnd()).toMatchObject({ images: 0, imagesFailed: 3 });
  expect(world.requests).toHaveLength(4);
});

test('refreshes images with conditional requests, and lost copies with full requests', async () => {
  const responses: string[] = [];
  const images = new Map([['"1"', await pictureOf(1)]]);
  const world = await indexOfUris(
    (base) => [`data:application/json,{%22image%22:%22${base}/a.png%22}`],
    (request, response) => {
      const [[tag = '', bytes] = []] = images;
      const known = request.headers['if-none-match'];
      responses.push(`${known} ${known === tag ? 304 : 200}`);
      response.writeHead(known === tag ? 304 : 200, { ETag: tag }).end(known === tag ? undefined : bytes);
    },
  );
  const refresh = { principals: [], maxAgeMs: undefined };
  const copy = async () => {
    const image = await world.store.selectFrom('image').select(['sha256', 'is_stale']).executeTakeFirstOrThrow();
    expect(image.is_stale).toBe(0);
    return image.sha256;
  };
  await world.run();
  const first = await copy();
  expect(await world.run(refresh)).toMatchObject({ images: 1, leftToDo: false });
  expect(await copy()).toBe(first);
  rmSync(join(world.folder, 'images', `${first}.png`));
  await world.run(refresh);
  images.clear();
  images.set('"2"', await pictureOf(2));
  await world.run(refresh);
  expect(await copy()).not.toBe(first);
  expect(responses).toEqual(['undefined 200', '"1" 304', 'undefined 200', '"1" 200']);
});

test('does not publish lost, truncated or damaged copies, and makes them again', async () => {
  const names = ['missing', 'empty', 'short', 'damaged', 'intact'];
  const bytesOf = await Promise.all(names.map((_, index) => pictureOf(index + 1)));
  const world = await indexOfUris(
    (base) => names.map((name) => `data:application/json,{%22image%22:%22${base}/${name}%22}`),
    (request, response) => response.end(bytesOf[names.indexOf(request.url?.slice(1) ?? '')]),
  );
  await world.run();
  const expected = await world.build();
  const copies = bytesOf.map((bytes) => `${hash('sha256', bytes)}.png`);
  const [missing, empty, short, damaged] = copies.map((copy) => join(world.folder, 'images', copy)) as [
    ...[string, string, string, string],
  ];
  rmSync(missing);
  truncateSync(empty);
  truncateSync(short, 50);
  const bytes = readFileSync(damaged);
  writeFileSync(damaged, bytes.fill(0, 50, 60));

  const warnings: string[] = [];
  const build = (name: string, full = false) => {
    const warn = (text: string) => void (text.includes('damaged') && warnings.push(text));
    const reporter = { ...silentReporter, warn };
    const out = join(world.folder, name);
    const paths = { indexFile: join(world.folder, 'index.sqlite'), imageFolder: join(world.folder, 'images') };
    return runBuild(world.store, buildOptions(out, { ...paths, only: 'tokens', reporter, full }));
  };
  await build('new');
  const published = readdirSync(join(world.folder, 'new/images'));
  expect(copies.filter((copy) => published.includes(copy))).toEqual(copies.slice(-1));
  expect(warnings).toEqual([expect.stringMatching(/damaged: 4\. Find all of them with npm run build -- --full/)]);
  // A build does not remove published copies, even if they are missing or damaged in the image folder.
  await build('dist', true);
  expect(await world.build()).toEqual(expected);
  expect(warnings.slice(1)).toEqual([
    expect.stringMatching(/^Missing or damaged .*: 4\. The next index run makes them again/),
  ]);

  world.requests.length = 0;
  expect(await world.run()).toMatchObject({ images: 4, leftToDo: false });
  expect(world.requests.map((request) => request.split('/').at(-1)).sort()).toEqual(names.slice(0, -1).sort());
  await build('new');
  expect(readTree(join(world.folder, 'new'))).toEqual(expected);
  expect(await world.build()).toEqual(expected);
  expect(warnings).toHaveLength(2);
});

test('ends postponed jobs in an offline run, and queues them again in a later run', async () => {
  const world = await indexOfUris(
    (base) => [`data:application/json,{"image":"${base}/i.png"}`.replaceAll('"', '%22')],
    (_, response) => response.writeHead(503, { 'Retry-After': '3600' }).end(),
  );
  expect(await world.run()).toMatchObject({ images: 0, imagesFailed: 1, leftToDo: true });
  await runIndex(world.store, indexOptions(offline(join(world.folder, 'images'))));
  expect(await countJobs(world.store)).toMatchObject({ 'fetch-image': 0 });
  // The fetcher still obeys the pause that the host requested, so the queued job remains.
  expect(await world.run()).toMatchObject({ leftToDo: true });
  expect(await countJobs(world.store)).toMatchObject({ 'fetch-image': 1 });
});

test('copies an image again in one run if it became stale after its first copy', async () => {
  const world = await indexOfUris(
    (base) => [0, 1].map((index) => `${base}/${index}.json`),
    async (request, response) => {
      if (request.url === '/i.png') return response.end(png);
      // Delays the second document until the copy for the first document is stored, and marks this copy as outdated.
      const image = world.store.updateTable('image').set({ is_stale: 1 });
      while (request.url === '/1.json' && (await image.executeTakeFirstOrThrow()).numUpdatedRows === 0n)
        await setTimeout(20);
      return json(response, { name: 'T', image: `http://${request.headers.host}/i.png` });
    },
  );
  expect(await world.run()).toMatchObject({ images: 2, imagesFailed: 0 });
  expect(world.requests.filter((path) => path === '/i.png')).toHaveLength(2);
  expect(await world.store.selectFrom('image').select('is_stale').execute()).toEqual([{ is_stale: 0 }]);
});

test('distinguishes an HTML page from a broken SVG', async () => {
  const bodies = ['<title>Not found</title>', '<svg>'].map((body) => `\ufeff<!-- ${'a'.repeat(5_000)} -->${body}`);
  const world = await indexOfUris(
    (base) => bodies.map((_, index) => `data:application/json,{%22image%22:%22${base}/${index}%22}`),
    (request, response) => response.end(bodies[Number(request.url?.slice(1))]),
  );
  await world.runToEnd();
  const images = await world.store.selectFrom('image').select('failure_code').orderBy('uri').execute();
  expect(images.map(({ failure_code: code }) => code)).toEqual(['html-page', 'image-undecodable']);
});
