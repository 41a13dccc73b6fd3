// Opens one index for all tests of a file, and empties it before each test, since opening an index takes longer than
// most tests.
import { afterAll, beforeEach } from 'vitest';
import { openIndex, type Store } from '#store/index-database.ts';
import { emptyIndex } from '../support/empty-index.ts';

/** Opens an index in memory. Call it outside a test. */
export async function indexOfFile(): Promise<Store> {
  const store = await openIndex(':memory:');
  beforeEach(() => emptyIndex(store));
  afterAll(() => store.destroy());
  return store;
}
