// How inner code reports what it does: it passes facts, the CLI formats them.

export interface Progress {
  /** The current work in a word or two: `blocks`, `tokens`. */
  readonly task: string;
  readonly done: number;
  readonly total?: number;
  /** Unit of `done` and `total`; bytes are shown in units of 1,000. */
  readonly unit: 'bytes' | 'items';
  readonly detail?: string;
}

export type Facts = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Reporter {
  info(message: string, facts?: Facts): void;
  warn(message: string, facts?: Facts): void;
  /** May be called at any rate: output is throttled. */
  progress(progress: Progress): void;
}
