// Counts what happens in a follower, and answers `/` as JSON and `/metrics` as Prometheus reads it.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { OBSERVER_PATHS, type Payload, REFUSED_FOR, type RefusedFor } from './observer-server.ts';
import { spoolFiles } from './spool.ts';

export interface Step {
  readonly command: string;
  /** When it began, ISO 8601 in UTC. */
  readonly at: string;
  readonly seconds: number;
  /** Its exit status, null if it was killed. */
  readonly status: number | null;
}

/** Each sample has labels, as they are written, and a value. */
type Metric = readonly [
  type: 'counter' | 'gauge',
  name: string,
  help: string,
  samples: readonly (readonly [labels: string, value: number | string])[],
];

const UNKNOWN = 'unknown';

export class FollowStatus {
  readonly #spool: string;
  // From zero: an alert sees no increase of what begins with one.
  readonly #payloads = zeros([...OBSERVER_PATHS, UNKNOWN]);
  readonly #refused = zeros(REFUSED_FOR);
  readonly #steps = new Map<string, Step>();
  #tip: Payload['block'];

  /** `tip`: the highest block that is known so far. */
  constructor(spool: string, tip: Payload['block']) {
    this.#spool = spool;
    this.#tip = tip;
  }

  onPayload({ path, block }: Payload): void {
    count(this.#payloads, OBSERVER_PATHS.has(path) ? path : UNKNOWN);
    this.#tip = block ?? this.#tip;
  }

  onRefused(reason: RefusedFor): void {
    count(this.#refused, reason);
  }

  onStep(step: Step): void {
    this.#steps.set(step.command, step);
  }

  /** Undefined for any other path. */
  describe(path: string): { readonly type: string; readonly text: string } | undefined {
    if (path === '/') return { type: 'application/json', text: `${JSON.stringify(this.#facts(), null, 2)}\n` };
    if (path !== '/metrics') return undefined;
    return { type: 'text/plain; version=0.0.4; charset=utf-8', text: this.#metrics().map(printMetric).join('') };
  }

  #facts() {
    return {
      tip: this.#tip?.height,
      lag_seconds: this.#lag(),
      spool_bytes: this.#spoolBytes(),
      payloads: Object.fromEntries(this.#payloads),
      refused: Object.fromEntries(this.#refused),
      steps: [...this.#steps.values()],
    };
  }

  #metrics(): Metric[] {
    const steps = [...this.#steps.values()];
    const ofSteps = (value: (step: Step) => number | string) =>
      steps.map((step) => [`{step="${step.command}"}`, value(step)] as const);
    const labelled = (label: string, counts: ReadonlyMap<string, number>) =>
      [...counts].map(([name, value]) => [`{${label}="${name}"}`, value] as const);
    const alone = (value: number | undefined) => (value === undefined ? [] : [['', value] as const]);
    return [
      [
        'gauge',
        'tip_height',
        'Height of the last block that the node sent, or of the index.',
        alone(this.#tip?.height),
      ],
      ['gauge', 'tip_lag_seconds', 'Age of the burn block of that block.', alone(this.#lag())],
      ['gauge', 'spool_bytes', 'Size of the archive that is written.', alone(this.#spoolBytes())],
      ['counter', 'payloads_total', 'Payloads that were answered with 200.', labelled('path', this.#payloads)],
      ['counter', 'refused_total', 'Requests that were refused, by reason.', labelled('reason', this.#refused)],
      ['gauge', 'step_start_time_seconds', 'When a command began last, since 1970.', ofSteps(startOf)],
      ['gauge', 'step_duration_seconds', 'How long it ran.', ofSteps(secondsOf)],
      ['gauge', 'step_status', 'Its exit status: 75 leaves work for later, -1 was killed.', ofSteps(statusOf)],
    ];
  }

  #lag(): number | undefined {
    const time = this.#tip?.burnBlockTime;
    return time === undefined ? undefined : Math.max(0, Math.round(Date.now() / 1_000 - time));
  }

  #spoolBytes(): number {
    const sizes = spoolFiles(this.#spool).map(
      (name) => statSync(join(this.#spool, name), { throwIfNoEntry: false })?.size,
    );
    return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  }
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

/** Nothing is said of what has no value yet. */
function printMetric([type, ownName, help, samples]: Metric): string {
  if (samples.length === 0) return '';
  const name = `stxpress_${ownName}`;
  const lines = samples.map(([labels, value]) => `${name}${labels} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}
