// Reads the metrics of a follower in the text format of Prometheus.
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

/** Returns the names of the metrics in a response. Checks the help, the type and the samples of each. */
export function metricNames(text: string): string[] {
  return text.split(/^(?=# HELP )/m).map((part) => {
    const name = /^# HELP (stxpress_[a-z_]+) [A-Z].*\.\n/.exec(part)?.[1] ?? '';
    const type = `# TYPE ${name} ${name.endsWith('_total') ? 'counter' : 'gauge'}\\n`;
    const samples = `(?:${name}(?:\\{[a-z]+="[a-z0-9/_-]+"\\})? -?\\d+(?:\\.\\d+)?\\n)+`;
    expect(part).toMatch(new RegExp(`^.*\\n${type}${samples}$`));
    return name;
  });
}

/** Returns the value of a series of a running follower; undefined if the follower does not report it. */
export async function metricOf(url: string, series: string): Promise<string | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return new RegExp(`^${RegExp.escape(series)} (.*)$`, 'm').exec(text)?.[1];
}
