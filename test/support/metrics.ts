// Parses the metrics of a follower. Checks them by the rules of Prometheus for its text format, and by the rules of its
// linter.
import { expect } from 'vitest';

/** The names of the metrics that a follower reports after it has run a command. */
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

/** Returns the metrics with their samples. A sample is a series, as text with labels, and its value. */
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

/** Returns the value of a series of a running follower; undefined if the follower does not report it. */
export async function metricOf(url: string, series: string): Promise<string | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return new RegExp(`^${RegExp.escape(series)} (.*)$`, 'm').exec(text)?.[1];
}
