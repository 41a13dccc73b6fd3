// Renders the README of a dump: its tables and columns, and example queries.

import { dumpFile } from '#layout/dump-files.ts';
import { columnsOf, TABLE_NAMES, TABLES, type TableName } from './tables.ts';

const TYPES = { text: 'VARCHAR', number: 'BIGINT', flag: 'BOOLEAN' } as const;

/** Returns the README. Queries use the URL of the site; without a URL, they use paths in the folder of the site. */
export function dumpReadme(publicUrl: string): string {
  return `# Tables of this site

The data of the responses of this site about tokens, collections and contracts, as tables. \`<table>.parquet\` and
\`<table>.ndjson.gz\`, with one JSON object per line, have the same rows. Each build writes them from one state of the chain.
${publicUrl === '' ? '\nThese queries for DuckDB run in the folder of the site.\n' : '\nThese queries run in DuckDB without changes.\n'}
Fungible tokens by state:

\`\`\`sql
select state, count(*) as tokens, count(metadata) as with_metadata
from ${source('tokens', publicUrl)}
group by state order by state;
\`\`\`

The largest collections, with the number of burned tokens:

\`\`\`sql
select principal, count(*) as tokens, count(*) filter (burned) as burned
from ${source('nfts', publicUrl)}
group by principal order by tokens desc, principal limit 10;
\`\`\`

Missing values by reason, with the name of a token as an example:

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
  return `## ${table}\n\n${TABLES[table].about}.\n\n| column | type | meaning |\n|---|---|---|\n${rows.join('\n')}\n`;
}
