// Writes the folder that remains after a power cut: all data that a sync wrote to the disk, and a random part of the
// other data.
import type { Random } from '../../support/random.ts';
import { type ByteChange, changesOf, type DiskChange } from './disk-changes.ts';
import { type FileNode, type FolderNode, readDisk, writeDisk } from './disk-nodes.ts';
import type { Operation } from './operation-log.ts';

const PAGE_BYTES = 4096;
/**
 * The names of SQLite's shared-memory files. They are written without system calls, and have no meaning after a
 * restart.
 */
const SHARED_MEMORY = /-shm$/;

interface PowerCut {
  /** The folder before the run. */
  readonly before: string;
  readonly operations: readonly Operation[];
  /** The number of operations before the power cut. */
  readonly at: number;
  /** Decides which data is lost. If undefined, no data is lost. */
  readonly random: Random | undefined;
}

/** Empties `folder`, and writes the files that remain after the power cut. */
export function cutPower({ before, operations, at, random }: PowerCut, folder: string): void {
  const { disk, changes } = changesOf(readDisk(before), operations.slice(0, at));
  keepNames(changes, random);
  const writes = Map.groupBy(
    changes.filter((change) => change.kind === 'bytes'),
    (change) => change.file,
  );
  writeDisk(disk, folder, (file, name) => {
    const bytes = keepBytes(file, writes.get(file) ?? [], random);
    return random !== undefined && SHARED_MEMORY.test(name) ? Buffer.from(bytes.map(() => random.below(256))) : bytes;
  });
}

/**
 * Applies the name changes of each folder in order. May stop at a random change that no sync covers; later changes of
 * that folder are lost.
 */
function keepNames(changes: readonly DiskChange[], random: Random | undefined): void {
  const lossy = random?.pick([0, 0.02, 0.2, 1]) ?? 0;
  const stopped = new Set<FolderNode>();
  for (const change of changes) {
    if (change.kind !== 'names') continue;
    const isLost = !change.isCovered && (change.folders.some((folder) => stopped.has(folder)) || random?.chance(lossy));
    if (isLost) for (const folder of change.folders) stopped.add(folder);
    else change.apply();
  }
}

/**
 * Returns the remaining bytes of a file: all writes that a sync covers, and the other writes. On each page, the other
 * writes after a random one are lost.
 */
function keepBytes(
  file: FileNode,
  changes: readonly (ByteChange & { isCovered: boolean })[],
  random: Random | undefined,
): Buffer {
  const lossy = random?.pick([0, 0.1, 0.5, 1]) ?? 0;
  const ends = changes.map(({ data, offset }) => offset + (data?.length ?? 0));
  const remaining = new ArrayBuffer(file.bytes.length, { maxByteLength: Math.max(file.bytes.length, ...ends) });
  new Uint8Array(remaining).set(file.bytes);
  const lostPages = new Set<number>();
  for (const { data, offset, isCovered } of changes) {
    const isLost = () => !isCovered && random?.chance(lossy);
    if (data === undefined) {
      // A lost truncation also loses the later writes, since the disk receives the truncation first.
      if (isLost()) break;
      remaining.resize(offset);
      continue;
    }
    for (let from = 0; from < data.length; ) {
      const page = Math.floor((offset + from) / PAGE_BYTES);
      const to = Math.min(data.length, (page + 1) * PAGE_BYTES - offset);
      if (!isCovered && (lostPages.has(page) || isLost())) lostPages.add(page);
      else {
        remaining.resize(Math.max(remaining.byteLength, offset + to));
        new Uint8Array(remaining).set(data.subarray(from, to), offset + from);
      }
      from = to;
    }
  }
  return Buffer.from(remaining);
}
