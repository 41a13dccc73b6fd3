// This script writes the generated parts of README.md and docs/, each between two markers, from the code and the
// measured figures: npm run make-docs. Its output is deterministic.

import { readFileSync, writeFileSync } from 'node:fs';
import { COMMANDS } from '#cli/commands.ts';
import { REPORTING_OPTIONS } from '#cli/options.ts';
import type { Setting } from '#cli/setting.ts';
import { HOSTS } from '#hosts/all.ts';
import { ABILITIES, type Ability, describeLimits, shortcomings } from '#hosts/host.ts';
import { FAILURE_SENTENCES } from '#model/failure.ts';
import { formatCount } from '#text/format-count.ts';
import { type Results, renderTable } from './bench/figures.ts';
import type { Size } from './bench/growth.ts';
import type { Measured } from './bench/measure.ts';
import type { Rate } from './bench/serve.ts';

interface GeneratedPart {
  /** The path of the page from the root of the project. */
  readonly page: string;
  /** The name in the markers of the part, such as `<!-- hosts -->` and `<!-- /hosts -->`. */
  readonly name: string;
  readonly text: string;
}

export function generatedParts(): readonly GeneratedPart[] {
  return [
    { page: 'README.md', name: 'speed', text: renderSpeed() },
    { page: 'docs/commands.md', name: 'options', text: renderOptions() },
    { page: 'docs/hosts.md', name: 'hosts', text: renderHosts() },
    { page: 'docs/failures.md', name: 'failures', text: renderFailures() },
    { page: 'docs/performance.md', name: 'bench', text: renderBench() },
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
    const all = [`\`${host.name}\``, host.use, ...cells, limits];
    return `| ${all.map((cell) => cell || '✓').join(' | ')} |\n`;
  });
  const titles = ['host', 'how', ...COLUMNS.map(([title]) => title), 'takes at most'];
  return `| ${titles.join(' | ')} |\n|${'---|'.repeat(titles.length)}\n${rows.join('')}`;
}

function renderFailures(): string {
  const rows = Object.entries(FAILURE_SENTENCES).map(([code, sentence]) => `| \`${code}\` | ${sentence} |\n`);
  return `| code | meaning |\n|---|---|\n${rows.join('')}`;
}

function renderBench(): string {
  const results = ['replay', 'busy', 'build', 'publish', 'follow', 'vm', 'calls'].map((name) =>
    readResults<Results>(name),
  );
  const growth = [
    renderGrowth('growth', 'contracts (sources cut to a tenth)'),
    renderGrowth('growth-tokens', 'tokens of 200 collections'),
  ];
  const served = readResults<{ rates: readonly Rate[] }>('serve').rates.map(
    ({ name, rate, baseline, baselineRate }) =>
      `| ${name} | ${formatCount(rate)} | ${baseline}: ${formatCount(baselineRate)} |\n`,
  );
  return `${renderTable(results.flatMap(({ figures }) => figures))}
Measured on ${distinct(results.map(({ machine }) => machine))}, with synthetic chains of mainnet's size:
${distinct(results.map(({ input }) => input)).replaceAll('; ', ';\n')}.

${growth.join('\n')}
| server, on one core | requests a second | baseline |
|---|---|---|
${served.join('')}`;
}

function renderGrowth(file: string, title: string): string {
  const { sizes } = readResults<{ sizes: readonly Size[] }>(file);
  const timeAndPeak = ({ seconds, peakMb }: Measured) => `${seconds.toFixed(1)} s, ${peakMb} MB`;
  const rows = sizes.map(
    ({ count, index, build }) => `| ${formatCount(count)} | ${timeAndPeak(index)} | ${timeAndPeak(build)} |\n`,
  );
  return `| ${title} | index: time, peak | build: time, peak |
|---|---|---|
${rows.join('')}`;
}

/** Returns the main figures of the benchmarks in two sentences. */
function renderSpeed(): string {
  const [replay, build] = [readResults<Results>('replay'), readResults<Results>('build')];
  const [replayed, full, unchanged] = [replay.figures[0], build.figures[0], build.figures[1]];
  if (replayed === undefined || full === undefined || unchanged === undefined)
    throw new Error('the figures of a benchmark are missing');
  const peak = Math.max(replayed.peakMb ?? 0, full.peakMb ?? 0);
  const [cores] = build.machine.split(',');
  const [replaySeconds, buildSeconds] = [replayed, full].map(({ seconds }) => Math.round(seconds));
  const unchangedMs = Math.round(unchanged.seconds * 1000);
  return `On ${cores}, replaying an archive of ${replay.input} takes ${replaySeconds} s and building the whole
site ${buildSeconds} s, with at most ${peak} MB of memory. Where nothing has changed, a build takes ${unchangedMs} ms.
`;
}

function distinct(texts: readonly string[]): string {
  return [...new Set(texts)].join('; ');
}

function readResults<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`bench/results/${name}.json`, import.meta.url), 'utf8')) as T;
}

if (import.meta.main)
  for (const part of generatedParts()) {
    const file = new URL(`../${part.page}`, import.meta.url);
    writeFileSync(file, fillPart(readFileSync(file, 'utf8'), part));
  }
