// Tests the list of the latest changes of the chain, as JSON and as a feed, also after a fork.
import { describe, expect, test } from 'vitest';
import { type Change, changes } from '#routes/changes.ts';
import { renderedResponses } from '#routes/rendered-responses.ts';
import type { Route } from '#routes/route.ts';
import type { RenderOptions } from '#routes/subject.ts';
import { changesFeed } from '#site/changes-feed.ts';
import type { Store } from '#store/index-database.ts';
import { newIndex } from '../support/archives.ts';
import { apply, block } from '../support/chain-index.ts';
import { COLLECTION_INTERFACE, EMPTY_INTERFACE, TOKEN_INTERFACE } from '../support/interfaces.ts';
import { expectedSample, PRESSER, sampleIndex } from '../support/sample.ts';
import { ADDRESS, deployJson } from '../support/transactions.ts';

const db = sampleIndex();

const read = async (store: Store, options: Partial<RenderOptions> = {}): Promise<Change[]> => {
  for await (const { page } of renderedResponses(store, 'all', [changes as Route], { publicUrl: '', ...options }))
    return (JSON.parse(page.body) as { changes: Change[] }).changes;
  return [];
};
const namesOf = (list: readonly Change[]) => list.map(({ contract_id: id, change }) => `${id.split('.')[1]} ${change}`);

/** Returns the names of all elements of a feed. Fails if the XML is not well-formed. */
function elementsOf(xml: string): string[] {
  const open: string[] = [];
  const names: string[] = [];
  for (const [, slash, name = '', end] of xml.matchAll(/<(\/?)([a-z]+)(?: [a-z]+="[^"<]*")*(\/?)>/g)) {
    if (slash === '') names.push(name);
    if (slash === '/') expect(open.pop()).toBe(name);
    else if (end === '') open.push(name);
  }
  expect([open, xml.replaceAll(/<[^<>]*>/g, '').match(/[<>]|&(?!(?:amp|lt|gt|quot);)/g)]).toEqual([[], null]);
  return names;
}

describe('changes.json', () => {
  test('lists deploys and URIs that calls set, with the values of other responses', async () => {
    const sample = <Answer = object>(path: string) => JSON.parse(expectedSample().get(path) ?? 'null') as Answer;
    const { changes: list } = sample<{ changes: Change[] }>('changes.json');
    const deploys = list.filter(({ change }) => change !== 'token-uri');
    expect(deploys.length).toBeGreaterThan(12);
    for (const { contract_id: id, tx_id, block_height, standard, change } of deploys) {
      expect(sample(`extended/v1/contract/${id}`)).toMatchObject({ tx_id, block_height, canonical: true });
      const isToken = expectedSample().has(`metadata/v1/status/${id}`);
      expect([id, change, standard !== undefined]).toEqual([id, isToken ? 'new-token' : 'new-contract', isToken]);
    }
    const uris = list.filter(({ change }) => change === 'token-uri');
    expect(namesOf(uris)).toContain('relabelled-token token-uri');
    for (const { contract_id: id, block_height: height, token_uri: uri = '' } of uris) {
      expect(sample(`metadata/v1/status/${id}`)).toMatchObject({
        values: { token_uri: { read_from: 'clarity-vm', height } },
      });
      expect(sample<{ token_uri: string }>(`metadata/v1/ft/${id}`).token_uri.slice(0, 300)).toBe(uri);
    }
    const heights = list.map(({ block_height: height }) => height);
    expect(heights).toEqual(heights.toSorted((left, right) => right - left));
    expect(list[0]?.burn_block_time).toBe('2024-01-01T01:10:00.000Z');
  });

  test('lists only changes of the selected standard', async () => {
    const store = await newIndex(db);
    const standards = async (only: RenderOptions['only']) =>
      new Set((await read(store, { only })).map(({ standard, change }) => `${standard} ${change}`));
    expect(await standards('ft')).toEqual(new Set(['sip-010 new-token', 'sip-010 token-uri']));
    expect(await standards('nft')).toEqual(new Set(['sip-009 new-token']));
    expect(await standards('tokens')).not.toContain('undefined new-contract');
    expect(await changesFeed({ store, routes: [], publicUrl: '', only: 'nft' })).not.toContain('New contract');
  });

  test('lists the last 200 changes, without changes of orphaned blocks', async () => {
    const store = await newIndex();
    const deploy = (name: string, index: number, standard: object = EMPTY_INTERFACE) =>
      deployJson(name, `(define-constant c u${index})`, { interface: standard });
    const many = Array.from({ length: 210 }, (_, nonce) => deploy(`c${nonce}`, nonce));
    await apply(store, [block({ id: 1, parent: 0, height: 1, transactions: many })]);
    expect(namesOf(await read(store))).toEqual(
      Array.from({ length: 200 }, (_, index) => `c${209 - index} new-contract`),
    );
    const [token, collection] = [deploy('token', 210, TOKEN_INTERFACE), deploy('nfts', 210, COLLECTION_INTERFACE)];
    await apply(store, [block({ id: 2, parent: 1, height: 2, transactions: [token] })]);
    expect(namesOf(await read(store)).slice(0, 2)).toEqual(['token new-token', 'c209 new-contract']);
    await apply(store, [
      block({ id: '2b', parent: 1, height: 2, transactions: [collection] }),
      block({ id: '3b', parent: '2b', height: 3 }),
    ]);
    const list = await read(store);
    expect([list.length, ...namesOf(list).slice(0, 2)]).toEqual([200, 'nfts new-token', 'c209 new-contract']);
    expect(list[0]).toMatchObject({ contract_id: `${ADDRESS}.nfts`, standard: 'sip-009', block_height: 2 });
    // The blocks of this test have no time.
    expect(list[0]).not.toHaveProperty('burn_block_time');
    expect(await changesFeed({ store, routes: [], publicUrl: '' })).toContain('<updated>1970-01-01T00:00:00.000Z');
  });
});

describe('changes.atom', () => {
  test('has an entry for each change, with a unique id and a link to the explorer', async () => {
    const store = await newIndex(db);
    const site = 'https://x.test/api?a&b';
    await store
      .updateTable('reading')
      .set({ value: '"<b>&\u0001' })
      .where('getter', '=', 'get-token-uri')
      .where('height', '>', 5)
      .execute();
    const [feed, list] = [await changesFeed({ store, routes: [], publicUrl: site }), await read(store)];
    const names = elementsOf(feed);
    const count = (name: string) => names.filter((element) => element === name).length;
    expect([count('feed'), count('entry'), count('updated')]).toEqual([1, list.length, list.length + 1]);
    const ids = [...feed.matchAll(/<id>(.*)<\/id>/g)].map(([, id]) => id);
    expect([new Set(ids).size, ids[0]]).toEqual([list.length + 1, 'urn:x-stacks:1398036560:changes']);
    expect(feed).toContain(`<link href="https://x.test/api?a&amp;b/#/token/${PRESSER}.press-token"/>`);
    expect(feed).toContain(': &quot;&lt;b&gt;&amp;\u{fffd}</content>');
    expect(feed.match(/<updated>(.*)<\/updated>/)?.[1]).toBe(list[0]?.burn_block_time);
    expect(await changesFeed({ store, routes: [], publicUrl: '' })).toContain('<link href="./#/contract/');
  });
});
