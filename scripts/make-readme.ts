// This script writes the parts of README.md that derive from the code and from what was measured: the tables of hosts, failures and benchmarks.
// Running it again gives the same bytes. Usage: npm run make-readme
import { readFileSync, writeFileSync } from 'node:fs';
import { renderHostTable } from '#hosts/describe-hosts.ts';
import { FAILURE_SENTENCES } from '#model/failure.ts';
import { formatCount } from '#model/format-count.ts';
import { type Results, renderTable } from './bench/figures.ts';
import type { Rate } from './bench/serve.ts';

const file = new URL('../README.md', import.meta.url);
const failures = Object.entries(FAILURE_SENTENCES).map(([code, sentence]) => `| \`${code}\` | ${sentence} |\n`);
const bench = ['replay', 'build', 'vm']
  .map((name) => new URL(`bench/results/${name}.json`, import.meta.url))
  .map(readResults);
const { rates }: { rates: readonly Rate[] } = JSON.parse(
  readFileSync(new URL('bench/results/serve.json', import.meta.url), 'utf8'),
);
const served = rates.map(
  ({ name, rate, baseline, baselineRate }) =>
    `${name} ${formatCount(rate)} (${baseline}: ${formatCount(baselineRate)})`,
);
const machines = [...new Set(bench.map(({ machine }) => machine))].join('; ');
const parts = {
  hosts: renderHostTable(),
  bench: `${renderTable(bench.flatMap(({ figures }) => figures))}\nSynthetic chains of mainnet's size (${[...new Set(bench.map(({ input }) => input))].join('; ')}), measured on ${machines}.\nRequests a second on one core: ${served.join(', ')}.\n\n![Time and memory of 10,000 to 1,000,000 contracts](scripts/bench/results/growth.svg)\n`,
  failures: `| code | meaning |\n|---|---|\n${failures.join('')}`,
};

let text = readFileSync(file, 'utf8');
for (const [name, part] of Object.entries(parts))
  text = text.replace(
    new RegExp(`<!-- ${name} -->[\\s\\S]*?<!-- /${name} -->`),
    () => `<!-- ${name} -->\n${part}<!-- /${name} -->`,
  );
writeFileSync(file, text);

function readResults(url: URL): Results {
  return JSON.parse(readFileSync(url, 'utf8')) as Results;
}
