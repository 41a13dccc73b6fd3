// Writes a comparison with another API as a table: for each route and each field that is not the same everywhere, how
// many are, and behind it what differs.

import { type ComparedAnswer, type Comparison, VERDICTS, type Verdict } from '#compare/compare-api.ts';
import { formatCount } from '#text/format-count.ts';
import { shorten } from '#text/quote.ts';
import { count } from './amounts.ts';
import { firstLines, joinLines } from './terminal-reporter.ts';

/** How many are named; `--json` has all. */
const MAX_NAMED = 40;
const MAX_VALUE_LENGTH = 100;
const titleOf = (verdict: Verdict) => verdict.replace('-', ' ');

export function describeComparison({ url, tip, answers, failures }: Comparison & { readonly url: string }): string {
  const height = (one: number | undefined) => (one === undefined ? 'unknown' : `block ${formatCount(one)}`);
  const tips = `${height(tip.theirs)}, and ours ${height(tip.ours)}`;
  return joinLines(
    `${count(answers.length, 'answer')} of ${url} compared; its tip is ${tips}.`,
    describeTable(answers),
    firstLines(answers.flatMap(describeAnswer), MAX_NAMED),
    describeUnread(failures, MAX_NAMED),
  );
}

type Row = readonly [name: string, counts: Readonly<Record<Verdict, number>>];

function describeTable(answers: readonly ComparedAnswer[]): string[] {
  const rows = [...Map.groupBy(answers, ({ route }) => route)].flatMap(([route, ofRoute]): Row[] => {
    const fields = Map.groupBy(
      ofRoute.flatMap((answer) => answer.fields),
      ({ field }) => field,
    );
    const withFields = ofRoute.filter(({ compared }) => compared > 0).length;
    return [
      [route, countOf(ofRoute)],
      ...[...fields]
        .slice(0, MAX_NAMED)
        .map(([field, of]): Row => [`  ${field}`, { ...countOf(of), same: withFields - of.length }]),
    ];
  });
  const width = rows.reduce((longest, [name]) => Math.max(longest, name.length), 0);
  const cells = (name: string, textOf: (verdict: Verdict) => string) =>
    [name.padEnd(width), ...VERDICTS.map((one) => textOf(one).padStart(titleOf(one).length))].join('  ');
  return [
    cells('', (verdict) => titleOf(verdict)),
    ...rows.map(([name, counts]) => cells(name, (verdict) => formatCount(counts[verdict]))),
  ];
}

function countOf(items: readonly { readonly verdict: Verdict }[]): Record<Verdict, number> {
  const counts = VERDICTS.map((verdict) => [verdict, items.filter((one) => one.verdict === verdict).length]);
  return Object.fromEntries(counts) as Record<Verdict, number>;
}

function describeAnswer({ path, verdict, reason, fields }: ComparedAnswer): string[] {
  if (verdict === 'same') return [];
  if (fields.length === 0) return [`${path}: ${titleOf(verdict)}${reason === undefined ? '' : `: ${reason}`}`];
  const shown = (value: unknown) => shorten(JSON.stringify(value), MAX_VALUE_LENGTH);
  return fields.map((field) => {
    const values = [
      field.ours !== undefined && `ours ${shown(field.ours)}`,
      field.theirs !== undefined && `theirs ${shown(field.theirs)}`,
      field.reason,
    ];
    return `${path} ${field.field}: ${titleOf(field.verdict)}: ${values.filter(Boolean).join('; ')}`;
  });
}

/** Answers that another server did not send, one line for each reason. */
export function describeUnread(failures: Comparison['failures'], most: number): string[] {
  if (failures.length === 0) return [];
  const groups = Map.groupBy(failures, ({ code, message }) => `${code}: ${message}`);
  const named = [...groups].slice(0, most).map(([reason, [first, ...more]]) => {
    const rest = more.length === 0 ? '' : ` and ${formatCount(more.length)} more`;
    return `  ${first?.path}${rest}: ${reason}`;
  });
  return [`${count(failures.length, 'answer')} could not be read; run it again:`, ...named];
}
