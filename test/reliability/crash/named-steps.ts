// The steps of an index run and of a build by name, each found among the operations of a run that nothing disturbed.
import type { ScenarioName } from './crash-world.ts';
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

function stepsOf(scenario: ScenarioName) {
  return (name: string, which: NamedStep['which'], pattern: RegExp, where: Where = {}): NamedStep => ({
    name,
    in: scenario,
    pattern,
    which,
    ...where,
  });
}

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

const ofIndex = stepsOf('index');
const ofImages = stepsOf('images');
const ofFirst = stepsOf('first build');
const ofChanged = stepsOf('changed build');
const ofSmaller = stepsOf('smaller build');
const ofHost = stepsOf('build for a host');

export const NAMED_STEPS: readonly NamedStep[] = [
  ofIndex('the index is made', 'first', /^create data\/index\.sqlite$/),
  ofIndex('its first page', 'first', INDEX_PAGE, { half }),
  ofIndex('its first journal goes', 'first', /^unlink data\/index\.sqlite-journal$/),
  ofIndex('its second page', 'last', INDEX_PAGE, { half, before: /^create data\/index\.sqlite-wal$/ }),
  ofIndex('it gets a log', 'first', /^create data\/index\.sqlite-wal$/),
  ofIndex('commit of the schema', 'last', INDEX_LOG, { half, before: LOCKED }),
  ofIndex('the lock says who holds it', 'first', LOCKED, { half }),
  ofIndex('commit of a batch', 'middle', INDEX_LOG, { half, behind: LOCKED }),
  ofIndex('the end of the run is noted', 'last', INDEX_LOG, { half }),
  ofIndex('a page goes from the log into the index', 'middle', INDEX_PAGE, { half, behind: LOCKED }),
  ofIndex('sync of the index', 'last', /^fsync data\/index\.sqlite$/),
  ofIndex('the log goes', 'last', /^unlink data\/index\.sqlite-wal$/),
  ofImages('half of a copy', 'first', /^write data\/images\/\w+\.png\.\d+\.new$/, { half }),
  ofImages('the first copy gets its name', 'first', /^rename data\/images\/.* > /),
  ofImages('a thumbnail gets its name', 'middle', /^rename data\/images\/.* > .*thumb\.webp$/),
  ofImages('sync of the names', 'first', /^fsync data\/images$/),
  ofImages('commit of a copy', 'first', INDEX_LOG, { half, behind: /^fsync data\/images$/ }),
  ofImages('the last copy is stored', 'last', INDEX_LOG, { before: /^fsync data\/index\.sqlite$/ }),
  ofFirst('the output folder is made', 'first', /^mkdir dist$/),
  ofFirst('the record is made', 'first', /^create dist\/\.stxpress\/record\.sqlite$/),
  ofFirst('first page of the record', 'first', /^write dist\/\.stxpress\/record\.sqlite$/, { half }),
  ofFirst('first journal of the record goes', 'first', /^unlink .*record\.sqlite-journal$/),
  ofFirst('schema of the record', 'first', RECORD_LOG_SYNC),
  ofFirst('first staging file', 'first', STAGED),
  ofFirst('half of a staging file', 'middle', /^write dist\/\.stxpress\/staging\//, { half }),
  ofFirst('last staging file', 'last', STAGED, { half }),
  ofFirst('commit of the plan', 'last', RECORD_LOG, { half, before: IN_PLACE }),
  ofFirst('first rename into place', 'first', IN_PLACE),
  ofFirst('last rename into place', 'last', IN_PLACE),
  ofFirst('the record is finished', 'last', RECORD_LOG, { half }),
  ofChanged('the list of changes is begun', 'first', /^create .*changes\.ndjson\.new$/),
  ofChanged('end of the list of changes', 'last', /^write .*changes\.ndjson\.new$/, { half }),
  ofChanged('a rename into place', 'middle', IN_PLACE),
  ofChanged('first page of the finished record', 'first', RECORD_LOG, { half, behind: SYNC }),
  ofSmaller('first sync', 'first', SYNC),
  ofSmaller('first page of the plan', 'first', RECORD_LOG, { half }),
  ofSmaller('sync of the plan', 'last', RECORD_LOG_SYNC, { before: IN_PLACE }),
  ofSmaller('a rename into place', 'middle', IN_PLACE),
  ofSmaller('the staging folder goes', 'first', /^rmdir dist\/\.stxpress\/staging$/),
  ofSmaller('first removal', 'first', REMOVAL),
  ofSmaller('a removal', 'middle', REMOVAL),
  ofSmaller('an emptied folder goes', 'last', /^rmdir dist\/(?!\.stxpress)/),
  ofSmaller('last removal', 'last', REMOVAL),
  ofSmaller('rename of the list of changes', 'first', /^rename .*changes\.ndjson\.new > /),
  ofSmaller('last sync', 'last', SYNC),
  ofSmaller('sync of the finished record', 'first', RECORD_LOG_SYNC, { behind: SYNC }),
  ofHost('half of a file for a host', 'first', /^write dist-hosts\//, { half }),
  ofHost('rename of a file for a host', 'first', /^rename dist-hosts\//),
  ofHost('a page goes from the log into the record', 'last', /^write dist\/\.stxpress\/record\.sqlite$/, { half }),
  ofHost('the log of the record goes', 'last', /^unlink .*record\.sqlite-wal$/),
  ofHost('the end of the run is noted', 'last', INDEX_LOG, { half }),
];

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
