// Makes the folder that a power cut leaves: what a sync covered before it, and of the rest what chance has brought to
// the disk.
import type { Random } from '../../support/random.ts';
import { type ByteChange, changesOf, type DiskChange } from './disk-changes.ts';
import { type FileNode, type FolderNode, readDisk, writeDisk } from './disk-nodes.ts';
import type { Operation } from './operation-log.ts';

const PAGE_BYTES = 4096;
/** Shared memory that is written without a call, and worth nothing after a start. */
const SHARED_MEMORY = /-shm$/;

interface PowerCut {
  /** The folder as it was before the run. */
  readonly before: string;
  readonly operations: readonly Operation[];
  /** How many of the operations came before the cut. */
  readonly at: number;
  /** What decides; undefined brings everything to the disk. */
  readonly random: Random | undefined;
}

/** Empties `folder` and leaves in it what the cut leaves. */
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

/** Of the names of each folder, those up to some change that is not covered. */
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

/** Of the bytes of a file, what is covered, and of each page behind it those up to some write. */
function keepBytes(
  file: FileNode,
  changes: readonly (ByteChange & { isCovered: boolean })[],
  random: Random | undefined,
): Buffer {
  const lossy = random?.pick([0, 0.1, 0.5, 1]) ?? 0;
  const ends = changes.map(({ data, offset }) => offset + (data?.length ?? 0));
  const kept = new ArrayBuffer(file.bytes.length, { maxByteLength: Math.max(file.bytes.length, ...ends) });
  new Uint8Array(kept).set(file.bytes);
  const lostPages = new Set<number>();
  for (const { data, offset, isCovered } of changes) {
    const isLost = () => !isCovered && random?.chance(lossy);
    if (data === undefined) {
      // What is written behind a cut of the file never comes to the disk before it.
      if (isLost()) break;
      kept.resize(offset);
      continue;
    }
    for (let from = 0; from < data.length; ) {
      const page = Math.floor((offset + from) / PAGE_BYTES);
      const to = Math.min(data.length, (page + 1) * PAGE_BYTES - offset);
      if (!isCovered && (lostPages.has(page) || isLost())) lostPages.add(page);
      else {
        kept.resize(Math.max(kept.byteLength, offset + to));
        new Uint8Array(kept).set(data.subarray(from, to), offset + from);
      }
      from = to;
    }
  }
  return Buffer.from(kept);
}
