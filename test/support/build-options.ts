// Returns build options for tests: the build prints nothing, and the site is complete.

import type { BuildOptions } from '#generator/build-options.ts';
import { type BuildSummary, runBuild } from '#generator/run-build.ts';
import { openIndex } from '#store/index-database.ts';
import { silentReporter } from './silent-reporter.ts';

export function buildOptions(out: string, over: Partial<BuildOptions> = {}): BuildOptions {
  return {
    out,
    publicUrl: '',
    name: 'stxpress',
    indexFile: 'index.sqlite',
    imageFolder: 'no-images',
    only: undefined,
    hosts: [],
    full: false,
    dump: false,
    replace: false,
    reporter: silentReporter,
    ...over,
  };
}

/** Builds a site from an index file, which must not be open. */
export async function buildIndex(db: string, out: string, over: Partial<BuildOptions> = {}): Promise<BuildSummary> {
  const store = await openIndex(db);
  try {
    return await runBuild(store, buildOptions(out, over));
  } finally {
    await store.destroy();
  }
}
