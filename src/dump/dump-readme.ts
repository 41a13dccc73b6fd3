// Writes what a dump has, for people: its tables and columns, and queries that run as they stand.

import { dumpFile } from '#layout/dump-files.ts';
import { columnsOf, TABLE_NAMES, TABLES, type TableName } from './tables.ts';

const TYPES = { text: 'VARCHAR', number: 'BIGINT', flag: 'BOOLEAN' } as const;

/** Queries name the files of a site, or where it has no URL, of its folder. */
export function dumpReadme(publicUrl: string): string {
  return `# Tables of this site

What the answers of this site say of each token, collection and contract, as tables: \`<table>.parquet\`, and the same
rows as JSON, a line each, in \`<table>.ndjson.gz\`. They are written by each build, from one state of the chain.
${publicUrl === '' ? '\nThese queries for DuckDB run in the folder of the site.\n' : '\nThese queries run as they stand in DuckDB.\n'}
Fungible tokens by how much is known of them:

\`\`\`sql
select state, count(*) as tokens, count(metadata) as with_metadata
from ${source('tokens', publicUrl)}
group by state order by state;
\`\`\`

The largest collections, and how many of their tokens were burned:

\`\`\`sql
select principal, count(*) as tokens, count(*) filter (burned) as burned
from ${source('nfts', publicUrl)}
group by principal order by tokens desc, principal limit 10;
\`\`\`

Values that are missing, by reason, and the names of some tokens that miss them:

\`\`\`sql
select field, missing.failure_code, count(*) as number, min(tokens.name) as such_as
from ${source('values', publicUrl)} as missing
left join ${source('tokens', publicUrl)} as tokens using (principal)
where value is null and not is_none
group by all order by number desc, field, missing.failure_code;
\`\`\`

${TABLE_NAMES.map(describe).join('\n')}`;
}

function source(table: TableName, publicUrl: string): string {
  const base = publicUrl === '' ? '' : `${publicUrl}/`;
  return `'${(base + dumpFile(table, 'parquet')).replaceAll("'", "''")}'`;
}

function describe(table: TableName): string {
  const rows = columnsOf(table).map(([name, type, about]) => `| \`${name}\` | ${TYPES[type]} | ${about} |`);
  return `## ${table}\n\n${TABLES[table].about}.\n\n| column | type | what it is |\n|---|---|---|\n${rows.join('\n')}\n`;
}
