// Reports for people and for log collectors: one line that is drawn over and over on a terminal, plain lines or JSON lines elsewhere.
import { formatCount } from '#model/format-count.ts';
import type { Facts, Progress, Reporter } from '#model/reporter.ts';

export interface ReporterOptions {
  readonly form: 'text' | 'json';
  readonly quiet: boolean;
  /** Whether a line may be drawn over. */
  readonly interactive: boolean;
  /** Width of the terminal. */
  columns(): number;
  write(text: string): void;
}

export interface ClosableReporter extends Reporter {
  /** Removes the progress line, before something else is printed. */
  clear(): void;
}

const MAX_MESSAGE_LENGTH = 2_000;
const REDRAW_MS = 100;
/** Without a terminal, progress is a line now and then. */
const LINE_EVERY_MS = 10_000;
/** A task that reported nothing for so long is not spoken of. */
const TASK_LASTS_MS = 5_000;

export function createReporter(options: ReporterOptions): ClosableReporter {
  if (options.quiet) return { info() {}, warn() {}, progress() {}, clear() {} };
  const meter = new ProgressMeter();
  let drawn = false;
  let shownAt = performance.now();

  const clear = () => {
    if (drawn) options.write('\r\x1b[K');
    drawn = false;
  };
  const line = (level: 'info' | 'warn' | 'progress', message: string, facts?: Facts) => {
    clear();
    if (options.form === 'json') options.write(jsonLine(level, message, facts));
    else options.write(`${level === 'warn' ? 'warning: ' : ''}${withoutControls(message)}\n`);
  };
  return {
    clear,
    info: (message, facts) => line('info', message, facts),
    warn: (message, facts) => line('warn', message, facts),
    progress(progress) {
      const text = meter.describe(progress);
      const now = performance.now();
      const redraws = options.interactive && options.form === 'text';
      if (now - shownAt < (redraws ? REDRAW_MS : LINE_EVERY_MS)) return;
      shownAt = now;
      if (redraws) {
        // A line that wraps could not be drawn over.
        options.write(`\r\x1b[K${text.slice(0, options.columns() - 1)}`);
        drawn = true;
      } else {
        const { task, done, total } = progress;
        line('progress', text, { task, done, ...(total === undefined ? {} : { total }) });
      }
    },
  };
}

/** One JSON object and a newline. */
export function jsonLine(level: string, message: string, facts?: Facts): string {
  return `${JSON.stringify({ time: new Date().toISOString(), level, message, ...facts })}\n`;
}

/** Messages can quote what strangers wrote: nothing of it may move the cursor or fill the screen. */
export function withoutControls(message: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  const plain = message.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '\ufffd');
  return plain.length > MAX_MESSAGE_LENGTH ? `${plain.slice(0, MAX_MESSAGE_LENGTH)}…` : plain;
}

/** Rates and remaining times of the tasks that go on at the same time, each since its first report. */
class ProgressMeter {
  readonly #tasks = new Map<string, { startedAt: number; startedWith: number; reportedAt: number; text: string }>();

  /** What is known of this task, and of the others that reported lately. */
  describe(progress: Progress): string {
    const now = performance.now();
    const { task, done } = progress;
    let own = this.#tasks.get(task);
    if (own === undefined || done < own.startedWith) {
      own = { startedAt: now, startedWith: done, reportedAt: now, text: '' };
      this.#tasks.set(task, own);
    }
    own.reportedAt = now;
    own.text = describeProgress(progress, own.startedWith, (now - own.startedAt) / 1000);
    const current = [...this.#tasks.values()].filter((other) => now - other.reportedAt < TASK_LASTS_MS);
    return current.map((other) => other.text).join('; ');
  }
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

/** In units of 1,000: `12.3 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** `1 token`, `2 tokens`. */
export function count(number: number, noun: string): string {
  return `${formatCount(number)} ${noun}${number === 1 ? '' : 's'}`;
}

export function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
