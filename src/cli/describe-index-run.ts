// Says what an index run did and what it left: for people, and as facts.
import { countWork, type IndexSummary } from '#indexer/run-index.ts';
import type { RunSummary } from '#store/runs.ts';
import type { Settings } from './config.ts';
import { count } from './terminal-reporter.ts';

export function flattenIndexRun(summary: IndexSummary): RunSummary {
  const { archives, left } = summary;
  return {
    ...archives,
    ...countWork(summary),
    listPagesLeft: left['list-tokens'],
    contractsLeft: left['fetch-contract'],
    valuesLeft: left['read-values'],
    tokensLeft: left['evaluate-token'],
    documentsLeft: left['fetch-document'],
    imagesLeft: left['fetch-image'],
  };
}

export function describeIndexRun(
  summary: IndexSummary,
  { db, offline, noFetch, noVm, noImages }: Settings<'db' | 'offline' | 'noFetch' | 'noVm' | 'noImages'>,
): string {
  const { archives, left } = summary;
  const did = countWork(summary);
  const lines: string[] = [];
  const add = (number: number, noun: string, rest: string) => {
    if (number > 0) lines.push(`${count(number, noun)} ${rest}.`);
  };
  const later = noFetch ? ' (--no-fetch)' : ': run again later';
  if (archives.blocks > 0 || archives.deploys > 0)
    lines.push(`Indexed ${count(archives.deploys, 'deploy')} in ${count(archives.blocks, 'new block')}.`);
  add(did.evaluated, 'token', 'evaluated');
  add(archives.repeatedBlocks, 'block', 'of the archive known already');
  add(archives.brokenLines, 'broken line', 'passed over');
  add(archives.failures, 'failure', 'in the chain data, see: npm run status');
  add(did.contracts, 'contract', 'told by the API');
  add(did.values, 'token', 'read at the node');
  add(did.asksFailed, 'attempt', 'to ask the node or the API failed, see: npm run status -- --failures');
  add(did.settledOffline, 'document', 'settled as not to be fetched');
  add(did.fetched, 'document', 'fetched');
  add(did.fetchesFailed, 'attempt', 'to fetch failed, see: npm run status -- --failures');
  add(did.images, 'image', 'copied');
  add(did.imagesFailed, 'image', 'could not be copied, see: npm run status');
  add(left['list-tokens'], 'page', 'of the token list still to be read: run again later');
  add(left['fetch-contract'], 'contract', 'still to be asked for: run again later');
  add(left['read-values'], 'token', 'still to be read at a node: run again later');
  add(left['evaluate-token'], 'token', `still to be evaluated${noVm ? ' (--no-vm)' : ': run again'}`);
  if (!offline) {
    add(left['fetch-document'], 'metadata document', `still to be fetched${later}`);
    add(left['fetch-image'], 'image', `still to be copied${noImages && !noFetch ? ' (--no-images)' : later}`);
  }
  if (summary.interrupted) lines.push('Interrupted: the same command goes on where this one stopped.');
  add(summary.bugs, 'piece', 'of work met a bug of stxpress; the job keeps the details');
  if (lines.length === 0) lines.push('There was nothing to do.');
  return [...lines, `The index is ${db}.`].join('\n');
}
