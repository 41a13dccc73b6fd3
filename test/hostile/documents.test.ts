// Indexes and builds all hostile documents together. Checks the result of each document, and the peak memory.
import { readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cannedToken } from '../support/canned-token.ts';
import { chainListener, chainOf } from '../support/chain-listener.ts';
import { TOKEN_INTERFACE } from '../support/interfaces.ts';
import { loopbackServer } from '../support/loopback-server.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { ADDRESS, blockLine, deployJson } from '../support/transactions.ts';
import { HOSTILE_DOCUMENTS, HOSTILE_GROUPS, type HostileDocument } from './documents.ts';
import { runMeasured } from './run-measured.ts';

const MAX_PEAK_BYTES = 512_000_000;

/** The members of a document's status that this test reads. */
interface DocumentStatus {
  readonly state: string;
  readonly failure?: { readonly code: string };
  readonly warnings?: readonly string[];
}

/** A document and the contract of a token that has it. The tokens of a group have the same document. */
interface Placed {
  readonly contract: string;
  readonly path: string;
  readonly document: HostileDocument;
}

const PLACED: readonly Placed[] = [
  ...HOSTILE_DOCUMENTS.map((document) => [1, document] as const),
  ...HOSTILE_GROUPS,
].flatMap(([count, document], place) =>
  Array.from({ length: count }, (_, copy) => ({ contract: `t-${place}-${copy}`, path: `/${place}`, document })),
);

test('limits the effect of a hostile document to its token, within the memory limit', async () => {
  const cwd = tempFolder();
  const server = await loopbackServer((request, response) => listener(request, response));
  const tokens = PLACED.map(({ contract, path, document: { uri } }) => cannedToken(contract, uri ?? server.url + path));
  const node = chainListener(chainOf(tokens));
  const bodies = new Map(PLACED.map(({ path, document }) => [path, document.body]));
  const listener: RequestListener = (request, response) => {
    const url = request.url ?? '';
    if (url.startsWith('/v2/')) node(request, response);
    else response.end(bodies.get(url));
  };
  writeFileSync(join(cwd, 'chain.tsv'), ARCHIVE);
  // The values come from a node, because the Clarity VM would use more memory than the documents.
  const sources = ['--archive', 'chain.tsv', '--no-vm', '--node-url', server.url, '--allow-host', server.host];
  const indexing = ['index', ...sources, '--no-images', '--wait', '0', '--db', 'index.sqlite'];
  const indexed = await runMeasured(indexing, { cwd });
  // An HTML page instead of a document counts as temporary. Status 75 means that its retry is still pending.
  expect([0, 75], indexed.stderr).toContain(indexed.status);
  const built = await runMeasured(['build', '--db', 'index.sqlite', '--only', 'tokens'], { cwd });
  expect(built.status, built.stderr).toBe(0);

  for (const { contract, document } of PLACED) expectOutcome(join(cwd, 'dist'), contract, document);
  expect(indexed.peakBytes).toBeLessThan(MAX_PEAK_BYTES);
  expect(built.peakBytes).toBeLessThan(MAX_PEAK_BYTES);
}, 120_000);

const ARCHIVE = blockLine({
  id: 1,
  parent: 0,
  height: 0,
  transactions: PLACED.map(({ contract }, nonce) =>
    deployJson(contract, '(print 1)', { clarityVersion: 2, nonce, interface: TOKEN_INTERFACE }),
  ),
});

function expectOutcome(dist: string, contract: string, document: HostileDocument): void {
  const { name, code, metadata, locales, names, warnings } = document;
  const path = `metadata/v1/ft/${ADDRESS}.${contract}`;
  const status = readJson(join(dist, path.replace('/ft/', '/status/'))) as {
    readonly state: string;
    readonly document: DocumentStatus;
    readonly locales?: Readonly<Record<string, DocumentStatus>>;
  };
  expect.soft(codeOf(status.document), name).toBe(code ?? 'read');
  expect.soft(status.state, name).toBe(code === undefined ? 'complete' : 'partial');
  // The hostile document must not change the values that come from the token's getters.
  const response = readJson(join(dist, path)) as { readonly name: string; readonly metadata?: object };
  expect.soft(response.name, name).toBe(`Token ${contract}`);
  expect.soft(response.metadata === undefined, name).toBe(code !== undefined);
  if (metadata !== undefined) expect.soft(pick(response.metadata, Object.keys(metadata)), name).toEqual(metadata);
  if (warnings !== undefined) expect.soft(status.document.warnings?.length, name).toBe(warnings);
  if (locales !== undefined) {
    const codes = Object.entries(status.locales ?? {}).map(([locale, localeStatus]) => [locale, codeOf(localeStatus)]);
    expect.soft(Object.fromEntries(codes), name).toEqual(locales);
  }
  for (const [locale, expected] of Object.entries(names ?? {})) {
    const variant = readJson(join(dist, `variants/locale/${locale}/${path}`)) as typeof response | undefined;
    expect.soft(pick(variant?.metadata, ['name']).name, `${name}, ${locale}`).toBe(expected);
  }
}

function codeOf({ state, failure }: DocumentStatus): string {
  return failure?.code ?? state;
}

function pick(from: object | undefined, keys: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(keys.map((key) => [key, (from as Readonly<Record<string, unknown>> | undefined)?.[key]]));
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
