// Explains the names of options and commands that only earlier versions had.

const NO_SHARDS =
  'there are no shards any more. Index, build and publish the whole site on one machine; docs/performance.md says how ' +
  'far one goes.';

const REMEDIES: ReadonlyMap<string, string> = new Map([
  ...['shard', 'exports', 'merge'].map((name): [string, string] => [name, NO_SHARDS]),
  ['adopt', 'publish to an empty target, or publish beside the files of others with --replace.'],
  [
    'read-again',
    'every call that may change a value is recorded. If an index was made by an earlier version, make it again with ' +
      '--rebuild and its sources.',
  ],
]);

/** Returns what to do instead of naming an option or a command; undefined if no version had it. */
export function explainRemoved(name: string): string | undefined {
  const remedy = REMEDIES.get(name);
  return remedy && `It was removed: ${remedy}`;
}
