import { beforeEach, describe, expect, test } from 'vitest';
import { finishTokens } from '#indexer/documents/finish-tokens.ts';
import { countWork, runIndex } from '#indexer/run-index.ts';
import { TOKEN_GETTERS } from '#model/token.ts';
import { changedContracts, lastRevision } from '#store/ledger/ledger.ts';
import { parseStored, readDocuments } from '#store/tokens/documents.ts';
import { writeReadings } from '#store/tokens/readings.ts';
import { readToken } from '#store/tokens/tokens.ts';
import { insertJobs } from '#store/work/jobs.ts';
import { apply, block } from '../../support/chain-index.ts';
import { indexOfArchive } from '../../support/index-of-archive.ts';
import { indexOptions, offline } from '../../support/index-options.ts';
import { TOKEN_INTERFACE } from '../../support/interfaces.ts';
import { ADDRESS, deployJson } from '../../support/transactions.ts';

const { store } = await indexOfArchive();
const TOKEN = { tokenId: 1, tokenNumber: '1' };

// Makes an index with one token, whose getters have not been called yet.
beforeEach(async () => {
  const transactions = [deployJson('c', '(print 1)', { interface: TOKEN_INTERFACE })];
  await apply(store, [block({ id: 0, parent: 'none', height: 0, transactions })]);
  await store.deleteFrom('job').execute();
});

/** Stores values of the token with this URI. Returns the state of the token after that. */
function begin(uri: string | undefined): Promise<string | undefined> {
  return store.transaction().execute(async (transaction) => {
    const values: Readonly<Record<string, string | undefined>> = { 'get-name': 'Token', 'get-token-uri': uri };
    const readings = TOKEN_GETTERS.map((getter) => {
      const value = values[getter];
      return { tokenId: TOKEN.tokenId, getter, source: 'vm' as const, ...(value === undefined ? {} : { value }) };
    });
    await writeReadings(transaction, readings);
    await finishTokens(transaction, [TOKEN.tokenId], 'uris');
    return (await readToken(transaction, TOKEN.tokenId))?.state;
  });
}

/** Returns the name in the document of each locale, or the failure code of the document. */
async function documents(): Promise<Record<string, string | undefined>> {
  const all = (await readDocuments(store, [TOKEN.tokenId])).get(TOKEN.tokenId) ?? [];
  return Object.fromEntries(
    all.map(({ locale, text, failure }) => [locale, text === undefined ? failure?.code : parseStored(text).name]),
  );
}

const jobs = async () =>
  (await store.selectFrom('job').select(['kind', 'locale']).orderBy('job_id').execute()).map((job) =>
    `${job.kind} ${job.locale}`.trim(),
  );
const data = (json: unknown) => `data:application/json,${encodeURIComponent(JSON.stringify(json))}`;
const localized = (uri: string, locales: unknown[], byDefault = 'en') =>
  data({ name: 'Coin', localization: { uri, default: byDefault, locales } });

