// Names the kinds of work, for JSON facts and for texts such as `images: 2 left`.
import { type IndexSummary, SOURCE_KINDS } from '#indexer/run-index.ts';
import type { JobKind } from '#model/job.ts';
import { archiveName } from '#source/event-archive/open-archive.ts';
import type { UnfinishedArchive } from '#store/chain/archives.ts';
import { count, formatCount } from '#text/format-count.ts';
import { commandWith } from './command-with.ts';

/** The name of each kind of jobs in JSON and in texts, in the order in which an index run does the work. */
const NAMES: Readonly<Record<JobKind, readonly [member: string, label: string]>> = {
  'list-tokens': ['listPages', 'pages of the token list'],
  'fetch-contract': ['contracts', 'contracts from the API'],
  'compute-interface': ['computedInterfaces', 'computed interfaces'],
  'list-numbers': ['collections', 'token lists of collections'],
  'read-values': ['values', 'tokens from the node'],
  'evaluate-token': ['tokens', 'token evaluations'],
  'fetch-document': ['documents', 'metadata documents'],
  'fetch-image': ['images', 'images'],
};
/** The option that excludes a kind from an index run. */
const LEFT_BY: Readonly<Partial<Record<JobKind, string>>> = {
  'compute-interface': '--no-vm',
  'evaluate-token': '--no-vm',
  'fetch-image': '--no-images',
};
const KINDS = Object.keys(NAMES) as JobKind[];

type Jobs = Readonly<Record<JobKind, number>>;

/**
 * Returns the number of jobs of each kind by its name: `{ images: 2 }`, or `{ imagesLeft: 2 }` with the suffix `Left`.
 */
export function nameJobs(jobs: Jobs, suffix = ''): Record<string, number> {
  return Object.fromEntries(KINDS.map((kind) => [NAMES[kind][0] + suffix, jobs[kind]]));
}

/** Returns a text such as `images: 2` for each kind that has jobs. */
export function describeJobs(jobs: Jobs): string[] {
  return KINDS.filter((kind) => jobs[kind] > 0).map((kind) => `${NAMES[kind][1]}: ${formatCount(jobs[kind])}`);
}

/** Returns a line such as `images: 12 done, 3 attempts failed, 5 left (--no-images)` for each kind with work. */
export function describeWork({ work, left, interrupted, sourceFailure }: IndexSummary): string[] {
  return KINDS.flatMap((kind) => {
    const { done, failed, offline } = work[kind] ?? { done: 0, failed: 0, offline: 0 };
    const isRefused = sourceFailure !== undefined && SOURCE_KINDS.includes(kind);
    const later = isRefused ? 'run again when the node or API can be used' : 'run again later';
    const why = interrupted || kind in work ? later : (LEFT_BY[kind] ?? 'no node or API in this run');
    const parts = [
      ...(done > 0 ? [`${formatCount(done)} done`] : []),
      ...(failed > 0 ? [`${count(failed, 'attempt')} failed`] : []),
      ...(offline > 0 ? [`${formatCount(offline)} left (offline)`] : []),
      ...(left[kind] > 0 ? [`${formatCount(left[kind])} left (${why})`] : []),
    ];
    return parts.length === 0 ? [] : [`${NAMES[kind][1]}: ${parts.join(', ')}`];
  });
}

/** Returns two sentences: the reason why an archive was not read to its end, and the command to continue. */
export function describeUnfinished({ name, nextLine, nextOffset, failure }: UnfinishedArchive, db: string) {
  const command = commandWith('index', { db }, '--archive', name === archiveName('-') ? '-' : name);
  if (failure !== undefined) return [failure.message, `Repair the archive, then continue with: ${command}`];
  const upTo = `read up to line ${formatCount(nextLine - 1)} (byte ${formatCount(nextOffset)}), not to its end`;
  return [`${name} was ${nextOffset === 0 ? 'not read yet' : upTo}.`, `Continue with: ${command}`];
}
