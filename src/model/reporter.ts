// The interface for reporting progress and warnings: code passes facts, which the CLI formats.

export interface Progress {
  /** The current work in one or two words: `blocks`, `tokens`. */
  readonly task: string;
  readonly done: number;
  readonly total?: number;
  /** Unit of `done` and `total`. Bytes are shown in steps of 1,000: kB, MB. */
  readonly unit: 'bytes' | 'items';
  readonly detail?: string;
}

export type Facts = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Reporter {
  info(message: string, facts?: Facts): void;
  warn(message: string, facts?: Facts): void;
  /** Reports progress. May be called at any rate, since output is throttled. */
  progress(progress: Progress): void;
}
