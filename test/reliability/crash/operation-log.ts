// Reads the log that the preload library writes: every file operation in the watched folder, in the order in which the
// operations took effect.
import { existsSync, readFileSync } from 'node:fs';

type NameOperation = 'create' | 'rename' | 'link' | 'mkdir' | 'rmdir' | 'unlink';
type OperationKind = NameOperation | 'truncate' | 'write' | 'fsync' | 'syncfs';

export interface Operation {
  /** The operation's number, counted from 1 over all processes of the run. */
  readonly number: number;
  readonly kind: OperationKind;
  /** The path, relative to the watched folder. */
  readonly path: string;
  /** The new path of a rename or link. */
  readonly to: string;
  /** The result of the system call; negative if the call failed. */
  readonly result: number;
  /** The offset of a write, or the new length of a truncated file. */
  readonly offset: number;
  /** The bytes of a write; empty if they were not logged. */
  readonly data: Buffer;
}

const HEAD_NUMBERS = 7;
const HEAD_BYTES = HEAD_NUMBERS * 8;

/** Reads the logged operations of a run. `folder` is the watched folder. */
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
    operations.push({ number, kind, path, to, result, offset, data });
  }
  return operations;
}

/** Describes an operation as text, such as `rename dist/.stxpress/staging/a > dist/a`. */
export function describeOperation({ kind, path, to }: Operation): string {
  return `${kind} ${path}${to === '' ? '' : ` > ${to}`}`;
}
