// Tests programs at the edge when their storage fails: the response is 503, not 404. Also tests the size limits of the
// programs.
import { describe, expect, test } from 'vitest';
import { SITE_RULES } from '#site/site-rules.ts';
import { PLAIN } from './built-sample.ts';
import { askProgram, PROGRAMS, type Respond } from './edge-programs.ts';

const TOKEN = '/metadata/v1/ft/SP000000000000000000002Q6VF78.token';
const COLLECTION = 'SP000000000000000000002Q6VF78.collection';
const UNAVAILABLE = '{"error":"Service Unavailable"}';

const fail =
  (code: number): Respond =>
  (_, response) =>
    void response.writeHead(code).end('fault');
/** Returns a storage that contains these files. */
const have =
  (files: ReadonlyMap<string, string>): Respond =>
  (file, response) =>
    void (files.has(file) ? response.end(files.get(file)) : response.writeHead(404).end('<Error/>'));

describe.each(Object.keys(PROGRAMS))('%s', (name) => {
  test.each([500, 503, 429, 403, 400, 301])(
    '%i of the storage is 503, and is not stored',
    async (code) => {
      for (const path of [
        TOKEN,
        `${TOKEN}?locale=de`,
        '/metadata/v1/ft?limit=7',
        '/metadata/v1/search?contract=',
        '/',
      ]) {
        const { status, headers, body, errors } = await askProgram(name, path, fail(code));
        expect([path, status, body]).toEqual([path, 503, UNAVAILABLE]);
        const told = ['access-control-allow-origin', 'cache-control', 'retry-after'].map((header) => headers[header]);
        expect(told).toEqual(['*', 'no-store', '2']);
        expect(errors).toEqual([expect.stringContaining(`the host responded with ${code}`)]);
      }
    },
    20_000,
  );

  test('returns 503 for a broken connection', async () => {
    const { status, body, errors } = await askProgram(name, TOKEN, (_, response) => void response.destroy());
    expect([status, body, errors.length]).toEqual([503, UNAVAILABLE, 1]);
  });

  test('treats a 404 of the storage as a missing file', async () => {
    const { status, body, headers, errors } = await askProgram(name, TOKEN, have(PLAIN));
    expect([status, body, errors]).toEqual([404, '{"error":"Token not found"}', []]);
    expect(headers['cache-control']).toBe('no-store');
  });

  test('sends a picture and a text with their bytes', async () => {
    const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff, 0xfe, 0xc3]);
    for (const content of [picture, Buffer.from('\ufeffa text\u0000')]) {
      const respond: Respond = (_, response) => void response.end(content);
      const { status, bytes } = await askProgram(name, '/explorer/preview.png', respond);
      expect([status, bytes.toString('hex')]).toEqual([200, content.toString('hex')]);
    }
  });

  test('returns 503 for a missing site', async () => {
    const { status, body } = await askProgram(name, TOKEN, have(new Map()));
    expect([status, body]).toEqual([503, UNAVAILABLE]);
  });
});

describe('s3-cloudfront', () => {
  const MB = 1_048_576;
  const ask = (path: string, files: readonly (readonly [string, string])[]) =>
    askProgram('s3-cloudfront', path, have(new Map([...PLAIN, ...files])));
  const page = (bytes: number) => ['docs/index.html', 'x'.repeat(bytes)] as const;

  test('sends a page with its policy, and rewrites to other files', async () => {
    const { body, headers } = await ask('/docs/', [page(1_000)]);
    expect([body.length, headers['content-security-policy']]).toEqual([
      1_000,
      SITE_RULES.headers.document['Content-Security-Policy'],
    ]);
    expect((await ask('/metadata/ft', [])).file).toBe('metadata/v1/ft/index.json');
  });

  test('rewrites to the object for a page above the maximum size', async () => {
    expect((await ask('/docs/', [page(MB)])).file).toBe('docs/index.html');
    expect((await ask('/docs/', [page(MB - 2_000)])).file).toBeUndefined();
  });

  test('returns several tokens without their longest texts', async () => {
    const collections = ['search/collections/index.json', JSON.stringify([['nft', COLLECTION, '0x']])] as const;
    const text = (length: number) =>
      JSON.stringify({ token_uri: 'a:1', metadata: { description: 'é'.repeat(length) } });
    const tokens = [7_000, 150_000, 150_000, 150_000, 150_000].map(
      (length, index) => [`metadata/v1/nft/${COLLECTION}/${index + 1}`, text(length)] as const,
    );
    const query = tokens.map((_, index) => `contract=${COLLECTION}:${index + 1}`).join('&');
    const { status, body } = await ask(`/metadata/v1/search?${query}`, [collections, ...tokens]);
    const rows = JSON.parse(body) as { token_uri: string; description?: string }[];
    expect([status, rows.map(({ description }) => description?.length)]).toEqual([
      200,
      [7_000, undefined, undefined, undefined, undefined],
    ]);
    expect(rows.map(({ token_uri: uri }) => uri)).toEqual(tokens.map(() => 'a:1'));
  });
});
