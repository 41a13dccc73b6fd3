// The options of a build in a test: quiet, and all of it.

import { silentReporter } from '#model/reporter.ts';
import type { BuildOptions } from '#press/build-options.ts';

export function buildOptions(out: string, over: Partial<BuildOptions> = {}): BuildOptions {
  return {
    out,
    publicUrl: '',
    indexFile: 'index.sqlite',
    imageFolder: 'no-images',
    only: undefined,
    hosts: [],
    full: false,
    dump: false,
    verify: false,
    replace: false,
    exports: 'no-exports',
    reporter: silentReporter,
    ...over,
  };
}
