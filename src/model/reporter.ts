// The interface for reporting progress and warnings. Callers report facts, and the CLI writes the text.

export interface Progress {
  /** The current work in one or two words: `blocks`, `tokens`. */
  readonly task: string;
  readonly done: number;
  readonly total?: number;
  /** The unit of `done` and `total`. Bytes are shown in decimal units, such as kB and MB. */
  readonly unit: 'bytes' | 'items';
  readonly detail?: string;
}

export type Facts = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Reporter {
  info(message: string, facts?: Facts): void;
  warn(message: string, facts?: Facts): void;
  /** Reports progress. Can be called any number of times a second, since the output is limited. */
  progress(progress: Progress): void;
}
