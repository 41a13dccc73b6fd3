// This script writes the parts of README.md that derive from the code: the tables of hosts and of failures.
// Running it again gives the same bytes. Usage: npm run make-readme
import { readFileSync, writeFileSync } from 'node:fs';
import { renderHostTable } from '#hosts/describe-hosts.ts';
import { FAILURE_SENTENCES } from '#model/failure.ts';

const file = new URL('../README.md', import.meta.url);
const failures = Object.entries(FAILURE_SENTENCES).map(([code, sentence]) => `| \`${code}\` | ${sentence} |\n`);
const parts = { hosts: renderHostTable(), failures: `| code | meaning |\n|---|---|\n${failures.join('')}` };

let text = readFileSync(file, 'utf8');
for (const [name, part] of Object.entries(parts))
  text = text.replace(
    new RegExp(`<!-- ${name} -->[\\s\\S]*?<!-- /${name} -->`),
    () => `<!-- ${name} -->\n${part}<!-- /${name} -->`,
  );
writeFileSync(file, text);
