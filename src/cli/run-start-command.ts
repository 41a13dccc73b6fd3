// stxpress start: indexes, builds and serves the bundled sample. Does not change an index or a build of another chain.

import { existsSync } from 'node:fs';
import { recordFileOf } from '#generator/finished-build.ts';
import { openBuildRecord, readOrigin } from '#generator/record/build-record.ts';
import { SAMPLE_CHAIN_ID } from '#model/chain.ts';
import { readInfo } from '#store/index-info.ts';
import { HOW_TO_INDEX_A_REAL_CHAIN } from './check-index-settings.ts';
import { OPTIONS, type SettingsOf } from './options.ts';
import { run as runBuild } from './run-build-command.ts';
import { run as runIndex, SAMPLE_ARCHIVE } from './run-index-command.ts';
import { checkHasBuild, serveUntilStopped, whileListening } from './run-serve-command.ts';
import { readSettings } from './setting.ts';
import { type Context, EXIT_OK } from './surroundings.ts';
import { withIndex } from './use-index.ts';

/** Listens first, so that a port in use is reported before minutes of work. */
export function run(settings: SettingsOf<'start'>, context: Context): Promise<number | undefined> {
  return whileListening(settings, context, async (server) => {
    const prepared = await prepareSample(settings, context);
    if (prepared !== undefined || context.signal.aborted) return prepared;
    return serveUntilStopped(server, settings, context);
  });
}

async function prepareSample({ db, out }: SettingsOf<'start'>, context: Context): Promise<number | undefined> {
  const record = recordFileOf(out);
  const chainIds = [
    existsSync(db) ? await withIndex(db, async (store) => (await readInfo(store)).chainId) : undefined,
    existsSync(record) ? await builtChain(record) : undefined,
  ];
  if (chainIds.some((chainId) => chainId !== undefined && chainId !== SAMPLE_CHAIN_ID)) {
    context.print(`${db} or ${out} was not made from the bundled sample, so neither was changed.`);
    checkHasBuild(out);
    return;
  }
  // The run can be offline, since the images of the sample are in `data:` URIs.
  const sample = { archive: [SAMPLE_ARCHIVE], offline: true, nft: 'images' } as const;
  const indexed = await runIndex({ ...readSettings(OPTIONS.index), ...sample, db }, context);
  if (indexed !== EXIT_OK || context.signal.aborted) return indexed;
  // The build has no public URL, so that its images work at any port.
  await runBuild({ ...readSettings(OPTIONS.build), db, out, replace: true }, context);
  context.print(`This is the bundled sample chain. ${HOW_TO_INDEX_A_REAL_CHAIN}`);
}

async function builtChain(file: string): Promise<number | undefined> {
  await using record = await openBuildRecord(file);
  return (await readOrigin(record))?.chainId;
}
