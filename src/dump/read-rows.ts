// Reads the rows of all tables from the index, in pages of bounded memory. They contain the data of a build's
// responses. They also contain each value of a getter with its source and block height, or the reason why it is
// missing.

import { DEFAULT_LOCALE } from '#model/locale.ts';
import { isCollectionStandard, type Reading, TOKEN_STANDARDS } from '#model/token.ts';
import { shownDocument } from '#routes/localized-pages.ts';
import { type NumberedFacts, tokensOf } from '#routes/numbered-tokens.ts';
import { type RenderOptions, standardsOf } from '#routes/subject.ts';
import { composeShown, composeTokenResponse, imageUris, shownSupply, shownUri } from '#routes/token-response.ts';
import { collectionState, statusOfToken } from '#routes/token-status.ts';
import { type CollectionFacts, isCollectionFacts, type TokenFacts, tokens, withTokens } from '#routes/tokens.ts';
import { describeReading, FIELDS, type ValueStatus } from '#routes/value-status.ts';
import { type ServedContract, servedContracts } from '#store/contracts/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';
import type { StoredDocument } from '#store/tokens/documents.ts';
import type { Token } from '#store/tokens/tokens.ts';
import type { Row, Rows } from './tables.ts';

/** Yields the rows of all tables, in pages in the order of the written files. */
export async function* readRows(store: StoreReader, options: RenderOptions): AsyncGenerator<Rows> {
  const standards = standardsOf(options) ?? TOKEN_STANDARDS;
  for await (const page of servedContracts(store, standardsOf(options))) yield { contracts: page.map(contractRow) };
  if (standards.includes('sip-010')) yield* tokenRows(store, options);
  const collections = servedContracts(store, standards.filter(isCollectionStandard));
  for await (const page of withTokens(store, collections, options))
    for (const { stored } of page) if (isCollectionFacts(stored)) yield* collectionRows(store, stored, options);
}

function contractRow(contract: ServedContract): Row<'contracts'> {
  return {
    contract_id: contract.contractId,
    ...deployOf(contract),
    canonical: contract.canonical,
    confirmed: contract.confirmed,
    clarity_version: contract.clarityVersion,
    epoch: contract.epoch,
    standard: contract.standard,
  };
}

async function* tokenRows(store: StoreReader, options: RenderOptions): AsyncGenerator<Rows> {
  for await (const page of withTokens(store, servedContracts(store, ['sip-010']), options)) {
    const facts = page.flatMap(({ stored }) => {
      const opened = stored && tokens.open(stored);
      return opened === undefined || isCollectionFacts(opened) ? [] : [opened];
    });
    yield { tokens: facts.map((token) => tokenRow(token, options)), values: facts.flatMap(valuesOfToken) };
  }
}

function tokenRow(facts: TokenFacts, options: RenderOptions): Row<'tokens'> {
  const { contract, token, documents } = facts;
  const response = composeTokenResponse(facts, defaultDocument(documents), options);
  // Columns without a value are undefined.
  const { metadata, ...values } = response as Required<typeof response>;
  return {
    ...values,
    principal: contract.contractId,
    state: token.state,
    metadata: response.metadata && JSON.stringify(metadata),
    ...deployOf(contract),
    ...reasonOf(token, documents),
  };
}

async function* collectionRows(
  store: StoreReader,
  facts: CollectionFacts,
  options: RenderOptions,
): AsyncGenerator<Rows> {
  const { contract, collection, counts, pending, missing } = facts;
  const { contractId } = contract;
  const failure = collection.failure ?? missing;
  const row: Row<'collections'> = {
    principal: contractId,
    standard: contract.standard,
    state: collectionState(collection, pending),
    tokens: counts.minted,
    left_out: counts.leftOut,
    ...deployOf(contract),
    failure_code: failure?.code,
    failure_message: failure?.message,
  };
  // These values apply to all tokens of the collection.
  const values = collection.readings.map((reading) => readingRow(contractId, undefined, reading));
  yield { collections: [row], values };
  for await (const page of tokensOf(store, facts)) {
    const numbered = page.flatMap(({ stored }) => stored ?? []);
    yield {
      nfts: numbered.map((token) => numberedRow(token, options)),
      values: numbered.flatMap(({ token }) => valuesOfNumber(contractId, token, collection)),
    };
  }
}

function numberedRow({ contract, token, documents }: NumberedFacts, options: RenderOptions): Row<'nfts'> {
  const shown = defaultDocument(documents);
  const { image, thumbnail } = imageUris(shown?.image, options);
  const metadata = composeShown(shown, options);
  return {
    principal: contract.contractId,
    standard: contract.standard,
    token_id: token.tokenNumber,
    state: token.state,
    burned: token.isBurned,
    token_uri: shownUri(token),
    decimals: token.values.decimals,
    total_supply: token.values.totalSupply,
    name: shown?.document.name,
    image_uri: image,
    image_thumbnail_uri: thumbnail,
    metadata: metadata && JSON.stringify(metadata),
    ...reasonOf(token, documents),
  };
}

function deployOf({ txId, senderAddress, blockHeight }: ServedContract) {
  return { tx_id: txId, sender_address: senderAddress, block_height: blockHeight };
}

function defaultDocument(documents: readonly StoredDocument[]) {
  return shownDocument(documents.find(({ locale }) => locale === DEFAULT_LOCALE));
}

function reasonOf({ failure }: Token, documents: readonly StoredDocument[]) {
  const reason = failure ?? documents.find(({ locale }) => locale === DEFAULT_LOCALE)?.failure;
  return { failure_code: reason?.code, failure_message: reason?.message };
}

type ValueRow = Row<'values'>;
type Field = (typeof FIELDS)[keyof typeof FIELDS];

/** Returns the five values of a fungible token. */
function valuesOfToken(facts: TokenFacts): ValueRow[] {
  const { contract, token } = facts;
  const values = new Map(token.readings.map(({ getter, value }) => [FIELDS[getter], value]));
  values.set('total_supply', shownSupply(facts));
  const status = statusOfToken(facts).values;
  return Object.values(FIELDS).map((field) => {
    const [value, valueStatus] = [values.get(field), status[field]];
    const isUnread = value === undefined && valueStatus.none !== true && valueStatus.failure === undefined;
    // A value that was never read has the failure of the token.
    const failure = valueStatus.failure ?? (isUnread ? token.failure : undefined);
    return toRow(contract.contractId, undefined, field, value, { ...valueStatus, failure });
  });
}

/** Returns the values of a single token in a collection. Omits values that all tokens of the collection share. */
function valuesOfNumber(contractId: string, token: Token, collection: Token): ValueRow[] {
  const shared = new Set(collection.readings);
  const readings = token.readings.filter((reading) => !shared.has(reading));
  return readings.map((reading) => readingRow(contractId, token.tokenNumber, reading));
}

function readingRow(contractId: string, tokenNumber: string | undefined, reading: Reading): ValueRow {
  return toRow(contractId, tokenNumber, FIELDS[reading.getter], reading.value, describeReading(reading));
}

function toRow(
  contractId: string,
  tokenNumber: string | undefined,
  field: Field,
  value: string | undefined,
  { read_from, height, calls, whole_contract, none, failure, will_be_read_again }: ValueStatus,
): ValueRow {
  const isMissing = value === undefined && none !== true && failure === undefined;
  return {
    principal: contractId,
    token_id: tokenNumber,
    field,
    value,
    read_from,
    height,
    calls,
    whole_contract,
    is_none: value === undefined && none === true,
    failure_code: failure?.code,
    failure_message: failure?.message,
    pending: isMissing || will_be_read_again === true,
  };
}
