// Counts the events of a follower, and reports its status as metrics in the format of Prometheus.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { OBSERVER_PATHS, type Payload, UNKNOWN_PATH } from './observer-server.ts';
import { REFUSED_FOR, type RefusedFor } from './refusal.ts';
import { spoolFiles } from './spool.ts';

export interface Step {
  readonly command: string;
  /** The start time, ISO 8601 in UTC. */
  readonly at: string;
  readonly seconds: number;
  /** The exit status; null if the command was killed. */
  readonly status: number | null;
}

/** A metric with samples; each sample has formatted labels and a value. */
type Metric = readonly [
  type: 'counter' | 'gauge',
  name: string,
  help: string,
  samples: readonly (readonly [labels: string, value: number | string])[],
];

export type FollowStatus = ReturnType<typeof createFollowStatus>;

/**
 * Returns functions that count events and report the status. `known`: the tip of the index at the start; undefined
 * for an empty index.
 */
export function createFollowStatus(spool: string, known: Payload['block']) {
  let tip = known;
  // Counters begin at zero: an alert would not notice a counter that appears with the value 1.
  const payloads = zeros([...OBSERVER_PATHS, UNKNOWN_PATH]);
  const refused = zeros(REFUSED_FOR);
  const steps = new Map<string, Step>();

  const lag = () => {
    const time = tip?.burnBlockTime;
    return time === undefined ? undefined : Math.max(0, Math.round(Date.now() / 1_000 - time));
  };
  const spoolBytes = () => {
    const sizes = spoolFiles(spool).map((name) => statSync(join(spool, name), { throwIfNoEntry: false })?.size ?? 0);
    return sizes.reduce((sum, size) => sum + size, 0);
  };
  const metrics = (): Metric[] => {
    const stepSamples = (value: (step: Step) => number | string) =>
      [...steps.values()].map((step) => [`{step="${step.command}"}`, value(step)] as const);
    const labelled = (label: string, counts: ReadonlyMap<string, number>) =>
      [...counts].map(([name, value]) => [`{${label}="${name}"}`, value] as const);
    const unlabelled = (value: number | undefined) => (value === undefined ? [] : [['', value] as const]);
    return [
      [
        'gauge',
        'tip_height',
        'Height of the last block from the node, or of the tip of the index.',
        unlabelled(tip?.height),
      ],
      ['gauge', 'tip_lag_seconds', 'Age of the burn block of that block.', unlabelled(lag())],
      ['gauge', 'spool_bytes', 'Size of the archive of received events.', unlabelled(spoolBytes())],
      ['counter', 'payloads_total', 'Payloads that were accepted with status 200.', labelled('path', payloads)],
      ['counter', 'refused_total', 'Requests that were rejected, by reason.', labelled('reason', refused)],
      [
        'gauge',
        'step_start_time_seconds',
        'Start time of the last run of a command, since 1970.',
        stepSamples(startOf),
      ],
      ['gauge', 'step_duration_seconds', 'Duration of that run.', stepSamples(secondsOf)],
      [
        'gauge',
        'step_status',
        'Exit status of that run: 75 if work remains, -1 if it was killed.',
        stepSamples(statusOf),
      ],
    ];
  };
  return {
    onPayload({ path, block }: Payload): void {
      count(payloads, path);
      tip = block ?? tip;
    },
    onRefused: (reason: RefusedFor) => count(refused, reason),
    onStep: (step: Step) => steps.set(step.command, step),
    /** Returns the metrics as text. */
    metrics: () => metrics().map(printMetric).join(''),
  };
}

const startOf = ({ at }: Step) => Date.parse(at) / 1_000;
const secondsOf = ({ seconds }: Step) => seconds.toFixed(3);
const statusOf = ({ status }: Step) => status ?? -1;

function zeros(names: Iterable<string>): Map<string, number> {
  return new Map([...names].map((name) => [name, 0]));
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** Formats a metric; returns an empty string if it has no value yet. */
function printMetric([type, shortName, help, samples]: Metric): string {
  if (samples.length === 0) return '';
  const name = `stxpress_${shortName}`;
  const lines = samples.map(([labels, value]) => `${name}${labels} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}
