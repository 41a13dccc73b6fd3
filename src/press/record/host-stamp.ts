// Remembers for what the files of hosts beside the site were written, and what the file system then said of them.
import type { BuildRecord } from './build-record.ts';

const KEY = 'host_files';

export async function readHostStamp(record: BuildRecord): Promise<string | undefined> {
  const row = await record.selectFrom('info').select('value').where('key', '=', KEY).executeTakeFirst();
  return row?.value;
}

export async function writeHostStamp(record: BuildRecord, value: string): Promise<void> {
  await record
    .insertInto('info')
    .values({ key: KEY, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}
