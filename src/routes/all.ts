// Lists the routes. To add a route, add a file to this folder and an entry to this list; days.ts is the simplest
// example.

import { apiStatus } from './api-status.ts';
import { nftCollections, sftCollections } from './collection-list.ts';
import { collectionSearch } from './collection-search.ts';
import { nftTokens, sftTokens } from './collection-tokens.ts';
import { contractGraph } from './contract-graph.ts';
import { contractInfo } from './contract-info.ts';
import { contractInterface } from './contract-interface.ts';
import { contractNames, contractSearch, contractSearchBlock } from './contract-search.ts';
import { days } from './days.ts';
import { nftMetadata, sftMetadata } from './numbered-metadata.ts';
import type { Route, RouteError } from './route.ts';
import { tokenList } from './token-list.ts';
import { tokenListFile } from './token-list-file.ts';
import { tokenMetadata } from './token-metadata.ts';
import { tokenSearch } from './token-search.ts';
import { tokenStatus } from './token-status.ts';

export const ROUTES: readonly Route[] = [
  tokenMetadata,
  nftMetadata,
  sftMetadata,
  tokenList,
  tokenListFile,
  nftCollections,
  nftTokens,
  sftCollections,
  sftTokens,
  contractInfo,
  contractInterface,
  contractGraph,
  tokenStatus,
  tokenSearch,
  collectionSearch,
  contractSearch,
  contractSearchBlock,
  contractNames,
  days,
  apiStatus,
];

const NOT_SERVED =
  `This path is not served. The site serves ${contractInfo.path} and ${contractInterface.path} of the Stacks ` +
  'blockchain API, and all of metadata/v1 of the token metadata API. docs/ and openapi.json list its paths.';

export const GENERAL_ERRORS = {
  notFound: { status: 404, body: { error: 'Not Found', message: NOT_SERVED } },
  badRequest: { status: 400, body: { error: 'Bad Request' } },
  methodNotAllowed: {
    status: 405,
    body: {
      error: 'Method Not Allowed',
      message: 'Use GET, HEAD or OPTIONS. Send calls and transactions to a node or to the Stacks API.',
    },
  },
} as const satisfies Record<string, RouteError>;
