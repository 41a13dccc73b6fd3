// What each kind of pending work is called: in facts, and in sentences such as `2 images left to copy`.
import type { JobKind } from '#model/job.ts';
import { count } from './amounts.ts';

interface PendingWork {
  readonly name: string;
  readonly noun: string;
  readonly verb: string;
}

/** In the order in which the work is done. */
const PENDING_WORK: Readonly<Record<JobKind, PendingWork>> = {
  'list-tokens': { name: 'listPages', noun: 'token list page', verb: 'read' },
  'fetch-contract': { name: 'contracts', noun: 'contract', verb: 'look up' },
  'read-values': { name: 'values', noun: 'token', verb: 'read from a node' },
  'evaluate-token': { name: 'tokens', noun: 'token', verb: 'evaluate' },
  'fetch-document': { name: 'documents', noun: 'metadata document', verb: 'fetch' },
  'fetch-image': { name: 'images', noun: 'image', verb: 'copy' },
};
const ENTRIES = Object.entries(PENDING_WORK) as [JobKind, PendingWork][];

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
