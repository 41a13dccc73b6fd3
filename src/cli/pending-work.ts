// Names the kinds of work, for JSON facts and for sentences such as `2 images left to copy`.
import type { IndexSummary } from '#indexer/run-index.ts';
import type { JobKind } from '#model/job.ts';
import { archiveName } from '#source/event-archive/open-archive.ts';
import type { UnfinishedArchive } from '#store/chain/archives.ts';
import { count, formatCount } from '#text/format-count.ts';
import { commandWith } from './command-with.ts';

/** The words of a kind of work: `done` as in `2 images copied`, `attempt` as in `1 attempt to copy an image failed`. */
type Work = readonly [name: string, noun: string, verb: string, done: string, attempt: string];

/** The words of each kind, in the order in which an index run does the work. */
const WORK: Readonly<Record<JobKind, Work>> = {
  'list-tokens': ['listPages', 'token list page', 'read', 'read', 'read the token list'],
  'fetch-contract': ['contracts', 'contract', 'look up', 'read from the API', 'look up a contract'],
  'compute-interface': ['computedInterfaces', 'interface', 'compute', 'computed', 'compute an interface'],
  'list-numbers': ['collections', 'collection', 'list', 'listed', 'list the tokens of a collection'],
  'read-values': ['values', 'token', 'read from a node', 'read from the node', 'read a token from the node'],
  'evaluate-token': ['tokens', 'token', 'evaluate', 'evaluated', 'evaluate a token'],
  'fetch-document': ['documents', 'metadata document', 'fetch', 'fetched', 'fetch a metadata document'],
  'fetch-image': ['images', 'image', 'copy', 'copied', 'copy an image'],
};
const ENTRIES = Object.entries(WORK) as [JobKind, Work][];

type Jobs = Readonly<Record<JobKind, number>>;

/**
 * Returns the number of jobs of each kind by its name: `{ images: 2 }`, or `{ imagesLeft: 2 }` with the suffix `Left`.
 */
export function nameJobs(jobs: Jobs, suffix = ''): Record<string, number> {
  return Object.fromEntries(ENTRIES.map(([kind, [name]]) => [name + suffix, jobs[kind]]));
}

/** Returns each kind that has jobs, with an amount such as `2 images` and a verb such as `copy`. */
export function describeJobs(jobs: Jobs): { kind: JobKind; amount: string; verb: string }[] {
  return ENTRIES.filter(([kind]) => jobs[kind] > 0).map(([kind, [, noun, verb]]) => {
    return { kind, amount: count(jobs[kind], noun), verb };
  });
}

/** Returns a sentence for each kind of jobs and each result: done, not done because of `--offline`, failed. */
export function describeWork(work: IndexSummary['work'], seeFailures: string): string[] {
  return ENTRIES.flatMap(([kind, [, noun, , done, attempt]]) => {
    const ended = work[kind] ?? { done: 0, failed: 0, offline: 0 };
    return [
      ...(ended.done > 0 ? [`${count(ended.done, noun)} ${done}.`] : []),
      ...(ended.offline > 0 ? [`${count(ended.offline, noun)} will not be ${done} (--offline).`] : []),
      ...(ended.failed > 0 ? [`${count(ended.failed, 'attempt')} to ${attempt} failed, ${seeFailures}`] : []),
    ];
  });
}

/** Returns two sentences: the reason why an archive was not read to its end, and the command to continue. */
export function describeUnfinished({ name, nextLine, nextOffset, failure }: UnfinishedArchive, db: string) {
  const command = commandWith('index', { db }, '--archive', name === archiveName('-') ? '-' : name);
  if (failure !== undefined) return [failure.message, `Repair the archive, then continue with: ${command}`];
  const upTo = `read up to line ${formatCount(nextLine - 1)} (byte ${formatCount(nextOffset)}), not to its end`;
  return [`${name} was ${nextOffset === 0 ? 'not read yet' : upTo}.`, `Continue with: ${command}`];
}
