// Decodes all hostile SVGs, and indexes all other hostile images together. Checks the result of each image, and the peak
// memory of the index run.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { EXIT_OK, EXIT_TRY_AGAIN } from '#cli/world.ts';
import { createImageDecoder } from '#image/image-decoder.ts';
import { isFailure } from '#model/failure.ts';
import { readImages } from '#store/tokens/images.ts';
import { newIndex } from '../support/archives.ts';
import { TOKEN_INTERFACE } from '../support/interfaces.ts';
import { loopbackServer } from '../support/loopback-server.ts';
import { runWarm } from '../support/run-warm.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { tokenSource } from '../support/token-source.ts';
import { blockLine, deployJson } from '../support/transactions.ts';
import { HOSTILE_RASTERS } from './hostile-rasters.ts';
import { HOSTILE_SVGS } from './hostile-svgs.ts';
import { runMeasured } from './run-measured.ts';

/** The maximum memory of the main process. The processes that decode images have separate limits. */
const MAX_MAIN_BYTES = 512_000_000;
const MAX_PIXELS = 8_000_000;
/** The maximum memory of the four decoding processes, plus the pixels that they decode. */
const MAX_DECODING_BYTES = 4 * 160_000_000 + MAX_PIXELS * 24;
/** The maximum CPU time of an SVG. Hostile SVGs exceed any limit, and all others need much less. */
const MAX_CPU_SECONDS = 2;

const decoder = createImageDecoder(MAX_PIXELS, MAX_CPU_SECONDS);
afterAll(() => decoder.close());

test.each(HOSTILE_SVGS)('limits the effect of an SVG: $name', async ({ bytes, outcome }) => {
  const image = await decoder.decode(bytes);
  expect([outcome].flat()).toContain(isFailure(image) ? image.code : image.extension);
});

test.skipIf(process.platform !== 'linux')(
  'limits the effect of a hostile image to that image, within the memory limit',
  async () => {
    const cwd = tempFolder();
    const server = await loopbackServer((request, response) => {
      const [, kind, index] = /^\/(\w)(\d*)$/.exec(request.url ?? '') ?? [];
      const image = HOSTILE_RASTERS[Number(index)];
      if (kind === 'i' && image?.type !== undefined) response.setHeader('Content-Type', image.type);
      const locales = HOSTILE_RASTERS.map((_, at) => `${at}`);
      const localization = { uri: `${server.url}/d{locale}`, default: 'en', locales };
      if (kind === 't') response.end(JSON.stringify({ localization }));
      else response.end(kind === 'i' ? image?.bytes : JSON.stringify({ image: `${server.url}/i${index}` }));
    });
    const facts = { clarityVersion: 2, nonce: 0, interface: TOKEN_INTERFACE };
    const source = tokenSource({ 'get-token-uri': `(ok (some u"${server.url}/t"))` });
    const transactions = [deployJson('token', source, facts)];
    writeFileSync(join(cwd, 'chain.tsv'), blockLine({ id: 1, parent: 0, height: 0, transactions }));
    const indexing = ['index', '--db', 'index.sqlite', '--allow-host', server.host];
    const { status, stderr } = await runWarm([...indexing, '--archive', 'chain.tsv', '--no-images'], { cwd });
    expect(status, stderr).toBe(0);
    const limits = ['--max-image-pixels', String(MAX_PIXELS), '--max-image-bytes', '2000000', '--wait', '0'];
    const indexed = await runMeasured([...indexing, ...limits], { cwd });
    // An undecodable image may be a temporary error of its server, so this run may end with a pending retry (status
    // 75).
    expect([EXIT_OK, EXIT_TRY_AGAIN], indexed.stderr).toContain(indexed.status);

    const store = await newIndex(join(cwd, 'index.sqlite'));
    const uriOf = (index: number) => `${server.url}/i${index}`;
    const images = await readImages(store, [...HOSTILE_RASTERS.keys()].map(uriOf));
    for (const [index, { name, outcome }] of HOSTILE_RASTERS.entries()) {
      const { copy, failure } = images.get(uriOf(index)) ?? {};
      expect.soft([outcome].flat(), name).toContain(copy?.extension ?? failure?.code);
    }
    expect(indexed.mainBytes).toBeLessThan(MAX_MAIN_BYTES);
    expect(indexed.peakBytes).toBeLessThan(MAX_MAIN_BYTES + MAX_DECODING_BYTES);
  },
  300_000,
);
