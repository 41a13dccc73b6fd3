// The options of publishing a build.
import type { Reporter } from '#model/reporter.ts';
import type { PlannedChange } from './published.ts';
import type { Target } from './target.ts';

export interface PublishOptions {
  readonly out: string;
  readonly target: Target;
  readonly concurrency: number;
  readonly maxDeletes: number;
  /** Take what is there for published where it has the bytes of the build. */
  readonly adopt: boolean;
  /** Go on with a publish that was begun elsewhere and died. */
  readonly takeOver: boolean;
  readonly replace: boolean;
  /** Called with each file that would be sent or removed; none is. */
  readonly onPlanned?: ((change: PlannedChange) => void) | undefined;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
  /** For tests: by how much pauses are shorter. */
  readonly haste?: number;
}
