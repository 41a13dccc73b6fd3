// Adds what keeps reading quick where there are a hundred thousand contracts: from a deploy to what serves it, and to the few that are tokens or not canonical.
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  'create index contract_deploy on contract (deploy_id)',
  'create index contract_not_canonical on contract (contract_id) where canonical = 0',
  'create index deploy_standard on deploy (standard) where standard is not null',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
