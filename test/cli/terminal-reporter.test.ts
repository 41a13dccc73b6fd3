// The progress line of a terminal.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createReporter } from '#cli/terminal-reporter.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** The last line that is drawn for a task that is half done after 10 s. */
function lineIn(columns: number): string {
  let written = '';
  const write = (text: string) => {
    written = text;
  };
  const reporter = createReporter({ form: 'text', quiet: false, interactive: true, columns: () => columns, write });
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

test('behavior: a narrow terminal shows the beginning, the rate and the time', () => {
  const line = lineIn(40);
  expect(line).toHaveLength(39);
  expect(line).toMatch(/^archive: 1.*….*, 100\/s, 10 s left$/);
});
