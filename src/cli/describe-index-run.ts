// Describes the work of an index run and the work that remains, as text and as facts for JSON.

import { countWork, type IndexSummary } from '#indexer/run-index.ts';
import type { RunSummary } from '#store/work/runs.ts';
import { count } from '#text/format-count.ts';
import { commandWith } from './command-with.ts';
import type { SettingsOf } from './options.ts';
import { describeWork, nameJobs } from './pending-work.ts';

export function flattenIndexRun(summary: IndexSummary): RunSummary {
  const { archives, changes, left } = summary;
  const changed = { changedContracts: changes.contract ?? 0, changedTokens: changes.token ?? 0 };
  return { ...archives, ...countWork(summary), ...changed, ...nameJobs(left, 'Left') };
}

export function describeIndexRun(summary: IndexSummary, settings: SettingsOf<'index'>): string {
  const { archives, changes } = summary;
  const lines: string[] = [];
  const add = (number: number, noun: string, rest: string) => {
    if (number > 0) lines.push(`${count(number, noun)} ${rest}.`);
  };
  if (archives.blocks > 0 || archives.deploys > 0)
    lines.push(`Indexed ${count(archives.deploys, 'deploy')} in ${count(archives.blocks, 'new block')}.`);
  add(archives.repeatedBlocks, 'block', 'of the archives already indexed');
  add(archives.refusedBlocks, 'block', 'of forks rejected');
  add(archives.skippedEvents, 'event', 'of other kinds skipped');
  add(archives.brokenLines, 'broken line', 'skipped');
  if (archives.failures > 0)
    lines.push(`${count(archives.failures, 'failure')} in the chain data, see: ${commandWith('status', settings)}`);
  const reused = Object.entries(summary.reused).filter(([, number]) => number > 0);
  if (reused.length > 0) {
    const amounts = reused.map(([what, number]) => count(number, what.replace(/s$/, '')));
    lines.push(`${amounts.join(', ')} reused from the old index instead of fetched again.`);
  }
  lines.push(...describeWork(summary));
  if (Object.values(summary.work).some(({ failed }) => failed > 0))
    lines.push(`See the failures with: ${commandWith('status', settings, '--failures')}`);
  const changed = [
    ...(changes.contract === undefined ? [] : [count(changes.contract, 'contract')]),
    ...(changes.token === undefined ? [] : [count(changes.token, 'token')]),
  ];
  if (changed.length > 0) lines.push(`New responses for ${changed.join(' and ')}.`);
  else if (lines.length > 0 && Object.keys(changes).length === 0) lines.push('No response changed.');
  if (summary.seedFailure !== undefined) lines.push('The seed was not read to its end.');
  if (summary.interrupted) lines.push('Interrupted: the same command continues where this one stopped.');
  add(summary.bugs, 'job', 'failed because of a bug in stxpress; its details are in the index');
  if (lines.length === 0) lines.push('There was nothing to do.');
  return [...lines, `The index is ${settings.db}.`].join('\n');
}
