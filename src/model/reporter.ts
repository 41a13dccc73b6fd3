// The interface for reporting messages, warnings and progress.

export interface Progress {
  /** The current work in one or two words: `blocks`, `tokens`. */
  readonly task: string;
  readonly done: number;
  readonly total?: number;
  /** The unit of `done` and `total`. Bytes are shown in decimal units, such as kB and MB. */
  readonly unit: 'bytes' | 'items';
  readonly detail?: string;
}

export interface Reporter {
  info(message: string): void;
  warn(message: string): void;
  /** Reports progress. Can be called any number of times a second, since the output is limited. */
  progress(progress: Progress): void;
}