describe('finishTokens', () => {
  test('default', async () => {
    expect(await begin(data({ name: 'Coin {id}', image: 'ipfs://x/{id}.png' }))).toBe('complete');
    const [document] = (await readDocuments(store, [1])).get(1) ?? [];
    expect(document).toMatchObject({
      locale: '',
      text: JSON.stringify({ name: 'Coin {id}', image: 'ipfs://x/1.png' }),
      failure: undefined,
      warnings: [],
    });
    // The document came from the URI, so only its image is left to fetch.
    expect(await jobs()).toEqual(['fetch-image']);
  });

  test.each(['http://a.b/c', 'https://a.b/{id}', 'ipfs://Qm/1.json', 'ipns://a.b/c', 'ar://x', 'HTTPS://a.b'])(
    'SIP-016, Return Value of Metadata URI Functions: fetches %s in a job',
    async (uri) => {
      expect(await begin(uri)).toBe('queued');
      expect(await jobs()).toEqual(['fetch-document']);
      expect(await documents()).toEqual({});
    },
  );

  test.each([
    [
      'in data: URIs',
      localized('data:application/json,{"name":"Coin {locale} {id}"}', ['en', 'fr', 'pt-BR', 'fr']),
      { '': 'Coin', fr: 'Coin fr 1', 'pt-BR': 'Coin pt-BR 1' },
      [],
    ],
    [
      'at other URIs, in jobs',
      localized('https://a.b/{locale}.json', ['en', 'fr', 'de']),
      { '': 'Coin' },
      ['fetch-document fr', 'fetch-document de'],
    ],
    [
      'with separate failures',
      localized('data:,{"name":"{locale}"', ['fr', '../x', 7]),
      { '': 'Coin', fr: 'not-json', '"../x"': 'locale-invalid' },
      [],
    ],
    [
      'without a placeholder in the URI',
      localized('https://a.b/c.json', ['fr']),
      { '': 'Coin', fr: 'no-locale-placeholder' },
      [],
    ],
  ])('SIP-016, Localization: reads locales %s', async (_, uri, read, queued) => {
    expect(await begin(uri)).toBe('complete');
    expect(await documents()).toEqual(read);
    expect(await jobs()).toEqual(queued);
  });

  test('reports too-large for each locale above its share of the limit', async () => {
    const locales = Array.from({ length: 99 }, (_, index) => `l${index}`);
    const long = 'l-abcdefgh-abcdefgh-abcdefgh-abcdefgh';
    await begin(localized(`data:,{"name":"${'{locale}'.repeat(150)}"}`, ['en', ...locales.slice(1), long]));
    const read = await documents();
    expect(read[long]).toBe('too-large');
    expect(read.l1).toBe('l1'.repeat(150));
  });

  test.each([
    ['no-uri', undefined],
    ['empty-uri', ' '],
    ['not-a-uri', '<link to token-uri>'],
    ['unsupported-scheme', 'ftp://a.b/c'],
    ['data-uri-invalid', 'data:application/json'],
    ['empty-document', 'data:,'],
    ['not-json', 'data:,{"name":'],
    ['not-an-object', 'data:,[1]'],
    ['html-page', 'data:text/html,<!DOCTYPE html><html></html>'],
    ['not-text', 'data:;base64,/////w=='],
  ])('SIP-016, Return Value of Metadata URI Functions: %s leaves the token partial', async (code, uri) => {
    expect(await begin(uri)).toBe('partial');
    expect(await documents()).toEqual({ '': code });
    expect(await jobs()).toEqual([]);
  });

  test('deletes the job of a document that is no longer fetched', async () => {
    await begin('https://a.b/c');
    expect(await begin('amber17')).toBe('partial');
    expect([await documents(), await jobs()]).toEqual([{ '': 'not-a-uri' }, []]);
  });

  test('removes the reason for a missing document when a document is queued', async () => {
    expect(await begin(undefined)).toBe('partial');
    expect(await documents()).toEqual({ '': 'no-uri' });
    expect(await begin('https://a.b/c')).toBe('partial');
    expect([await documents(), await jobs()]).toEqual([{}, ['fetch-document']]);
  });

  test('keeps the document of an earlier URI as outdated until the current one is fetched', async () => {
    await begin(data({ name: 'Coin' }));
    for (const uri of ['https://a.b/c', 'https://a.b/d']) expect(await begin(uri)).toBe('complete');
    const [document] = (await readDocuments(store, [TOKEN.tokenId])).get(TOKEN.tokenId) ?? [];
    expect(document).toMatchObject({ text: JSON.stringify({ name: 'Coin' }), failure: { code: 'document-outdated' } });
  });

  test('removes the document and locales of another URI after a failure', async () => {
    const localization = { uri: data({ name: '{locale}' }), default: 'en', locales: ['en', 'fr'] };
    await begin(data({ name: 'Coin', localization }));
    expect((await readDocuments(store, [1])).get(1)).toHaveLength(2);
    await begin('data:,broken');
    expect((await readDocuments(store, [1])).get(1)).toMatchObject([
      { text: undefined, failure: { code: 'not-json' } },
    ]);
  });
});

describe('an offline run', () => {
  const state = async () => (await store.selectFrom('token').select('state').executeTakeFirst())?.state;
  const runOffline = async () => {
    const summary = await runIndex(store, indexOptions(offline('no-images')));
    return countWork(summary).doneOffline;
  };

  test('default', async () => {
    await begin('https://a.b/c');
    const before = await lastRevision(store);
    expect(await runOffline()).toBe(1);
    expect(await state()).toBe('partial');
    expect(await documents()).toEqual({ '': 'offline' });
    expect(await jobs()).toEqual([]);
    expect([...(await changedContracts(store, before, ['token'])).keys()]).toEqual([`${ADDRESS}.c`]);
  });

  test('keeps the token complete if locales were not fetched', async () => {
    await begin(localized('https://a.b/{locale}', ['fr', 'de']));
    expect(await runOffline()).toBe(2);
    expect(await state()).toBe('complete');
    expect(await documents()).toEqual({ '': 'Coin', fr: 'offline', de: 'offline' });
  });

  test('makes no changes without jobs', async () => {
    const before = await lastRevision(store);
    expect(await runOffline()).toBe(0);
    expect(await lastRevision(store)).toBe(before);
  });

  test('ends more jobs than it reads at once, and keeps evaluations', async () => {
    const locales = Array.from({ length: 99 }, (_, index) => `l${index}`);
    await begin(localized('https://a.b/{locale}', locales));
    await store
      .transaction()
      .execute((transaction) => insertJobs(transaction, [{ kind: 'evaluate-token', tokenId: 1 }]));
    expect(await runOffline()).toBe(99);
    expect(await jobs()).toEqual(['evaluate-token']);
  });
});
