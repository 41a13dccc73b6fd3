// The steps of an index run and of a build by name, each found among the operations of a run that nothing disturbed.
import { SCENARIOS, type ScenarioName } from './crash-world.ts';
import { describeOperation, type Operation } from './operation-log.ts';
import type { KillPoint } from './watched-run.ts';

export interface NamedStep {
  readonly name: string;
  /** Where the step is looked for in the short form; in the long one, everywhere. */
  readonly in: ScenarioName;
  /** Of the operation as `describeOperation` says it. */
  readonly pattern: RegExp;
  readonly which: 'first' | 'middle' | 'last';
  /** Looked for only behind the last operation that matches. */
  readonly behind?: RegExp;
  /** Looked for only before the first operation that matches. */
  readonly before?: RegExp;
  readonly half?: boolean;
}

type Where = Pick<NamedStep, 'behind' | 'before' | 'half'>;
type Step = readonly [name: string, which: NamedStep['which'], pattern: RegExp, where?: Where];

const half = true;
const LOCKED = /^write data\/index\.sqlite\.lock\.holder$/;
const INDEX_PAGE = /^write data\/index\.sqlite$/;
const INDEX_LOG = /^write data\/index\.sqlite-wal$/;
const RECORD_LOG = /^write dist\/\.stxpress\/record\.sqlite-wal$/;
const RECORD_LOG_SYNC = /^fsync dist\/\.stxpress\/record\.sqlite-wal$/;
const SYNC = /^syncfs dist$/;
const STAGED = /^(create|write) dist\/\.stxpress\/staging\//;
const IN_PLACE = /^rename dist\/\.stxpress\/staging\//;
const REMOVAL = /^unlink dist\/(?!\.stxpress)/;

const STEPS: Readonly<Record<ScenarioName, readonly Step[]>> = {
  index: [
    ['the index is made', 'first', /^create data\/index\.sqlite$/],
    ['its first page', 'first', INDEX_PAGE, { half }],
    ['its first journal goes', 'first', /^unlink data\/index\.sqlite-journal$/],
    ['its second page', 'last', INDEX_PAGE, { half, before: /^create data\/index\.sqlite-wal$/ }],
    ['it gets a log', 'first', /^create data\/index\.sqlite-wal$/],
    ['commit of the schema', 'last', INDEX_LOG, { half, before: LOCKED }],
    ['the lock says who holds it', 'first', LOCKED, { half }],
    ['commit of a batch', 'middle', INDEX_LOG, { half, behind: LOCKED }],
    ['the end of the run is noted', 'last', INDEX_LOG, { half }],
    ['a page goes from the log into the index', 'middle', INDEX_PAGE, { half, behind: LOCKED }],
    ['sync of the index', 'last', /^fsync data\/index\.sqlite$/],
    ['the log goes', 'last', /^unlink data\/index\.sqlite-wal$/],
  ],
  images: [
    ['half of a copy', 'first', /^write data\/images\/\w+\.png\.\d+\.new$/, { half }],
    ['the first copy gets its name', 'first', /^rename data\/images\/.* > /],
    ['a thumbnail gets its name', 'middle', /^rename data\/images\/.* > .*thumb\.webp$/],
    ['sync of the names', 'first', /^fsync data\/images$/],
    ['commit of a copy', 'first', INDEX_LOG, { half, behind: /^fsync data\/images$/ }],
    ['the last copy is stored', 'last', INDEX_LOG, { before: /^fsync data\/index\.sqlite$/ }],
  ],
  'first build': [
    ['the output folder is made', 'first', /^mkdir dist$/],
    ['the record is made', 'first', /^create dist\/\.stxpress\/record\.sqlite$/],
    ['first page of the record', 'first', /^write dist\/\.stxpress\/record\.sqlite$/, { half }],
    ['first journal of the record goes', 'first', /^unlink .*record\.sqlite-journal$/],
    ['schema of the record', 'first', RECORD_LOG_SYNC],
    ['first staging file', 'first', STAGED],
    ['half of a staging file', 'middle', /^write dist\/\.stxpress\/staging\//, { half }],
    ['last staging file', 'last', STAGED, { half }],
    ['commit of the plan', 'last', RECORD_LOG, { half, before: IN_PLACE }],
    ['first rename into place', 'first', IN_PLACE],
    ['last rename into place', 'last', IN_PLACE],
    ['the record is finished', 'last', RECORD_LOG, { half }],
  ],
  'changed build': [
    ['the list of changes is begun', 'first', /^create .*changes\.ndjson\.new$/],
    ['end of the list of changes', 'last', /^write .*changes\.ndjson\.new$/, { half }],
    ['a rename into place', 'middle', IN_PLACE],
    ['first page of the finished record', 'first', RECORD_LOG, { half, behind: SYNC }],
  ],
  'smaller build': [
    ['first sync', 'first', SYNC],
    ['first page of the plan', 'first', RECORD_LOG, { half }],
    ['sync of the plan', 'last', RECORD_LOG_SYNC, { before: IN_PLACE }],
    ['a rename into place', 'middle', IN_PLACE],
    ['the staging folder goes', 'first', /^rmdir dist\/\.stxpress\/staging$/],
    ['first removal', 'first', REMOVAL],
    ['a removal', 'middle', REMOVAL],
    ['an emptied folder goes', 'last', /^rmdir dist\/(?!\.stxpress)/],
    ['last removal', 'last', REMOVAL],
    ['rename of the list of changes', 'first', /^rename .*changes\.ndjson\.new > /],
    ['last sync', 'last', SYNC],
    ['sync of the finished record', 'first', RECORD_LOG_SYNC, { behind: SYNC }],
  ],
  'build for a host': [
    ['half of a file for a host', 'first', /^write dist-hosts\//, { half }],
    ['rename of a file for a host', 'first', /^rename dist-hosts\//],
    ['a page goes from the log into the record', 'last', /^write dist\/\.stxpress\/record\.sqlite$/, { half }],
    ['the log of the record goes', 'last', /^unlink .*record\.sqlite-wal$/],
    ['the end of the run is noted', 'last', INDEX_LOG, { half }],
  ],
};

export const NAMED_STEPS: readonly NamedStep[] = SCENARIOS.flatMap((scenario) =>
  STEPS[scenario].map(([name, which, pattern, where]) => ({ name, in: scenario, which, pattern, ...where })),
);

/** The operation that a step is; undefined if the run has no such step. */
export function findOperation(operations: readonly Operation[], step: NamedStep): Operation | undefined {
  const texts = operations.map(describeOperation);
  const { behind, before, pattern } = step;
  const from = behind === undefined ? 0 : texts.findLastIndex((text) => behind.test(text)) + 1;
  const to = before === undefined ? texts.length : texts.findIndex((text) => before.test(text));
  if ((behind !== undefined && from === 0) || to === -1) return undefined;
  const found = operations.filter((_, at) => at >= from && at < to && pattern.test(texts[at] as string));
  return { first: found[0], middle: found[found.length >> 1], last: found.at(-1) }[step.which];
}

/** Told by its kind and path: its number may differ from run to run where threads are at work. */
export function findStep(operations: readonly Operation[], step: NamedStep): KillPoint | undefined {
  const operation = findOperation(operations, step);
  if (operation === undefined) return undefined;
  const { number, kind, path } = operation;
  const alike = operations.filter((other) => other.number <= number && other.kind === kind && other.path === path);
  return { at: alike.length, kind, path, half: step.half === true };
}
