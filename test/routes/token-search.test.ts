// The file that finds tokens by symbol or name: what a row has, and that it follows what changes.
import { expect, test } from 'vitest';
import { PNG } from '../support/picture.ts';
import { json, withTokens } from '../support/token-world.ts';

const FILE = 'search/tokens/index.json';

const rows = (tree: ReadonlyMap<string, string>) => JSON.parse(tree.get(FILE) ?? '') as string[][];

test('default: name, symbol and thumbnail, and what an image or another name changes', async () => {
  await withTokens(
    (base) => [`${base}/1.json`, `${base}/2.json`],
    (request, response) =>
      request.url === '/a.png'
        ? response.end(PNG)
        : json(response, request.url === '/1.json' ? { image: `http://${request.headers.host}/a.png` } : { name: 'x' }),
    async ({ runToEnd, build, store }) => {
      expect(rows(await build(''))).toEqual([]);
      await runToEnd();
      const [first, second] = rows(await build(''));
      expect(first).toEqual([
        'ft',
        expect.stringMatching(/^SP.+-0$/),
        'On chain',
        'OC',
        expect.stringMatching(/^\/images\/[0-9a-f]{64}\.thumb\.webp$/),
      ]);
      expect(second).toEqual(['ft', expect.stringMatching(/^SP.+-1$/), 'On chain', 'OC']);
      await store
        .updateTable('reading')
        .set({ value: 'Renamed' })
        .where('getter', '=', 'get-name')
        .where('token_id', '=', 2)
        .execute();
      expect(rows(await build('')).map(([, , name]) => name)).toEqual(['On chain', 'Renamed']);
      expect(rows(await build('https://x.test'))[0]?.[4]).toMatch(/^https:\/\/x\.test\/images\//);
    },
  );
});
