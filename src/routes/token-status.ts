// Route metadata/v1/status/<principal>: for each value of a token, its source, or the reason why the value is missing.

import { fillPath } from '#layout/response-files.ts';
import { DEFAULT_LOCALE, isLocale } from '#model/locale.ts';
import { PRINCIPAL_PATTERN } from '#model/principal.ts';
import type { StoredDocument } from '#store/tokens/documents.ts';
import type { Token } from '#store/tokens/tokens.ts';
import type { PendingWork } from '#store/work/jobs.ts';
import { BAD_PRINCIPAL, TOKEN_NOT_FOUND } from './localized-pages.ts';
import { curatedSchema } from './overlay.ts';
import { type Described, jsonPage, type Route, type Zod } from './route.ts';
import { type CollectionFacts, isCollectionFacts, type TokenFacts, tokens } from './tokens.ts';
import { describeReading, FIELDS, failureSchema, supplyStatus, valueSchema, valueStatus } from './value-status.ts';

const documentSchema = (z: Zod) =>
  z.strictObject({
    state: z.enum(['read', 'failed', 'pending']),
    failure: failureSchema(z).optional(),
    will_be_tried_again: z.boolean(),
    warnings: z.array(z.string()).optional().describe('Parts that were dropped, and numbers that may have lost digits'),
    image: z
      .strictObject({ copied: z.boolean(), failure: failureSchema(z).optional() })
      .optional()
      .describe('Copy on this site of the image that the document names'),
  });

const deploySchema = (z: Zod) =>
  z
    .string()
    .regex(/^0x[0-9a-f]{64}$/)
    .describe('Transaction that deployed the contract');

/** The field `interface`, which marks an interface that the Clarity VM computed. */
export const interfaceSchema = (z: Zod) =>
  z
    .literal('computed')
    .optional()
    .describe('Set if the Clarity VM computed the contract interface, because no source provided it');

const heightSchema = (z: Zod) => z.int().nonnegative().describe('Height of the block of that transaction');

const contractIdSchema = (z: Zod) => z.string().regex(PRINCIPAL_PATTERN);

const tokenSchema = (z: Zod) =>
  z.strictObject({
    tx_id: deploySchema(z),
    block_height: heightSchema(z),
    interface: interfaceSchema(z),
    state: z.enum(['queued', 'complete', 'partial', 'error']),
    failure: failureSchema(z).optional(),
    values: z.strictObject({
      name: valueSchema(z),
      symbol: valueSchema(z),
      decimals: valueSchema(z),
      total_supply: valueSchema(z),
      token_uri: valueSchema(z),
    }),
    curated: curatedSchema(z)
      .optional()
      .describe('Facts from the overlay of the operator, with their source; not from the chain'),
    first_with_symbol: contractIdSchema(z)
      .optional()
      .describe('The first token with this symbol, if it is another one, and if all older tokens were read'),
    first_with_similar_name: contractIdSchema(z)
      .optional()
      .describe('The first token with a similar name, if it is another one, and if all older tokens were read'),
    document: documentSchema(z).optional(),
    locales: z.record(z.string(), documentSchema(z)).optional(),
  });

const collectionSchema = (z: Zod) => {
  const count = z.int().nonnegative();
  return z.strictObject({
    tx_id: deploySchema(z),
    block_height: heightSchema(z),
    interface: interfaceSchema(z),
    state: z.enum(['queued', 'complete', 'error']),
    failure: failureSchema(z).optional(),
    values: z
      .partialRecord(z.enum(['decimals', 'total_supply', 'token_uri']), valueSchema(z))
      .describe('Values that are provably the same for all tokens, except for the token id in them'),
    tokens: z.strictObject({
      count,
      complete: count,
      partial: count,
      queued: count,
      error: count,
      burned: count,
      left_out: count.describe('Number of tokens left out because of --max-nft-tokens, as far as known'),
    }),
    failures: z.record(z.string(), count).describe('Number of tokens that lack something, by failure code'),
    exceptions: z
      .array(z.strictObject({ token_id: z.string(), failure: failureSchema(z) }))
      .describe('The first hundred tokens with a failure, by token id'),
    burned: z.array(z.string()).describe('The first hundred burned token ids'),
    curated: curatedSchema(z)
      .optional()
      .describe('Facts from the overlay of the operator, with their source; not from the chain'),
  });
};

const schema = (z: Zod) => z.union([tokenSchema(z), collectionSchema(z)]);

