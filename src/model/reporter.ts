// How inner code reports what it does: facts go in, the CLI decides how they look.

export interface Progress {
  /** What is being done, in a word or two: `blocks`, `tokens`. */
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
  /** Something is not as it should be, and the run goes on. */
  warn(message: string, facts?: Facts): void;
  /** May be called as often as convenient: showing it is throttled. */
  progress(progress: Progress): void;
}

export const silentReporter: Reporter = { info() {}, warn() {}, progress() {} };
