import { writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runBuild } from '#build/run-build.ts';
import { settleOffline } from '#indexer/read-documents.ts';
import { runIndex } from '#indexer/run-index.ts';
import { silentReporter } from '#model/reporter.ts';
import { createHttpClient } from '#net/create-http-client.ts';
import { HostGate } from '#net/host-gate.ts';
import { DEFAULT_LIMITS } from '#net/http-client.ts';
import { openIndex, type Store } from '#store/index-database.ts';
import { countJobs } from '#store/jobs.ts';
import { countTokenFailures, countTokenStates } from '#store/tokens.ts';
import { UriFetcher } from '#uri/uri-fetcher.ts';
import { TOKEN_INTERFACE } from '../support/interfaces.ts';
import { loopbackServer } from '../support/loopback-server.ts';
import { addressOf, blockLine, deployJson, TEST_KEY } from '../support/observer-lines.ts';
import { readTree } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

const CID = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi';

const tokenSource = (uri: string) => `(define-fungible-token t)
  (define-read-only (get-name) (ok "On chain")) (define-read-only (get-symbol) (ok "OC")) (define-read-only (get-decimals) (ok u6))
  (define-read-only (get-total-supply) (ok (ft-get-supply t))) (define-read-only (get-token-uri) (ok (some u"${uri}")))`;

interface World {
  readonly store: Store;
  /** Runs again with what is left. */
  run(): Promise<{ fetched: number; fetchesFailed: number; leftToDo: boolean }>;
  build(): Promise<Map<string, string>>;
  /** Answer of a token by its contract name. */
  answer(tree: Map<string, string>, name: string): unknown;
  readonly requests: string[];
}

/** An index with a token a URI, named token-0, token-1 …, and a server that answers for them. */
const withTokens = async (
  uris: (base: string) => string[],
  respond: (request: IncomingMessage, response: ServerResponse) => void,
  use: (world: World) => Promise<void>,
) => {
  const folder = tempFolder();
  const server = await loopbackServer(respond);
  const transactions = uris(server.url).map((uri, nonce) =>
    deployJson(`token-${nonce}`, tokenSource(uri), { clarityVersion: 2, nonce, interface: TOKEN_INTERFACE }),
  );
  const archive = join(folder, 'chain.tsv');
  writeFileSync(archive, blockLine({ id: 1, parent: 0, height: 0, transactions }));
  const client = createHttpClient({ limits: DEFAULT_LIMITS, allowedHosts: [server.host] });
  const gateways = { ipfs: ['http://127.0.0.1:9', `${server.url}/gateway`], arweave: [`${server.url}/arweave`] };
  const trusted = createHttpClient({ limits: DEFAULT_LIMITS, allowedHosts: [server.host, '127.0.0.1:9'] });
  const fetcher = new UriFetcher({
    guarded: client,
    trusted,
    gateways,
    gate: new HostGate({ perHost: 4, now: Date.now }),
  });
  const store = await openIndex(join(folder, 'index.sqlite'));
  const options = {
    offline: false,
    vm: true,
    skipBroken: false,
    concurrency: 1,
    reporter: silentReporter,
    signal: new AbortController().signal,
  };
  const documents = { fetcher, concurrency: 4, maxDocumentBytes: 10_000 };
  await runIndex(store, { ...options, archives: [archive], documents: undefined });
  await use({
    store,
    requests: server.requests,
    run: () => runIndex(store, { ...options, archives: [], documents }),
    build: async () => {
      const out = join(folder, 'dist');
      await runBuild(store, {
        out,
        publicUrl: '',
        onlyTokens: true,
        full: false,
        verify: false,
        reporter: silentReporter,
      });
      return readTree(out);
    },
    answer: (tree, name) => {
      const path = `metadata/v1/ft/${addressOf(TEST_KEY)}.${name}`;
      return JSON.parse(tree.get(path) ?? tree.get(`errors/422/${path}`) ?? 'null') as unknown;
    },
  });
  await store.destroy();
  await client.close();
  await trusted.close();
};

const json = (response: ServerResponse, value: unknown) => response.end(JSON.stringify(value));

