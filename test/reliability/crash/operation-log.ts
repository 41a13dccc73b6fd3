// Reads the log that the preload library writes: every operation on files below the watched folder, in the order of
// their effects.
import { existsSync, readFileSync } from 'node:fs';

type OfNames = 'create' | 'rename' | 'link' | 'mkdir' | 'rmdir' | 'unlink';
type OperationKind = OfNames | 'truncate' | 'write' | 'fsync' | 'syncfs';

export interface Operation {
  /** Over all processes of the run, from 1. */
  readonly number: number;
  readonly kind: OperationKind;
  /** Relative to the watched folder. */
  readonly path: string;
  /** Where a rename or link leads to. */
  readonly to: string;
  /** What the call answered; below 0 if it failed. */
  readonly result: number;
  /** Of a write; the new length at a truncation. */
  readonly offset: number;
  /** The bytes of a write, if they were logged. */
  readonly data: Buffer;
  /** Whether the processes were killed in its place. */
  readonly killed: boolean;
}

const HEAD_NUMBERS = 7;
const HEAD_BYTES = HEAD_NUMBERS * 8;
const KILLED = -1_000_000;

/** The operations of a run whose watched folder is `folder`. */
export function readOperations(log: string, folder: string): Operation[] {
  const bytes = existsSync(log) ? readFileSync(log) : Buffer.alloc(0);
  const operations: Operation[] = [];
  const within = (path: string) => (path === folder ? '' : path.slice(folder.length + 1));
  let at = 0;
  const take = (length: number) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const head = Array.from({ length: HEAD_NUMBERS }, (_, index) => Number(bytes.readBigInt64LE(at + index * 8)));
    const [number = 0, result = 0, offset = 0, kindLength = 0, pathLength = 0, toLength = 0, dataLength = 0] = head;
    at += HEAD_BYTES;
    const kind = take(kindLength).toString() as OperationKind;
    const path = within(take(pathLength).toString());
    const to = toLength === 0 ? '' : within(take(toLength).toString());
    const data = take(dataLength);
    operations.push({ number, kind, path, to, result, offset, data, killed: result === KILLED });
  }
  return operations;
}

/** Such as `rename dist/.stxpress/staging/a > dist/a`. */
export function describeOperation({ kind, path, to }: Operation): string {
  return `${kind} ${path}${to === '' ? '' : ` > ${to}`}`;
}
