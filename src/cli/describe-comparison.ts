// Formats a comparison with another API: a table with the verdicts of each route and of each field that differs, then
// the differences.

import { type ComparedResponse, type Comparison, VERDICTS, type Verdict } from '#compare/compare-api.ts';
import { count, formatCount } from '#text/format-count.ts';
import { shorten } from '#text/quote.ts';
import { firstLines, joinLines } from './terminal-reporter.ts';

/** The maximum number of printed lines of each kind; `--json` prints all. */
const MAX_NAMED = 40;
const MAX_VALUE_LENGTH = 100;
const titleOf = (verdict: Verdict) => verdict.replace('-', ' ');

export function describeComparison({ url, tip, responses, failures }: Comparison & { readonly url: string }): string {
  const height = (block: number | undefined) => (block === undefined ? 'unknown' : `block ${formatCount(block)}`);
  const tips = `${height(tip.theirs)}, the tip of the index is ${height(tip.ours)}`;
  return joinLines(
    `${count(responses.length, 'response')} of ${url} compared; its tip is ${tips}.`,
    describeTable(responses),
    firstLines(responses.flatMap(describeResponse), MAX_NAMED),
    describeUnread(failures, MAX_NAMED),
  );
}

type Row = readonly [name: string, counts: Readonly<Record<Verdict, number>>];

function describeTable(responses: readonly ComparedResponse[]): string[] {
  const rows = [...Map.groupBy(responses, ({ route }) => route)].flatMap(([route, compared]): Row[] => {
    const fields = Map.groupBy(
      compared.flatMap((response) => response.fields),
      ({ field }) => field,
    );
    const withFields = compared.filter((response) => response.compared > 0).length;
    return [
      [route, countOf(compared)],
      ...[...fields]
        .slice(0, MAX_NAMED)
        .map(([field, found]): Row => [`  ${field}`, { ...countOf(found), same: withFields - found.length }]),
    ];
  });
  const width = rows.reduce((longest, [name]) => Math.max(longest, name.length), 0);
  const cells = (name: string, textOf: (verdict: Verdict) => string) =>
    [name.padEnd(width), ...VERDICTS.map((verdict) => textOf(verdict).padStart(titleOf(verdict).length))].join('  ');
  return [
    cells('', (verdict) => titleOf(verdict)),
    ...rows.map(([name, counts]) => cells(name, (verdict) => formatCount(counts[verdict]))),
  ];
}

function countOf(items: readonly { readonly verdict: Verdict }[]): Record<Verdict, number> {
  const counts = VERDICTS.map((verdict) => [verdict, items.filter((item) => item.verdict === verdict).length]);
  return Object.fromEntries(counts) as Record<Verdict, number>;
}

function describeResponse({ path, verdict, reason, fields }: ComparedResponse): string[] {
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

/** Lists the responses that could not be read: one line for each reason, up to `maxLines`. */
function describeUnread(failures: Comparison['failures'], maxLines: number): string[] {
  if (failures.length === 0) return [];
  const groups = Map.groupBy(failures, ({ code, message }) => `${code}: ${message}`);
  const named = [...groups].slice(0, maxLines).map(([reason, [first, ...more]]) => {
    const rest = more.length === 0 ? '' : ` and ${formatCount(more.length)} more`;
    return `  ${first?.path}${rest}: ${reason}`;
  });
  return [`${count(failures.length, 'response')} could not be read; run the command again to retry:`, ...named];
}
