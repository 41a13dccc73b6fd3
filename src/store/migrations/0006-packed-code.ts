// Packs sources and interfaces (model/packed-code.ts), which makes the index less than a quarter of its size.
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { packCode } from '#model/packed-code.ts';

interface OldCode {
  readonly deploy_id: number;
  readonly source_code: string;
  readonly interface: string | null;
}

/** Few enough to hold in memory if every one is as long as the longest. */
const ROWS_PER_READ = 100;

export const packedCode: Migration = { up };

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table new_code (
    deploy_id integer primary key references deploy,
    interface_bytes integer,
    source_bytes integer not null,
    code blob not null
  ) strict`.execute(db);
  for (let last: number | undefined = -1; last !== undefined; ) {
    const rows: OldCode[] = (await rowsAfter(last).execute(db)).rows;
    for (const { deploy_id: id, source_code, interface: ofContract } of rows) {
      const { interfaceBytes, sourceBytes, data } = packCode(source_code, ofContract ?? undefined);
      await sql`insert into new_code values (${id}, ${interfaceBytes ?? null}, ${sourceBytes}, ${data})`.execute(db);
    }
    last = rows.at(-1)?.deploy_id;
  }
  await sql`drop table deploy_code`.execute(db);
  await sql`alter table new_code rename to deploy_code`.execute(db);
}

const rowsAfter = (deployId: number) =>
  sql<OldCode>`select * from deploy_code where deploy_id > ${deployId} order by deploy_id limit ${ROWS_PER_READ}`;
