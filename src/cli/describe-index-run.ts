// Says what an index run did and what it left: for people, and as facts.
import { countWork, type IndexSummary } from '#indexer/run-index.ts';
import type { JobKind } from '#model/job.ts';
import type { RunSummary } from '#store/runs.ts';
import { count } from './amounts.ts';
import type { INDEX_OPTIONS } from './options.ts';
import { describeJobs, nameJobs } from './pending-work.ts';
import type { Settings } from './setting.ts';

export function flattenIndexRun(summary: IndexSummary): RunSummary {
  return { ...summary.archives, ...countWork(summary), ...nameJobs(summary.left, 'Left') };
}

export function describeIndexRun(summary: IndexSummary, settings: Settings<typeof INDEX_OPTIONS>): string {
  const { archives } = summary;
  const did = countWork(summary);
  const lines: string[] = [];
  const add = (number: number, noun: string, rest: string) => {
    if (number > 0) lines.push(`${count(number, noun)} ${rest}.`);
  };
  if (archives.blocks > 0 || archives.deploys > 0)
    lines.push(`Indexed ${count(archives.deploys, 'deploy')} in ${count(archives.blocks, 'new block')}.`);
  add(did.evaluated, 'token', 'evaluated');
  add(archives.repeatedBlocks, 'block', 'of the archive already known');
  add(archives.brokenLines, 'broken line', 'skipped');
  add(archives.failures, 'failure', 'in the chain data, see: npm run status');
  add(did.contracts, 'contract', 'read from the API');
  add(did.values, 'token', 'read from the node');
  add(did.asksFailed, 'attempt', 'to read from the node or the API failed, see: npm run status -- --failures');
  add(did.settledOffline, 'document', 'will not be fetched (--offline)');
  add(did.fetched, 'document', 'fetched');
  add(did.fetchesFailed, 'attempt', 'to fetch a document failed, see: npm run status -- --failures');
  add(did.images, 'image', 'copied');
  add(did.imagesFailed, 'image', 'could not be copied, see: npm run status');
  for (const { kind, amount, verb } of describeJobs(summary.left)) {
    const why = whyLeft(kind, settings);
    if (why !== undefined) lines.push(`${amount} left to ${verb}${why}.`);
  }
  if (summary.interrupted) lines.push('Interrupted: the same command continues where this one stopped.');
  add(summary.bugs, 'job', 'failed because of a bug in stxpress; the index keeps the details');
  if (lines.length === 0) lines.push('There was nothing to do.');
  return [...lines, `The index is ${settings.db}.`].join('\n');
}

/** Undefined for what is not mentioned, since the run was not meant to do it. */
function whyLeft(kind: JobKind, { offline, fetch, vm, images }: Settings<typeof INDEX_OPTIONS>): string | undefined {
  const later = ': run again later';
  if (kind === 'evaluate-token') return vm ? ': run again' : ' (--no-vm)';
  if (kind !== 'fetch-document' && kind !== 'fetch-image') return later;
  if (offline) return undefined;
  if (!fetch) return ' (--no-fetch)';
  return kind === 'fetch-image' && !images ? ' (--no-images)' : later;
}
