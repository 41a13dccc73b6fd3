// Route search/tokens: every token and collection in one file, for clients that find them by symbol or name.

import { splitContractId } from '#model/principal.ts';
import { type CollectionStandard, isCollectionStandard, kindOf, TOKEN_STANDARDS } from '#model/token.ts';
import { indexFile } from '#serving/layout.ts';
import { answeredTokens, hasTokenChanged, servedContracts } from '#store/contracts/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';
import { readDocumentSummaries } from '#store/tokens/documents.ts';
import type { Described, Route, Zod } from './route.ts';
import { standardsOf } from './selection.ts';
import { readFirstDocuments } from './served-collections.ts';
import { NO_CHANGES, oneEntry, type RenderOptions } from './subject.ts';
import { imageUris } from './token-answer.ts';

const schema = (z: Zod) =>
  z
    .array(z.array(z.string()).min(2).max(5))
    .describe(
      'For each `ft`, `nft` or `sft`: principal, name, symbol and URI of the thumbnail; missing values are empty, or ' +
        'omitted at the end. A fungible token without a name has that of its contract; a collection has the values ' +
        'of its first token',
    );

type Row = Described<typeof schema>[number];

export const tokenSearch: Route<readonly Row[]> = {
  id: 'token-search',
  path: 'search/tokens',
  summary: 'All tokens that have an answer, and all collections, by principal, to find them by symbol or name',
  parameters: [],
  schema,
  about: 'tokens',

  subject: {
    name: 'token-search',
    spans: 'site',
    async changes(store, sinceRevision, options) {
      const standards = standardsOf(options) ?? TOKEN_STANDARDS;
      if (sinceRevision > 0 && !(await hasTokenChanged(store, sinceRevision, standards))) return NO_CHANGES;
      return oneEntry(async () => [
        ...(standards.includes('sip-010') ? await fungibleRows(store, options) : []),
        ...(await collectionRows(store, standards.filter(isCollectionStandard), options)),
      ]);
    },
    open: (stored) => stored as Row[],
  },

  render: (rows) => [
    { kind: 'answer', path: indexFile(tokenSearch), body: JSON.stringify(rows.toSorted(byPrincipal)) },
  ],
};

async function fungibleRows(store: StoreReader, options: RenderOptions): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of answeredTokens(store)) {
    const images = await readDocumentSummaries(
      store,
      page.map(({ tokenId }) => tokenId),
    );
    rows.push(
      ...page.map(({ tokenId, contractId, name, symbol }) =>
        rowOf('ft', contractId, [
          isBlank(name) ? splitContractId(contractId).name : name,
          symbol,
          imageUris(images.get(tokenId)?.image, options).thumbnail,
        ]),
      ),
    );
  }
  return rows;
}

async function collectionRows(
  store: StoreReader,
  standards: readonly CollectionStandard[],
  options: RenderOptions,
): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of servedContracts(store, standards)) {
    const documents = await readFirstDocuments(store, page);
    rows.push(
      ...page.flatMap(({ contractId, deployId, standard }) => {
        if (!isCollectionStandard(standard)) return [];
        const first = documents.get(deployId);
        return [
          rowOf(kindOf(standard), contractId, [first?.name, undefined, imageUris(first?.image, options).thumbnail]),
        ];
      }),
    );
  }
  return rows;
}

/** Values without visible characters become empty, and are omitted at the end of a row. */
function rowOf(kind: string, contractId: string, values: readonly (string | undefined)[]): Row {
  const last = values.findLastIndex((value) => !isBlank(value));
  return [kind, contractId, ...values.slice(0, last + 1).map((value) => (isBlank(value) ? '' : value))];
}

function isBlank(value: string | undefined): value is '' | undefined {
  return value === undefined || value.trim() === '';
}

function byPrincipal([, left = '']: Row, [, right = '']: Row): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
