// Stands in for the network in an offline run: nothing is asked for.
import { fail } from '#model/failure.ts';
import type { UriFetcher } from './uri-fetcher.ts';

export type Fetcher = Pick<UriFetcher, 'fetch'>;

export const offlineFetcher: Fetcher = { fetch: async () => fail('offline') };
