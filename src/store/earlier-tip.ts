// Reads the highest canonical block of an old index. Older versions store blocks in rows instead of pages.
import { hashFromBlob } from '#sqlite/columns.ts';
import { BlockPage } from './chain/block-records.ts';

type ReadRows = <Row>(text: string) => Row[];

export function readEarlierTip(rows: ReadRows): { height: number; indexBlockHash: string } | undefined {
  if (rows(`select name from sqlite_master where name = 'block_page'`).length === 0) {
    const text = 'select height, index_block_hash from block where canonical = 1 order by height desc limit 1';
    const [row] = rows<{ height: number; index_block_hash: Buffer }>(text);
    return row && { height: row.height, indexBlockHash: hashFromBlob(row.index_block_hash) };
  }
  const text = 'select page, highest, records from block_page order by page desc limit 1';
  const [row] = rows<{ page: number; highest: number; records: Buffer }>(text);
  return row && new BlockPage(row.page, row.records).block(row.highest);
}
