// Reads the metrics of a follower, and checks them by the rules of Prometheus' text format and of its linter.
import { expect } from 'vitest';

/** The metrics of a follower that has run a command. */
export const FOLLOW_METRICS = [
  'stxpress_tip_height',
  'stxpress_tip_lag_seconds',
  'stxpress_spool_bytes',
  'stxpress_payloads_total',
  'stxpress_refused_total',
  'stxpress_step_start_time_seconds',
  'stxpress_step_duration_seconds',
  'stxpress_step_status',
];

/** Returns the metrics with their samples, each of which has a series with labels, as text, and a value. */
export function readMetrics(text: string) {
  const metrics = text.split(/^(?=# HELP )/m).map((part) => {
    const [help = '', type = '', ...samples] = part.replace(/\n$/, '').split('\n');
    const [, name = ''] = /^# HELP (stxpress_[a-z_]+) [A-Z].*\.$/.exec(help) ?? [];
    const [, kind = ''] = new RegExp(`^# TYPE ${name} (counter|gauge)$`).exec(type) ?? [];
    expect([help, type, name !== '' && kind !== '']).toEqual([help, type, true]);
    expect([name, name.endsWith('_total')]).toEqual([name, kind === 'counter']);
    expect(name).not.toMatch(/_(ms|milliseconds|kb|kilobytes|bucket|count|sum|gauge|counter)$/);
    const sample = new RegExp(`^(${name}(?:\\{[a-z]+="[a-z0-9/_-]+"\\})?) (-?\\d+(?:\\.\\d+)?)$`);
    return {
      name,
      type: kind,
      samples: samples.map((line) => {
        const [, series = '', value] = sample.exec(line) ?? [];
        expect([line, series !== '']).toEqual([line, true]);
        return [series, Number(value)] as const;
      }),
    };
  });
  const series = metrics.flatMap(({ samples }) => samples.map(([name]) => name));
  expect(new Set(series).size).toBe(series.length);
  expect(metrics.filter(({ samples }) => samples.length === 0)).toEqual([]);
  return metrics;
}
