// Prints messages and progress: on a terminal with a progress line that is redrawn, elsewhere as lines.

import type { Progress, Reporter } from '#model/reporter.ts';
import { formatBytes, formatCount, formatSeconds } from '#text/format-count.ts';
import { escapeControls, shorten } from '#text/quote.ts';

interface ReporterOptions {
  readonly quiet: boolean;
  /** True for a terminal on which a line can be redrawn. */
  readonly interactive: boolean;
  columns(): number;
  write(text: string): void;
}

export interface ClosableReporter extends Reporter {
  /** Removes the progress line. */
  clear(): void;
}

const MAX_MESSAGE_LENGTH = 2_000;
const REDRAW_MS = 100;
/** The time between progress lines if they are not redrawn. */
const LINE_EVERY_MS = 10_000;
/** The time for which a task stays on the redrawn line after its last report. */
const TASK_LASTS_MS = 5_000;

export function createReporter({ quiet, interactive, columns, write }: ReporterOptions): ClosableReporter {
  if (quiet) return { info() {}, warn() {}, progress() {}, clear() {} };
  // If lines are not redrawn, each line includes every task that reported since the previous line.
  const describe = createProgressMeter(interactive ? TASK_LASTS_MS : LINE_EVERY_MS);
  let drawn = false;
  let shownAt = performance.now();

  const clear = () => {
    if (drawn) write('\r\x1b[K');
    drawn = false;
  };
  const line = (message: string, prefix = '') => {
    clear();
    write(`${prefix}${printableLine(message)}\n`);
  };
  return {
    clear,
    info: (message) => line(message),
    warn: (message) => line(message, 'warning: '),
    progress(progress) {
      const text = printableLine(describe(progress));
      const now = performance.now();
      if (now - shownAt < (interactive ? REDRAW_MS : LINE_EVERY_MS)) return;
      shownAt = now;
      if (!interactive) return line(text);
      write(`\r\x1b[K${fitted(text, columns() - 1)}`);
      drawn = true;
    },
  };
}

/**
 * Shortens a line that would wrap, since a wrapped line cannot be redrawn. Removes the middle of the line: the end has
 * the rate and time.
 */
function fitted(line: string, width: number): string {
  if (line.length <= width) return line;
  const head = Math.floor(width / 3);
  return `${line.slice(0, head)}…${line.slice(line.length - Math.max(0, width - head - 1))}`;
}

/** Escapes and shortens a line: text from outside must not move the cursor, add lines or fill the screen. */
export function printableLine(line: string): string {
  // A line may have megabytes, so it is also shortened before its characters are escaped.
  return shorten(escapeControls(shorten(line, MAX_MESSAGE_LENGTH)), MAX_MESSAGE_LENGTH);
}

/** Lines to print; false and undefined are omitted. */
export type Lines = string | false | undefined | readonly Lines[];

export function joinLines(...lines: readonly Lines[]): string {
  return lines.flatMap(shownLines).join('\n');
}

function shownLines(lines: Lines): readonly string[] {
  if (typeof lines === 'string') return [printableLine(lines.trimEnd())];
  return lines ? lines.flatMap(shownLines) : [];
}

/** Returns the first lines of a list, and a line with the number of omitted lines. */
export function firstLines(lines: readonly string[], maxLines: number, indent = ''): Lines {
  return [
    lines.slice(0, maxLines),
    lines.length > maxLines && `${indent}… and ${formatCount(lines.length - maxLines)} more: use --json to print all.`,
  ];
}

/** Returns a function that describes all running tasks, each with its rate and remaining time. */
function createProgressMeter(lastsMs: number): (progress: Progress) => string {
  const tasks = new Map<string, { startedAt: number; startedWith: number; reportedAt: number; text: string }>();
  return (progress) => {
    const { task, done } = progress;
    const now = performance.now();
    const known = tasks.get(task);
    const start = known !== undefined && done >= known.startedWith ? known : { startedAt: now, startedWith: done };
    const { startedAt, startedWith } = start;
    const text = describeProgress(progress, startedWith, (now - startedAt) / 1000);
    tasks.set(task, { startedAt, startedWith, reportedAt: now, text });
    const current = [...tasks.values()].filter(({ reportedAt }) => now - reportedAt < lastsMs);
    return current.map((shown) => shown.text).join('; ');
  };
}

function describeProgress({ task, done, total, unit, detail }: Progress, startedWith: number, seconds: number): string {
  const rate = seconds > 0 ? (done - startedWith) / seconds : 0;
  const amount = (value: number) => (unit === 'bytes' ? formatBytes(value) : formatCount(value));
  const parts = [`${task}: ${amount(done)}${total === undefined ? '' : ` of ${amount(total)}`}`];
  if (detail !== undefined) parts.push(detail);
  if (rate > 0) parts.push(`${amount(rate)}/s`);
  if (rate > 0 && total !== undefined && total > done) parts.push(`${formatSeconds((total - done) / rate)} left`);
  return parts.join(', ');
}