export type TokenStatus = Described<typeof tokenSchema>;
export type CollectionStatus = Described<typeof collectionSchema>;
export type DocumentStatus = Described<typeof documentSchema>;

export const tokenStatus: Route<TokenFacts | CollectionFacts> = {
  id: 'token-status',
  path: 'metadata/v1/status/{principal}',
  summary: 'Source of each value of a token or a collection, or why it is missing',
  parameters: [{ name: 'principal', pattern: PRINCIPAL_PATTERN }],
  schema,
  notFound: TOKEN_NOT_FOUND,
  badRequest: BAD_PRINCIPAL,
  inBuilds: 'all',
  subject: tokens,

  render(facts) {
    const path = fillPath(tokenStatus, { principal: facts.contract.contractId });
    const status = isCollectionFacts(facts) ? statusOfCollection(facts) : statusOfToken(facts);
    return [jsonPage(path, status)];
  },
};

function statusOfCollection(facts: CollectionFacts): CollectionStatus {
  const { contract, collection, counts, states, pending, missing } = facts;
  const values = collection.readings.map((reading) => [FIELDS[reading.getter], describeReading(reading)]);
  return {
    tx_id: contract.txId,
    block_height: contract.blockHeight,
    interface: contract.interfaceFrom === 'vm' ? 'computed' : undefined,
    state: collectionState(collection, pending),
    failure: collection.failure ?? (missing && { code: missing.code, message: missing.message }),
    values: Object.fromEntries(values),
    tokens: { count: counts.minted, ...states.byState, burned: states.burned, left_out: counts.leftOut },
    failures: { ...states.byFailure },
    exceptions: states.exceptions.map(({ tokenNumber, reason }) => ({ token_id: tokenNumber, failure: reason })),
    burned: [...states.burnedNumbers],
    curated: facts.curated,
  };
}

export function collectionState(collection: Token, pending: readonly PendingWork[]): CollectionStatus['state'] {
  if (collection.state === 'error') return 'error';
  const isQueued = pending.some(({ kind }) => kind === 'evaluate-token');
  return isQueued || collection.state === 'queued' ? 'queued' : 'complete';
}

export function statusOfToken(facts: TokenFacts): TokenStatus {
  const { token } = facts;
  const documents = documentStatuses(facts);
  const locales = [...documents].filter(([locale]) => locale !== DEFAULT_LOCALE);
  const byLocale = Object.fromEntries(locales.map(([locale, document]) => [unquote(locale), document]));
  return {
    tx_id: facts.contract.txId,
    block_height: facts.contract.blockHeight,
    interface: facts.contract.interfaceFrom === 'vm' ? 'computed' : undefined,
    state: token.state,
    failure: token.failure,
    values: {
      name: valueStatus(facts, 'get-name'),
      symbol: valueStatus(facts, 'get-symbol'),
      decimals: valueStatus(facts, 'get-decimals'),
      total_supply: supplyStatus(facts),
      token_uri: valueStatus(facts, 'get-token-uri'),
    },
    curated: facts.curated,
    first_with_symbol: facts.lookalikes?.symbolOf,
    first_with_similar_name: facts.lookalikes?.nameOf,
    document: documents.get(DEFAULT_LOCALE),
    locales: locales.length === 0 ? undefined : byLocale,
  };
}

/** Returns the status of each document of a token, by locale. Includes documents whose fetch is queued. */
function documentStatuses({ documents, pending }: TokenFacts): Map<string, DocumentStatus> {
  const queued = new Set(pending.filter((work) => work.kind === 'fetch-document').map((work) => work.locale));
  const stored = new Map(documents.map((document) => [document.locale, document]));
  const locales = [...new Set([...stored.keys(), ...queued])].sort();
  return new Map(locales.map((locale) => [locale, documentStatus(stored.get(locale), queued.has(locale))]));
}

/** Removes the quotes that are stored around a locale code that cannot be served. */
function unquote(locale: string): string {
  return isLocale(locale) ? locale : locale.replace(/^"(.*)"$/s, '$1');
}

function documentStatus(document: StoredDocument | undefined, isPending: boolean): DocumentStatus {
  const image = document?.image;
  const warnings = document?.warnings ?? [];
  return {
    state: document?.text !== undefined ? 'read' : document?.failure !== undefined ? 'failed' : 'pending',
    failure: document?.failure,
    will_be_tried_again: isPending,
    warnings: warnings.length === 0 ? undefined : [...warnings],
    image: image && { copied: image.copy !== undefined, failure: image.failure },
  };
}
