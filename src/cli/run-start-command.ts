// stxpress start: indexes the bundled sample, builds and serves it; an index or a build of anything else is left alone.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BOOKKEEPING_FOLDER } from '#model/answer-headers.ts';
import { SAMPLE_CHAIN_ID } from '#model/chain.ts';
import { stop } from '#model/failure.ts';
import { openBuildRecord, readOrigin } from '#store/build-record/build-record.ts';
import { openIndex, readInfo } from '#store/index-database.ts';
import type { Settings } from './config.ts';
import type { Context } from './context.ts';
import { EXIT_OK } from './exit-status.ts';
import { runBuildCommand } from './run-build-command.ts';
import { HOW_TO_INDEX_A_REAL_CHAIN, indexSample } from './run-index-command.ts';
import { hasBuild, runServeCommand } from './run-serve-command.ts';

export async function runStartCommand(
  settings: Settings<'db' | 'out' | 'port' | 'host'>,
  context: Context,
): Promise<number> {
  const { db, out, port, host } = settings;
  const serve = () => runServeCommand({ dir: out, port, host }, context);
  if (
    (await holdsSomethingElse(db, indexedChain)) ||
    (await holdsSomethingElse(join(out, BOOKKEEPING_FOLDER, 'record.sqlite'), builtChain))
  ) {
    context.print(
      `${db} or ${out} was made from another source than the bundled sample, so both are left as they are.`,
    );
    if (!hasBuild(out)) throw stop('dist-missing', `There is no build in ${out}. Make one with: npm run build`);
    return serve();
  }
  const indexed = await indexSample(db, context);
  if (indexed !== EXIT_OK || context.signal.aborted) return indexed;
  const built = await runBuildCommand(
    { db, out, publicUrl: undefined, buildHost: [], only: undefined, full: false, verify: false },
    context,
  );
  if (built !== EXIT_OK || context.signal.aborted) return built;
  context.print(`This is the bundled sample chain. ${HOW_TO_INDEX_A_REAL_CHAIN}`);
  return serve();
}

async function holdsSomethingElse(
  file: string,
  chainOf: (file: string) => Promise<number | undefined>,
): Promise<boolean> {
  if (!existsSync(file)) return false;
  const chainId = await chainOf(file);
  return chainId !== undefined && chainId !== SAMPLE_CHAIN_ID;
}

async function indexedChain(file: string): Promise<number | undefined> {
  const store = await openIndex(file);
  try {
    return (await readInfo(store)).chainId;
  } finally {
    await store.destroy();
  }
}

async function builtChain(file: string): Promise<number | undefined> {
  const record = await openBuildRecord(file);
  try {
    return (await readOrigin(record))?.chainId;
  } finally {
    await record.destroy();
  }
}
