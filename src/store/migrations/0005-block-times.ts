// Adds when a block's burn block was mined, for a site to say how old it is; of blocks that are stored already it is not known.
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table block add column burn_block_time integer`.execute(db);
}
