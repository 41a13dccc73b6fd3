// Writes a dump of an index into a folder: each table as Parquet and as NDJSON, all in one pass, and what to do with them,
// for people: tables and columns, and queries that run as they stand.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { WrittenFile } from '#files/file-sink.ts';
import { dumpFile } from '#model/dump-file.ts';
import type { Shard } from '#model/shard.ts';
import type { RenderOptions } from '#routes/subject.ts';
import type { StoreReader } from '#store/index-database.ts';
import { readInfo } from '#store/index-info.ts';
import { NdjsonFile } from './ndjson-file.ts';
import { ParquetFile } from './parquet-file.ts';
import { readRows } from './read-rows.ts';
import { columnsOf, TABLE_NAMES, TABLES, type TableName } from './tables.ts';

interface DumpedFile {
  /** Below the site. */
  readonly path: string;
  readonly body: WrittenFile | string;
}

/** The folder must not be there. */
export async function writeDump(store: StoreReader, folder: string, options: RenderOptions): Promise<DumpedFile[]> {
  const { shard } = await readInfo(store);
  mkdirSync(folder, { recursive: true });
  const files = TABLE_NAMES.flatMap((table) => [
    { table, path: dumpFile(table, 'parquet', shard), file: new ParquetFile(join(folder, `${table}.parquet`), table) },
    {
      table,
      path: dumpFile(table, 'ndjson.gz', shard),
      file: new NdjsonFile(join(folder, `${table}.ndjson.gz`), table),
    },
  ]);
  try {
    for await (const rows of readRows(store, options))
      for (const { table, file } of files) await file.add(rows[table] ?? []);
    const dumped: DumpedFile[] = [];
    for (const { path, file } of files) dumped.push({ path, body: await file.end() });
    return [...dumped, { path: dumpFile('README', 'md', shard), body: dumpReadme(options.publicUrl, shard) }];
  } finally {
    for (const { file } of files) file.close();
  }
}

const TYPES = { text: 'VARCHAR', number: 'BIGINT', flag: 'BOOLEAN' } as const;

/** Queries name the files of a site, or where it has no URL, of its folder; and those of all shards. */
function dumpReadme(publicUrl: string, shard: Shard | undefined): string {
  const from = (table: TableName) => `from ${source(table, publicUrl, shard)}`;
  return `# Tables of this site

What the answers of this site say of each token, collection and contract, as tables: \`<table>.parquet\`, and the same
rows as JSON, a line each, in \`<table>.ndjson.gz\`. They are written by each build, from one state of the chain.
${publicUrl === '' ? '\nThese queries for DuckDB run in the folder of the site.\n' : '\nThese queries run as they stand in DuckDB.\n'}
Fungible tokens by how much is known of them:

\`\`\`sql
select state, count(*) as tokens, count(metadata) as with_metadata
${from('tokens')}
group by state order by state;
\`\`\`

The largest collections, and how many of their tokens were burned:

\`\`\`sql
select principal, count(*) as tokens, count(*) filter (burned) as burned
${from('nfts')}
group by principal order by tokens desc, principal limit 10;
\`\`\`

Values that are missing, by reason, and the names of some tokens that miss them:

\`\`\`sql
select field, missing.failure_code, count(*) as number, min(tokens.name) as such_as
from ${source('values', publicUrl, shard)} as missing
left join ${source('tokens', publicUrl, shard)} as tokens using (principal)
where value is null and not is_none
group by all order by number desc, field, missing.failure_code;
\`\`\`

${TABLE_NAMES.map(describe).join('\n')}`;
}

function source(table: TableName, publicUrl: string, shard: Shard | undefined): string {
  const base = publicUrl === '' ? '' : `${publicUrl}/`;
  const quoted = (of: Shard | undefined) => `'${(base + dumpFile(table, 'parquet', of)).replaceAll("'", "''")}'`;
  if (shard === undefined) return quoted(undefined);
  const files = Array.from({ length: shard.of }, (_, index) => quoted({ number: index + 1, of: shard.of }));
  return `read_parquet([\n  ${files.join(',\n  ')}\n])`;
}

function describe(table: TableName): string {
  const rows = columnsOf(table).map(([name, type, about]) => `| \`${name}\` | ${TYPES[type]} | ${about} |`);
  return `## ${table}\n\n${TABLES[table].about}.\n\n| column | type | what it is |\n|---|---|---|\n${rows.join('\n')}\n`;
}
