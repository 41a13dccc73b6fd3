// Tests the progress line of a terminal, and how messages are shortened.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createReporter } from '#cli/terminal-reporter.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** Returns the progress line of a task that is half done after 10 s, in a terminal of this width. */
function lineIn(columns: number): string {
  let written = '';
  const write = (text: string) => {
    written = text;
  };
  const reporter = createReporter({ quiet: false, interactive: true, columns: () => columns, write });
  const task = {
    task: 'archive',
    total: 2_000,
    unit: 'items',
    detail: 'events-of-mainnet.tsv.gz, line 1,234',
  } as const;
  reporter.progress({ ...task, done: 0 });
  vi.advanceTimersByTime(10_000);
  reporter.progress({ ...task, done: 1_000 });
  return written.replace('\r\x1b[K', '');
}

test('default', () => {
  expect(lineIn(200)).toBe('archive: 1,000 of 2,000, events-of-mainnet.tsv.gz, line 1,234, 100/s, 10 s left');
});

test('includes all tasks since the previous line in a line that is not redrawn', () => {
  const lines: string[] = [];
  const write = (text: string) => lines.push(text);
  const reporter = createReporter({ quiet: false, interactive: false, columns: () => 80, write });
  const tokens = { task: 'tokens', total: 20, unit: 'items' } as const;
  const documents = { task: 'documents', done: 0, total: 462, unit: 'items', detail: '30 failed attempts' } as const;
  reporter.progress({ ...tokens, done: 0 });
  vi.advanceTimersByTime(2_000);
  reporter.progress({ ...tokens, done: 10 });
  vi.advanceTimersByTime(8_000);
  reporter.progress(documents);
  vi.advanceTimersByTime(11_000);
  reporter.progress(documents);
  expect(lines).toEqual([
    'tokens: 10 of 20, 5/s, 2 s left; documents: 0 of 462, 30 failed attempts\n',
    'documents: 0 of 462, 30 failed attempts\n',
  ]);
});

test('shows the beginning, the rate and the time on a narrow terminal', () => {
  const line = lineIn(40);
  expect(line).toHaveLength(39);
  expect(line).toMatch(/^archive: 1.*….*, 100\/s, 10 s left$/);
});

test('shortens a message that would fill the screen', () => {
  const lines: string[] = [];
  const write = (text: string) => lines.push(text);
  const reporter = createReporter({ quiet: false, interactive: false, columns: () => 80, write });
  reporter.warn('\u202e'.repeat(1_000_000));
  expect(lines).toEqual([`warning: ${'\\u202e'.repeat(2_000).slice(0, 2_000)}…\n`]);
});
