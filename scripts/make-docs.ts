// This script writes the generated parts of docs/, each between two markers, from the code: npm run make-docs. Its output
// is deterministic.

import { readFileSync, writeFileSync } from 'node:fs';
import { COMMANDS } from '#cli/commands.ts';
import { REPORTING_OPTIONS } from '#cli/options.ts';
import type { Setting } from '#cli/setting.ts';
import { HOSTS } from '#hosts/all.ts';
import { ABILITIES, type Ability, describeLimits, shortcomings } from '#hosts/host.ts';
import { FAILURE_SENTENCES } from '#model/failure.ts';

interface GeneratedPart {
  /** The path of the page from the root of the project. */
  readonly page: string;
  /** The name in the markers of the part, such as `<!-- hosts -->` and `<!-- /hosts -->`. */
  readonly name: string;
  readonly text: string;
}

export function generatedParts(): readonly GeneratedPart[] {
  return [
    { page: 'docs/commands.md', name: 'options', text: renderOptions() },
    { page: 'docs/hosts.md', name: 'hosts', text: renderHosts() },
    { page: 'docs/failures.md', name: 'failures', text: renderFailures() },
  ];
}

/** Returns the page with the part inserted. Throws if the page lacks its markers. */
export function fillPart(page: string, { name, text }: GeneratedPart): string {
  const [from, to] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const [before, remainder] = page.split(from);
  const after = remainder?.split(to)[1];
  if (before === undefined || after === undefined) throw new Error(`the page lacks the markers ${from}${to}`);
  return `${before}${from}${text}${to}${after}`;
}

/** Returns tables of options: first a table of the options that all commands have, then a table for each command. */
function renderOptions(): string {
  const globalOptions = [
    `| \`--help\` | display help for command | |\n| \`--version\` | output the version number | |\n`,
    ...Object.values(REPORTING_OPTIONS).map(renderOption),
  ];
  const sections = [
    { title: 'Every command', summary: 'These go before or after the name of the command.', rows: globalOptions },
    ...COMMANDS.map(({ name, summary, argument, options }) => {
      const named = argument === undefined ? [] : [`| \`${argument.name}\` | ${argument.summary} | |\n`];
      const rows = [...named, ...Object.values(options).map(renderOption)];
      return { title: `stxpress ${name}`, summary: `${summary}.`, rows };
    }),
  ];
  const head = '\n\n| option | meaning | environment |\n|---|---|---|\n';
  return sections
    .map(({ title, summary, rows }) => `### ${title}\n\n${summary}${rows.length === 0 ? '\n' : head}${rows.join('')}`)
    .join('\n');
}

function renderOption({ flags, description, argChoices, negate, defaultValue, variable }: Setting): string {
  const facts = [
    ...(argChoices === undefined || argChoices.length < 2 ? [] : [`one of ${argChoices.join(', ')}`]),
    ...(negate || defaultValue === undefined ? [] : [`default: ${defaultValue}`]),
  ];
  const meaning = facts.length === 0 ? description : `${description} (${facts.join('; ')})`;
  return `| \`${flags}\` | ${meaning} | \`${variable}\` |\n`;
}

/** The columns of the table of hosts. The last column contains the abilities that the other columns do not list. */
const COLUMNS: readonly (readonly [string, readonly Ability[]])[] = [
  ['variants', ['variants', 'undeclared']],
  ['lists and search', ['slices', 'search', 'batch']],
  ['paths and errors', ['types', 'errors', 'tokenErrors', 'unversioned', 'hidden', 'malformed']],
  ['methods and headers', []],
];

/** Returns a table with a row for each host: how to use it, and its limitations. */
function renderHosts(): string {
  const columnOf = new Map(
    COLUMNS.flatMap(([title, abilities]) => abilities.map((ability) => [ABILITIES[ability].label as string, title])),
  );
  const last = COLUMNS.at(-1)?.[0];
  const rows = HOSTS.map((host) => {
    const byColumn = Map.groupBy(shortcomings(host), ([label]) => columnOf.get(label) ?? last);
    const cells = COLUMNS.map(([title]) =>
      (byColumn.get(title) ?? []).map(([label, instead]) => `*${label}*: ${instead}`).join('<br>'),
    );
    const limits = describeLimits(host).join(', ') || 'no limit';
    const all = [`\`${host.name}\``, host.instructions, ...cells, limits];
    return `| ${all.map((cell) => cell || '✓').join(' | ')} |\n`;
  });
  const titles = ['host', 'how', ...COLUMNS.map(([title]) => title), 'takes at most'];
  return `| ${titles.join(' | ')} |\n|${'---|'.repeat(titles.length)}\n${rows.join('')}`;
}

function renderFailures(): string {
  const rows = Object.entries(FAILURE_SENTENCES).map(([code, sentence]) => `| \`${code}\` | ${sentence} |\n`);
  return `| code | meaning |\n|---|---|\n${rows.join('')}`;
}

if (import.meta.main)
  for (const part of generatedParts()) {
    const file = new URL(`../${part.page}`, import.meta.url);
    writeFileSync(file, fillPart(readFileSync(file, 'utf8'), part));
  }
