// Selects documents to fetch again, or documents whose images must be copied again, for `queueFetches`.
import { type SqlBool, sql } from 'kysely';
import type { FailureCode } from '#model/failure.ts';
import { NO_NUMBER } from '#model/token.ts';
import { listed } from '#sqlite/lists.ts';
import type { StoreReader } from '../index-database.ts';
import { IMAGE_OF_DOCUMENT } from './images.ts';

export function documentsFailedWith(store: StoreReader, code: FailureCode) {
  return documents(store).where('document.failure_code', '=', code);
}

/** Selects documents by their image: by the hash of its copy, or by the code of its failure. */
export function documentsWithImage(store: StoreReader, column: 'sha256' | 'failure_code', values: readonly string[]) {
  const images = sql`select uri from image where ${sql.ref(column)} in ${listed(values)}`;
  return documents(store).where(sql<SqlBool>`${IMAGE_OF_DOCUMENT} in (${images})`);
}

/** Selects documents of collections' tokens whose image has no copy and no failure yet. */
export function numberedDocumentsWithoutImage(store: StoreReader) {
  return documents(store)
    .where('token_number', '<>', NO_NUMBER)
    .where(sql<SqlBool>`${IMAGE_OF_DOCUMENT} is not null and
      not exists (select 1 from image where uri = ${IMAGE_OF_DOCUMENT})`);
}

export function documentsNamingImages(store: StoreReader, contractIds: readonly string[]) {
  return served(store, contractIds).where(IMAGE_OF_DOCUMENT, 'is not', null);
}

/** Selects fetched documents of these contracts, optionally of some tokens. An empty list selects all contracts. */
export function fetchedDocuments(store: StoreReader, contractIds: readonly string[], tokenNumbers?: readonly string[]) {
  const fetched = served(store, contractIds).where('document.fetched_at', 'is not', null);
  return tokenNumbers === undefined ? fetched : fetched.where('token_number', 'in', listed(tokenNumbers));
}

/** Selects fetched documents older than `maxAgeMs` or their ttl, except frozen ones. `now` is in ms since the epoch. */
export function staleDocuments(store: StoreReader, now: number, maxAgeMs: number | undefined) {
  // A fetch time later than now was stored while the clock was ahead, and counts as old.
  const fetchedAt = sql`iif(fetched_at > ${now}, 0, fetched_at)`;
  return fetchedDocuments(store, [])
    .leftJoin('update_mode', (join) =>
      join
        .onRef('update_mode.contract_id', '=', 'contract.contract_id')
        .on(namesToken('update_mode'))
        .on(sql<SqlBool>`not exists (select 1 from update_mode as later
          where later.contract_id = update_mode.contract_id
          and ${namesToken('later')} and later.place > update_mode.place)`),
    )
    .where(sql<SqlBool>`contract.canonical = 1 and contract.confirmed = 1 and token.minted = 1
      and update_mode.update_mode is not 'frozen'
      and (${fetchedAt} + ttl_seconds * 1000 <= ${now}
        or ${fetchedAt} <= ${maxAgeMs === undefined ? null : now - maxAgeMs})`);
}

/** Returns an SQL condition: an update mode applies to the token, or to all tokens of its collection. */
function namesToken(mode: string) {
  const number = sql.ref(`${mode}.token_number`);
  return sql<SqlBool>`${number} in (token.token_number, iif(token.token_number = '', '', '*'))`;
}

function served(store: StoreReader, contractIds: readonly string[]) {
  const all = documents(store).innerJoin('contract', 'contract.deploy_id', 'token.deploy_id');
  return contractIds.length === 0 ? all : all.where('contract.contract_id', 'in', listed(contractIds));
}

function documents(store: StoreReader) {
  return store
    .selectFrom('document')
    .innerJoin('token', 'token.token_id', 'document.token_id')
    .select(['document.token_id', 'document.locale']);
}
