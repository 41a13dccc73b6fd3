// Route search/collections: lists all collections in one file. Programs and clients look up the kind of a collection
// there.

import { indexFile } from '#layout/response-files.ts';
import { COLLECTION_STANDARDS, isCollectionStandard, kindOf, TOKEN_STANDARDS } from '#model/token.ts';
import { hasTokenChanged, servedContracts } from '#store/contracts/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';
import { type Described, jsonPage, type Route, type Zod } from './route.ts';
import { type RenderOptions, siteSubject, standardsOf } from './subject.ts';

const schema = (z: Zod) =>
  z
    .array(z.tuple([z.enum(['nft', 'sft']), z.string(), z.string().regex(/^0x[0-9a-f]{64}$/)]))
    .describe('Kind, principal and deploying transaction of each collection, sorted by principal');

type Row = Described<typeof schema>[number];

export const collectionSearch: Route<readonly Row[]> = {
  id: 'collection-search',
  path: 'search/collections',
  summary: 'Kind and deploying transaction of every collection, sorted by principal',
  parameters: [],
  schema,
  inBuilds: 'all',

  subject: siteSubject(readRows, {
    hasChanged: (store, sinceRevision) => hasTokenChanged(store, sinceRevision, COLLECTION_STANDARDS),
  }),

  render: (rows) => [jsonPage(indexFile(collectionSearch), rows)],
};

async function readRows(store: StoreReader, options: RenderOptions): Promise<Row[]> {
  const standards = (standardsOf(options) ?? TOKEN_STANDARDS).filter(isCollectionStandard);
  const rows: Row[] = [];
  for await (const page of servedContracts(store, standards))
    for (const { contractId, standard, txId } of page)
      if (isCollectionStandard(standard)) rows.push([kindOf(standard), contractId, txId]);
  return rows;
}
