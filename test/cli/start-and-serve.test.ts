// Tests `start` and `serve`: all URLs that they print work.
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { TokenResponse } from '#routes/token-response.ts';
import { read } from '../support/example-scripts.ts';
import { expectRefused, runWarm, spawnCli, statusOf, untilPrinted } from '../support/run-cli.ts';
import { buildSample } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { blockLine, callJson } from '../support/transactions.ts';

test('default', async () => {
  const cwd = tempFolder();
  const [{ promise: printed, resolve }, stopped] = [Promise.withResolvers<string>(), new AbortController()];
  onTestFinished(() => stopped.abort());
  const onPrint = (stdout: string) => /Ctrl-C/.test(stdout) && resolve(stdout);
  const ended = runWarm(['start', '--port', '0'], { cwd, signal: stopped.signal, onPrint });
  const output = await printed;
  const urls = output.match(/http:\/\/[^\s/]+\/\S+/g) ?? [];
  expect(urls).toHaveLength(4);
  expect(output).toMatch(/^ {2}http:\/\/127\.0\.0\.1:\d+\/$/m);
  expect(new Set(urls).size).toBe(urls.length);
  for (const url of urls) expect((await fetch(url)).status).toBe(200);
  // The tokens that are named in the output, in the wallet and in the README have images.
  const [base = ''] = urls;
  const inFile = (path: string) => read(path).match(/ST[0-9A-Z]{38,39}\.[a-z-]+(?=$|<)/gm) ?? [];
  const named = ['examples/wallet/index.html', 'README.md'].map(inFile);
  expect(named.map(({ length }) => length)).toEqual([3, 1]);
  const tokens = [
    ...urls.filter((url) => /\.[a-z-]+(?:\/\d+)?$/.test(url)),
    ...named.flat().map((principal) => new URL(`/metadata/v1/ft/${principal}`, base).href),
  ];
  expect(tokens).toHaveLength(7);
  for (const token of tokens) {
    const { image_uri: uri, metadata } = (await (await fetch(token)).json()) as TokenResponse;
    const image = uri ?? metadata?.cached_image ?? token;
    expect((await fetch(new URL(image, token))).headers.get('content-type'), token).toMatch(/^image\//);
  }
  stopped.abort();
  const { status, stderr } = await ended;
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('warning')]);
});

test('start does not change an index and a build of another chain', async () => {
  const cwd = tempFolder();
  writeFileSync(join(cwd, 'mainnet.tsv'), blockLine({ id: 1, parent: 0, height: 1, transactions: [callJson()] }));
  await runWarm(['index', '--archive', 'mainnet.tsv', '--offline'], { cwd });
  const { blocks, contracts } = await statusOf(cwd);
  expectRefused(await runWarm(['start', '--port', '0'], { cwd }), 'npm run build');
  await runWarm(['build'], { cwd });
  const started = spawnCli(['start', '--port', '0'], { cwd });
  expect(await untilPrinted(started.stdout, /Ctrl-C/)).toContain('neither was changed');
  started.kill('SIGINT');
  await once(started, 'close');
  expect(await statusOf(cwd)).toMatchObject({ blocks, contracts, chain: '0x00000001' });
});

test('reports port-in-use', async () => {
  const cwd = tempFolder();
  await buildSample(join(cwd, 'dist'), { vm: false });
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  expectRefused(await runWarm(['serve', '--port', String(port)], { cwd }), `Port ${port} of 127.0.0.1 is in use`);
  // `start` reports that the port is in use before it creates files.
  const empty = tempFolder();
  expectRefused(
    await runWarm(['start', '--port', String(port)], { cwd: empty }),
    `Port ${port} of 127.0.0.1 is in use`,
  );
  expect(readdirSync(empty)).toEqual([]);
  other.close();
});
