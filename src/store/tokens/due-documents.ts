// Finds documents that must be fetched again.
import { type SqlBool, sql } from 'kysely';
import type { FailureCode } from '#model/failure.ts';
import type { DocumentKey } from '#model/metadata.ts';
import { listed } from '#sqlite/lists.ts';
import type { StoreReader } from '../index-database.ts';

export function documentsFailedWith(store: StoreReader, code: FailureCode): Promise<DocumentKey[]> {
  return store
    .selectFrom('document')
    .select(['token_id as tokenId', 'locale'])
    .where('failure_code', '=', code)
    .execute();
}

/** Fetched documents older than `maxAgeMs` or their token's ttl, except frozen ones. `now` is in ms since the epoch. */
export function staleDocuments(store: StoreReader, now: number, maxAgeMs: number | undefined): Promise<DocumentKey[]> {
  return fetched(store)
    .leftJoin('update_mode', (join) =>
      join
        .onRef('update_mode.contract_id', '=', 'contract.contract_id')
        .on(namesToken('update_mode'))
        .on(sql<SqlBool>`not exists (select 1 from update_mode as later where later.contract_id = update_mode.contract_id
          and ${namesToken('later')} and later.place > update_mode.place)`),
    )
    .where(sql<SqlBool>`contract.canonical = 1 and contract.confirmed = 1 and token.minted = 1
      and update_mode.update_mode is not 'frozen'
      and (fetched_at + ttl_seconds * 1000 <= ${now} or fetched_at <= ${maxAgeMs === undefined ? null : now - maxAgeMs})`)
    .execute();
}

/** True if a mode applies to the token or to all tokens of its collection. */
function namesToken(mode: string) {
  return sql<SqlBool>`${sql.ref(`${mode}.token_number`)} in (token.token_number, iif(token.token_number = '', '', '*'))`;
}

/** Every fetched document of served contracts, of the given contracts, or of their tokens with the given ids. */
export function fetchedDocuments(
  store: StoreReader,
  contractIds: readonly string[],
  tokenNumbers?: readonly string[],
): Promise<DocumentKey[]> {
  return fetched(store)
    .$if(contractIds.length > 0, (query) => query.where('contract.contract_id', 'in', [...contractIds]))
    .$if(tokenNumbers !== undefined, (query) => query.where('token.token_number', 'in', listed(tokenNumbers ?? [])))
    .execute();
}

function fetched(store: StoreReader) {
  return store
    .selectFrom('document')
    .innerJoin('token', 'token.token_id', 'document.token_id')
    .innerJoin('contract', 'contract.deploy_id', 'token.deploy_id')
    .select(['document.token_id as tokenId', 'document.locale'])
    .where('document.fetched_at', 'is not', null);
}
