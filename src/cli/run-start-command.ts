// stxpress start: indexes, builds and serves the bundled sample; an index or a build of another chain is left alone.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SAMPLE_CHAIN_ID } from '#model/chain.ts';
import { openBuildRecord, readOrigin } from '#press/record/build-record.ts';
import { BOOKKEEPING_FOLDER } from '#serving/layout.ts';
import { readInfo } from '#store/index-info.ts';
import type { Context } from './context.ts';
import { EXIT_OK } from './exit-status.ts';
import { BUILD_OPTIONS, INDEX_OPTIONS, type START_OPTIONS } from './options.ts';
import { runBuildCommand } from './run-build-command.ts';
import { HOW_TO_INDEX_A_REAL_CHAIN, runIndexCommand, SAMPLE_ARCHIVE } from './run-index-command.ts';
import { checkHasBuild, serveUntilStopped, whileListening } from './run-serve-command.ts';
import { readSettings, type Settings } from './setting.ts';
import { withIndex } from './with-index.ts';

/** The port is taken first: a port that is in use is told before minutes of work, not after them. */
export function runStartCommand(settings: Settings<typeof START_OPTIONS>, context: Context): Promise<number> {
  return whileListening(settings, context, async (server) => {
    const prepared = await prepareSample(settings, context);
    if (prepared !== EXIT_OK || context.signal.aborted) return prepared;
    return serveUntilStopped(server, settings, context);
  });
}

/** Indexes and builds the sample, unless the index or the build is of another chain. */
async function prepareSample({ db, out }: Settings<typeof START_OPTIONS>, context: Context): Promise<number> {
  const record = join(out, BOOKKEEPING_FOLDER, 'record.sqlite');
  const chainIds = [
    existsSync(db) ? await withIndex(db, async (store) => (await readInfo(store)).chainId) : undefined,
    existsSync(record) ? await builtChain(record) : undefined,
  ];
  if (chainIds.some((chainId) => chainId !== undefined && chainId !== SAMPLE_CHAIN_ID)) {
    context.print(`${db} or ${out} was not made from the bundled sample, so both are left as they are.`);
    checkHasBuild(out);
    return EXIT_OK;
  }
  // Its images are in `data:` URIs.
  const sample = { archive: [SAMPLE_ARCHIVE], offline: true, nft: 'images' } as const;
  const indexed = await runIndexCommand({ ...readSettings(INDEX_OPTIONS), ...sample, db }, context);
  if (indexed !== EXIT_OK || context.signal.aborted) return indexed;
  // Without a public URL, so that its images are found at whatever port it is served.
  const built = await runBuildCommand({ ...readSettings(BUILD_OPTIONS), db, out, replace: true }, context);
  if (built !== EXIT_OK || context.signal.aborted) return built;
  context.print(`This is the bundled sample chain. ${HOW_TO_INDEX_A_REAL_CHAIN}`);
  return EXIT_OK;
}

async function builtChain(file: string): Promise<number | undefined> {
  const record = await openBuildRecord(file);
  try {
    return (await readOrigin(record))?.chainId;
  } finally {
    await record.destroy();
  }
}
