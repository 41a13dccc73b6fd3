// Defines the options of a build.

import type { Host } from '#hosts/host.ts';
import type { Reporter } from '#model/reporter.ts';
import type { Only } from '#model/token.ts';

export interface BuildOptions {
  readonly out: string;
  readonly publicUrl: string;
  readonly indexFile: string;
  /** The folder with the copies of images. */
  readonly imageFolder: string;
  /** Limits the build to routes about tokens, or about one kind of token, for hosts that limit the number of files. */
  readonly only: Only | undefined;
  readonly hosts: readonly Host[];
  /** Render and compare all files, even if nothing seems to have changed. */
  readonly full?: boolean;
  readonly dump?: boolean;
  /** Check the hashes of all files in the output folder and of all copies of images, and repair damaged files. */
  readonly verify?: boolean;
  /** True if the build may replace the site of another index. */
  readonly replace?: boolean;
  readonly reporter: Reporter;
  /** Stops the build, unless it has already begun to replace served files. */
  readonly signal?: AbortSignal | undefined;
}
