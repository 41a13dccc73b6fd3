// The options of a build.

import type { Host } from '#hosts/host.ts';
import type { Reporter } from '#model/reporter.ts';
import type { Only } from '#model/token.ts';

export interface BuildOptions {
  readonly out: string;
  readonly publicUrl: string;
  readonly indexFile: string;
  /** Where the copies of images are that the index knows. */
  readonly imageFolder: string;
  /** Only the routes about tokens, or those of one kind, for hosts with a limit of files. */
  readonly only: Only | undefined;
  readonly hosts: readonly Host[];
  /** Render everything and compare, even if nothing is known to have changed. */
  readonly full?: boolean;
  readonly dump?: boolean;
  /** Hash what is on the disk, the copies of images too, and mend what is not as it was written. */
  readonly verify?: boolean;
  /** True if the output folder may hold the site of another index. */
  readonly replace?: boolean;
  readonly reporter: Reporter;
  /** Stops the build while nothing that is served was touched. */
  readonly signal?: AbortSignal | undefined;
}
