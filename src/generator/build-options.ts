// Defines the options of a build.

import type { Host } from '#hosts/host.ts';
import type { Reporter } from '#model/reporter.ts';
import type { Only } from '#model/token.ts';
import type { Overlay } from '#routes/overlay.ts';

export interface BuildOptions {
  readonly out: string;
  readonly publicUrl: string;
  /** The name of the site in its pages. */
  readonly name: string;
  readonly indexFile: string;
  /** The folder with the copies of images. */
  readonly imageFolder: string;
  /**
   * Restricts the build to routes about tokens, or about one kind of token, for hosts that limit the number of files.
   */
  readonly only: Only | undefined;
  readonly hosts: readonly Host[];
  /**
   * True to render all files, to check all copies of images, and to repair files on the disk that differ.
   */
  readonly full?: boolean;
  readonly dump?: boolean;
  /** The folder of a seed to include. */
  readonly seed?: string | undefined;
  /** Curated facts to add to statuses and the token list. */
  readonly overlay?: Overlay | undefined;
  /** True if the build may replace a site that was built from another index. */
  readonly replace?: boolean;
  readonly reporter: Reporter;
  /** Stops the build when it is aborted, unless the build has begun to replace served files. */
  readonly signal?: AbortSignal | undefined;
}
