// Explains options and commands that were removed.

const NO_SHARDS =
  'shards no longer exist. Index, build and publish the whole site on one machine; docs/performance.md describes how ' +
  'far one machine scales.';

const REMEDIES: ReadonlyMap<string, string> = new Map([
  ...['shard', 'exports', 'merge'].map((name): [string, string] => [name, NO_SHARDS]),
  ['adopt', 'publish to an empty target, or use --replace for a target that holds other files.'],
  [
    'read-again',
    'every call that may change a value is now recorded. If an earlier version made the index, rebuild it with ' +
      '--rebuild and its sources.',
  ],
]);

/** Returns the replacement for a removed option or command; undefined if no version had it. */
export function explainRemoved(name: string): string | undefined {
  const remedy = REMEDIES.get(name);
  return remedy && `It was removed: ${remedy}`;
}
