// Route changes.json: lists the latest new contracts, new tokens and changed token URIs, newest first.

import { TOKEN_STANDARDS } from '#model/token.ts';
import { type ChainChange, newestChanges } from '#store/contracts/newest-changes.ts';
import type { StoreReader } from '#store/index-database.ts';
import { type Described, jsonPage, type Route, type Zod } from './route.ts';
import { type RenderOptions, siteSubject, standardsOf } from './subject.ts';

const changeSchema = (z: Zod) =>
  z.strictObject({
    change: z.enum(['new-contract', 'new-token', 'token-uri']),
    contract_id: z.string(),
    standard: z.enum(TOKEN_STANDARDS).optional().describe('Set for a token or a collection'),
    tx_id: z.string().describe('Transaction that deployed the contract'),
    block_height: z.int().nonnegative(),
    burn_block_time: z.string().optional().describe('ISO 8601, UTC; omitted if no blocks were indexed'),
    token_uri: z
      .string()
      .optional()
      .describe('First 300 characters of the URI that a call set in this block; omitted if the call removed the URI'),
  });

const schema = (z: Zod) => z.strictObject({ changes: z.array(changeSchema(z)).describe('At most 200, newest first') });

export type Change = Described<typeof changeSchema>;

export const changes: Route<readonly Change[]> = {
  id: 'changes',
  path: 'changes.json',
  isFile: true,
  summary: 'The last 200 changes of the chain: new tokens, new contracts and changed token URIs, newest first',
  parameters: [],
  schema,
  about: 'tokens',
  subject: siteSubject(readChanges),
  render: (list) => [jsonPage(changes.path, { changes: list })],
};

/** Reads the latest changes from the index. The list depends only on the index and on `--only`. */
export async function readChanges(store: StoreReader, options: Pick<RenderOptions, 'only'>): Promise<Change[]> {
  return (await newestChanges(store, standardsOf(options))).map(describe);
}

function describe({ contractId, standard, txId, height, time, uri }: ChainChange): Change {
  return {
    change: uri !== undefined ? 'token-uri' : standard === undefined ? 'new-contract' : 'new-token',
    contract_id: contractId,
    standard,
    tx_id: txId,
    block_height: height,
    burn_block_time: time === undefined ? undefined : new Date(time * 1000).toISOString(),
    token_uri: uri === '' ? undefined : uri,
  };
}
