// One index for all tests of a file, which each of them finds empty: opening one takes longer than most tests do.
import { afterAll, beforeEach } from 'vitest';
import { openIndex, type Store } from '#store/index-database.ts';
import { emptyIndex } from '../support/empty-index.ts';

/** To be called outside a test. */
export async function indexOfFile(): Promise<Store> {
  const store = await openIndex(':memory:');
  beforeEach(() => emptyIndex(store));
  afterAll(() => store.destroy());
  return store;
}
