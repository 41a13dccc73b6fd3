import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Comparison } from './figures.ts';
import { type Measured, measure, stxpress } from './measure.ts';

/** Runs `stxpress build` of one index into a folder. */
export type Build = (out: string) => Promise<Measured>;

export const builderOf =
  (db: string): Build =>
  (out) =>
    stxpress('build', '--db', db, '--out', out);

/** The folder that a round of the full build writes, which a later figure may build into again. */
export const distOf = (folder: string, round: number): string => join(folder, `dist-${round}`);

/**
 * A full build beside `tar -x` of the same tree, which `dist` holds. Each writes a folder of its own, after `sync`;
 * nothing is deleted before the end, since that slows what follows it.
 */
export async function besideTar(
  folder: string,
  dist: string,
  build: Build,
  what: Pick<Comparison, 'what' | 'target'>,
): Promise<Comparison> {
  const tree = join(folder, 'tree.tar');
  await measure('tar', ['-cf', tree, '--exclude=.stxpress', '-C', dist, '.']);
  return {
    ...what,
    run: async (round) => {
      await measure('sync', []);
      return build(distOf(folder, round));
    },
    baseline: '`tar -x` of the same tree',
    runBaseline: async (round) => {
      const to = join(folder, `tar-${round}`);
      mkdirSync(to);
      await measure('sync', []);
      return measure('tar', ['-xf', tree, '-C', to]);
    },
  };
}
