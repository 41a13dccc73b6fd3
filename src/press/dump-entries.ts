// The tables of a dump as an entry of a build: written whole beside what is staged, and moved where they changed.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeDump } from '#dump/write-dump.ts';
import type { StoreReader } from '#store/index-database.ts';
import type { BuildOptions } from './build-options.ts';
import type { Output } from './open-output.ts';
import type { RenderedEntry } from './stage-entries.ts';

export async function* dumpEntries(
  store: StoreReader,
  { staging }: Pick<Output, 'staging'>,
  route: string,
  options: BuildOptions,
): AsyncGenerator<RenderedEntry> {
  // What a kill leaves of it goes with what else was staged.
  const writing = join(staging, '.dump');
  try {
    yield { route, key: '', files: await writeDump(store, writing, options) };
  } finally {
    rmSync(writing, { recursive: true, force: true });
  }
}
