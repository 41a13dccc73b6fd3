// Names each kind of work: in facts, and in sentences such as `2 images left to copy`.
import type { IndexSummary } from '#indexer/run-index.ts';
import type { JobKind } from '#model/job.ts';
import { archiveName } from '#source/event-archive/open-archive.ts';
import type { UnfinishedArchive } from '#store/chain/archives.ts';
import { formatCount } from '#text/format-count.ts';
import { count } from './amounts.ts';
import { commandWith } from './command-with.ts';

interface Work {
  readonly name: string;
  readonly noun: string;
  readonly verb: string;
  /** `2 images copied` */
  readonly done: string;
  /** `an attempt to copy an image` */
  readonly attempt: string;
}

const work = (name: string, noun: string, verb: string, done: string, attempt: string): Work => {
  return { name, noun, verb, done, attempt };
};

/** In the order in which the work is done. */
const WORK: Readonly<Record<JobKind, Work>> = {
  'list-tokens': work('listPages', 'token list page', 'read', 'read', 'read the token list'),
  'fetch-contract': work('contracts', 'contract', 'look up', 'read from the API', 'look up a contract'),
  'list-numbers': work('collections', 'collection', 'list', 'listed', 'list the tokens of a collection'),
  'list-mints': work('mintLists', 'mint list', 'read', 'read', 'read a mint list'),
  'read-values': work('values', 'token', 'read from a node', 'read from the node', 'read a token from the node'),
  'evaluate-token': work('tokens', 'token', 'evaluate', 'evaluated', 'evaluate a token'),
  'fetch-document': work('documents', 'metadata document', 'fetch', 'fetched', 'fetch a metadata document'),
  'fetch-image': work('images', 'image', 'copy', 'copied', 'copy an image'),
};
const ENTRIES = Object.entries(WORK) as [JobKind, Work][];

type Jobs = Readonly<Record<JobKind, number>>;

/** `{ images: 2 }`, or `{ imagesLeft: 2 }` with the suffix `Left`. */
export function nameJobs(jobs: Jobs, suffix = ''): Record<string, number> {
  return Object.fromEntries(ENTRIES.map(([kind, { name }]) => [name + suffix, jobs[kind]]));
}

/** The kinds of which there is any, each with `2 images` and `copy`. */
export function describeJobs(jobs: Jobs): { kind: JobKind; amount: string; verb: string }[] {
  return ENTRIES.filter(([kind]) => jobs[kind] > 0).map(([kind, { noun, verb }]) => {
    return { kind, amount: count(jobs[kind], noun), verb };
  });
}

/** A sentence for each way in which the jobs of a kind ended. */
export function describeWork(work: IndexSummary['work'], seeFailures: string): string[] {
  return ENTRIES.flatMap(([kind, { noun, done, attempt }]) => {
    const ended = work[kind] ?? { done: 0, failed: 0, offline: 0 };
    return [
      ...(ended.done > 0 ? [`${count(ended.done, noun)} ${done}.`] : []),
      ...(ended.offline > 0 ? [`${count(ended.offline, noun)} will not be ${done} (--offline).`] : []),
      ...(ended.failed > 0 ? [`${count(ended.failed, 'attempt')} to ${attempt} failed, ${seeFailures}`] : []),
    ];
  });
}

/** Why an archive was not read to its end, and how to continue: two sentences. */
export function describeUnfinished({ name, nextLine, nextOffset, failure }: UnfinishedArchive, db: string) {
  const command = commandWith('index', { db }, '--archive', name === archiveName('-') ? '-' : name);
  return failure === undefined
    ? [
        `${name} was read up to line ${formatCount(nextLine - 1)} (byte ${formatCount(nextOffset)}), not to its end.`,
        `Continue with: ${command}`,
      ]
    : [failure.message, `Mend it and continue with: ${command}`];
}