describe('fetchDocuments', () => {
  test('default', async () => {
    await withTokens(
      (base) => [`${base}/{id}.json`, `ipfs://${CID}/meta.json`, 'ar://abc/meta.json'],
      (request, response) => json(response, { name: request.url, description: 'of the web' }),
      async (world) => {
        expect(world.answer(await world.build(), 'token-0')).toEqual({ error: 'Token metadata fetch in progress' });
        expect(await world.run()).toMatchObject({ fetched: 3, fetchesFailed: 0, leftToDo: false });
        const tree = await world.build();
        expect(world.answer(tree, 'token-0')).toMatchObject({
          name: 'On chain',
          description: 'of the web',
          metadata: { name: '/1.json' },
        });
        // The first gateway is down, the second one answers.
        expect(world.answer(tree, 'token-1')).toMatchObject({ metadata: { name: `/gateway/ipfs/${CID}/meta.json` } });
        expect(world.answer(tree, 'token-2')).toMatchObject({ metadata: { name: '/arweave/abc/meta.json' } });
        // What is known is not fetched again.
        const asked = world.requests.length;
        await world.run();
        expect(world.requests).toHaveLength(asked);
      },
    );
  });

  test('behavior: a bad answer costs the document, not the token, and each has its reason', async () => {
    const answers: Record<string, (response: ServerResponse) => void> = {
      '/missing': (response) => response.writeHead(404).end(),
      '/html': (response) => response.end('<!DOCTYPE html><p>Not here</p>'),
      '/list': (response) => response.end('[]'),
      '/text': (response) => response.end('hello'),
      '/empty': (response) => response.end(''),
      '/large': (response) => response.end('x'.repeat(10_001)),
    };
    const paths = Object.keys(answers);
    await withTokens(
      (base) => [...paths.map((path) => base + path), 'http://169.254.169.254/latest', 'https://example.org:22/x'],
      (request, response) => answers[request.url ?? '']?.(response),
      async (world) => {
        expect(await world.run()).toMatchObject({ fetched: 0, fetchesFailed: 8, leftToDo: false });
        expect(await countTokenStates(world.store)).toMatchObject({ partial: 8, queued: 0 });
        expect(await countTokenFailures(world.store)).toEqual({
          'address-refused': 1,
          'empty-document': 1,
          'html-page': 1,
          'http-404': 1,
          'not-an-object': 1,
          'not-json': 1,
          'port-refused': 1,
          'too-large': 1,
        });
        const answer = world.answer(await world.build(), 'token-0');
        expect(answer).toMatchObject({ name: 'On chain' });
        expect(answer).not.toHaveProperty('metadata');
      },
    );
  });

  test('behavior: locales are fetched too, and one that fails is the failure of that locale alone', async () => {
    await withTokens(
      (base) => [`${base}/default`],
      (request, response) => {
        if (request.url === '/default') {
          json(response, {
            name: 'Default',
            localization: {
              uri: `http://${request.headers.host}/l/{locale}`,
              default: 'en',
              locales: ['en', 'de', 'fr'],
            },
          });
        } else if (request.url === '/l/de') json(response, { name: 'Deutsch' });
        else response.writeHead(404).end();
      },
      async (world) => {
        expect(await world.run()).toMatchObject({ fetched: 2, fetchesFailed: 1 });
        const tree = await world.build();
        const variant = (locale: string) =>
          JSON.parse(tree.get(`variants/locale/${locale}/metadata/v1/ft/${addressOf(TEST_KEY)}.token-0`) ?? 'null') as {
            metadata: object;
          };
        expect(['en', 'de', 'fr'].map((locale) => variant(locale).metadata)).toMatchObject([
          { name: 'Default' },
          { name: 'Deutsch' },
          { name: 'Default' },
        ]);
        expect(world.requests).not.toContain('/l/en');
      },
    );
  });

  test('behavior: a server that is busy for a moment is asked again in the same run', async () => {
    let turn = 0;
    await withTokens(
      (base) => [`${base}/a`],
      (_, response) =>
        turn++ === 0 ? response.writeHead(503, { 'Retry-After': '1' }).end() : json(response, { name: 'Late' }),
      async (world) => {
        expect(await world.run()).toMatchObject({ fetched: 1, fetchesFailed: 1, leftToDo: false });
        expect(world.answer(await world.build(), 'token-0')).toMatchObject({ metadata: { name: 'Late' } });
      },
    );
  });

  test('behavior: a host that asks for an hour gets it, is not asked by its other tokens, and leaves work', async () => {
    await withTokens(
      (base) => Array.from({ length: 12 }, (_, index) => `${base}/${index}`),
      (_, response) => response.writeHead(429, { 'Retry-After': '3600' }).end(),
      async (world) => {
        expect(await world.run()).toMatchObject({ fetched: 0, leftToDo: true });
        // As many as were under way at once, and no more.
        expect(world.requests.length).toBeLessThanOrEqual(4);
        expect(await countJobs(world.store)).toMatchObject({ 'fetch-document': 12 });
        const asked = world.requests.length;
        await world.run();
        expect(world.requests).toHaveLength(asked);
      },
    );
  });

  test('behavior: what was settled offline is fetched by a later run', async () => {
    await withTokens(
      (base) => [`${base}/a`],
      (_, response) => json(response, { name: 'After all' }),
      async (world) => {
        expect(await settleOffline(world.store)).toBe(1);
        expect(await world.run()).toMatchObject({ fetched: 1 });
        expect(world.answer(await world.build(), 'token-0')).toMatchObject({ metadata: { name: 'After all' } });
      },
    );
  });
});
