// Defines named steps of index runs and builds, and finds the operation of each step in a recorded run.
import type { ScenarioName } from './crash-world.ts';
import { describeOperation, type Operation } from './operation-log.ts';

interface Where {
  /** If set, the step must come after the last operation that matches this pattern. */
  readonly after?: RegExp;
  /** If set, the step must come before the first operation that matches this pattern. */
  readonly before?: RegExp;
}

/** A step: the first, middle or last operation whose description (`describeOperation`) matches the pattern. */
type Step = readonly [name: string, which: 'first' | 'middle' | 'last', pattern: RegExp, where?: Where];

const LOCKED = /^write data\/index\.sqlite\.lock\.holder$/;
const INDEX_PAGE = /^write data\/index\.sqlite$/;
const INDEX_LOG = /^write data\/index\.sqlite-wal$/;
const RECORD_LOG = /^write dist\/\.stxpress\/record\.sqlite-wal$/;
const RECORD_LOG_SYNC = /^fsync dist\/\.stxpress\/record\.sqlite-wal$/;
const SYNC = /^syncfs dist$/;
const STAGED = /^(create|write) dist\/\.stxpress\/staging\//;
const MOVED = /^rename dist\/\.stxpress\/staging\//;
const REMOVAL = /^unlink dist\/(?!\.stxpress)/;

/** The steps in the run of each scenario. */
export const NAMED_STEPS: Readonly<Record<ScenarioName, readonly Step[]>> = {
  index: [
    ['creation of the index', 'first', /^create data\/index\.sqlite$/],
    ['first page of the index', 'first', INDEX_PAGE],
    ['deletion of the first journal', 'first', /^unlink data\/index\.sqlite-journal$/],
    ['second page of the index', 'last', INDEX_PAGE, { before: /^create data\/index\.sqlite-wal$/ }],
    ['creation of the log', 'first', /^create data\/index\.sqlite-wal$/],
    ['commit of the schema', 'last', INDEX_LOG, { before: LOCKED }],
    ['holder of the lock', 'first', LOCKED],
    ['commit of a batch', 'middle', INDEX_LOG, { after: LOCKED }],
    ['commit of the end of the run', 'last', INDEX_LOG],
    ['copy of a page from the log into the index', 'middle', INDEX_PAGE, { after: LOCKED }],
    ['sync of the index', 'last', /^fsync data\/index\.sqlite$/],
    ['deletion of the log', 'last', /^unlink data\/index\.sqlite-wal$/],
  ],
  images: [
    ['copy of an image', 'first', /^write data\/images\/\w+\.png\.\d+\.new$/],
    ['rename of the first copy', 'first', /^rename data\/images\/.* > /],
    ['rename of a thumbnail', 'middle', /^rename data\/images\/.* > .*thumb\.webp$/],
    ['sync of the names', 'first', /^fsync data\/images$/],
    ['commit of a copy', 'first', INDEX_LOG, { after: /^fsync data\/images$/ }],
    ['commit of the last copy', 'last', INDEX_LOG, { before: /^fsync data\/index\.sqlite$/ }],
  ],
  'first build': [
    ['creation of the output folder', 'first', /^mkdir dist$/],
    ['creation of the record', 'first', /^create dist\/\.stxpress\/record\.sqlite$/],
    ['first page of the record', 'first', /^write dist\/\.stxpress\/record\.sqlite$/],
    ["deletion of the record's first journal", 'first', /^unlink .*record\.sqlite-journal$/],
    ['schema of the record', 'first', RECORD_LOG_SYNC],
    ['first staging file', 'first', STAGED],
    ['a staging file', 'middle', /^write dist\/\.stxpress\/staging\//],
    ['last staging file', 'last', STAGED],
    ['commit of the plan', 'last', RECORD_LOG, { before: MOVED }],
    ['first move to the output folder', 'first', MOVED],
    ['last move to the output folder', 'last', MOVED],
    ['end of the record', 'last', RECORD_LOG],
  ],
  'changed build': [
    ['a move to the output folder', 'middle', MOVED],
    ['first page of the finished record', 'first', RECORD_LOG, { after: SYNC }],
  ],
  'smaller build': [
    ['first sync', 'first', SYNC],
    ['first page of the plan', 'first', RECORD_LOG],
    ['sync of the plan', 'last', RECORD_LOG_SYNC, { before: MOVED }],
    ['a move to the output folder', 'middle', MOVED],
    ['removal of the staging folder', 'first', /^rmdir dist\/\.stxpress\/staging$/],
    ['first removal', 'first', REMOVAL],
    ['a removal', 'middle', REMOVAL],
    ['removal of an empty folder', 'last', /^rmdir dist\/(?!\.stxpress)/],
    ['last removal', 'last', REMOVAL],
    ['last sync', 'last', SYNC],
    ['sync of the finished record', 'first', RECORD_LOG_SYNC, { after: SYNC }],
  ],
  'build for a host': [
    ['a file for a host', 'first', /^write dist-hosts\//],
    ['rename of a file for a host', 'first', /^rename dist-hosts\//],
    ['copy of a page from the log into the record', 'last', /^write dist\/\.stxpress\/record\.sqlite$/],
    ['deletion of the log of the record', 'last', /^unlink .*record\.sqlite-wal$/],
    ['commit of the end of the run', 'last', INDEX_LOG],
  ],
};

/** Returns the operation of a step in a recorded run; undefined if the run does not contain the step. */
export function findOperation(operations: readonly Operation[], step: Step): Operation | undefined {
  const texts = operations.map(describeOperation);
  const [, which, pattern, { after, before } = {}] = step;
  const from = after === undefined ? 0 : texts.findLastIndex((text) => after.test(text)) + 1;
  const to = before === undefined ? texts.length : texts.findIndex((text) => before.test(text));
  if ((after !== undefined && from === 0) || to === -1) return undefined;
  const found = operations.filter((_, at) => at >= from && at < to && pattern.test(texts[at] as string));
  return { first: found[0], middle: found[found.length >> 1], last: found.at(-1) }[which];
}
