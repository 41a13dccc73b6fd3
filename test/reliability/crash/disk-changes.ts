// Turns the operations of a run into changes of the disk, and marks the changes that a sync covers.
import { copyFolders, type DiskNode, type FileNode, type FolderNode, locate, newFolder } from './disk-nodes.ts';
import { describeOperation, type Operation } from './operation-log.ts';

/** A change of the names in one or two folders. A change of two folders reaches the disk for both or for neither. */
interface NameChange {
  readonly kind: 'names';
  readonly folders: readonly FolderNode[];
  readonly apply: () => void;
}

/** A change of the bytes or the length of a file. */
export interface ByteChange {
  readonly kind: 'bytes';
  readonly file: FileNode;
  readonly offset: number;
  /** Undefined if the file is truncated or extended to `offset`. */
  readonly data: Buffer | undefined;
}

export type DiskChange = (NameChange | ByteChange) & { isCovered: boolean };

/**
 * Returns the changes of the first operations of a run, and the disk before the run. Applying name changes changes
 * `disk`.
 */
export function changesOf(
  before: FolderNode,
  operations: readonly Operation[],
): { disk: FolderNode; changes: DiskChange[] } {
  const current = copyFolders(before, new Map());
  const copies = new Map<DiskNode, DiskNode>();
  const disk = copyFolders(current, copies);
  const changes: DiskChange[] = [];
  /** The changes that gave files and folders their first names. */
  const births = new Map<DiskNode, DiskChange>();
  const parents = new Map<DiskNode, FolderNode>();
  const onDisk = <N extends DiskNode>(node: N) => (copies.get(node) ?? node) as N;

  const names = (folders: readonly FolderNode[], apply: () => void): DiskChange => {
    const change: DiskChange = { kind: 'names', folders, apply, isCovered: false };
    changes.push(change);
    return change;
  };
  const coverBirth = (node: DiskNode) => {
    for (let at: DiskNode | undefined = node; at !== undefined; at = parents.get(at)) {
      const birth = births.get(at);
      if (birth !== undefined) birth.isCovered = true;
    }
  };
  const add = (folder: FolderNode, name: string, node: DiskNode) => {
    folder.entries.set(name, node);
    parents.set(node, folder);
    births.set(
      node,
      names([folder], () => onDisk(folder).entries.set(name, onDisk(node))),
    );
  };
  const nodeAt = (path: string): DiskNode | undefined => {
    if (path === '') return current;
    const { folder, name } = locate(current, path);
    return folder.entries.get(name);
  };
  const perform = (operation: Operation) => {
    const { kind, path } = operation;
    if (kind === 'syncfs') {
      for (const change of changes) change.isCovered = true;
      return;
    }
    const node = nodeAt(path);
    if (kind === 'fsync') {
      if (node === undefined) return; // the file was deleted or replaced
      for (const change of changes) {
        if (change.kind === 'bytes' ? change.file === node : change.folders.includes(node as FolderNode))
          change.isCovered = true;
      }
      coverBirth(node);
      return;
    }
    if (kind === 'write' || kind === 'truncate') {
      if (node?.kind !== 'file') return; // the file was deleted or replaced
      const data = kind === 'write' ? operation.data : undefined;
      changes.push({ kind: 'bytes', file: node, offset: operation.offset, data, isCovered: false });
      return;
    }
    const { folder, name } = locate(current, path);
    if (kind === 'create') return add(folder, name, { kind: 'file', bytes: Buffer.alloc(0) });
    if (kind === 'mkdir') {
      const made = newFolder();
      copies.set(made, newFolder());
      return add(folder, name, made);
    }
    if (node === undefined) throw new Error(`${path} does not exist`);
    if (kind === 'link') throw new Error('the model does not support links');
    folder.entries.delete(name);
    if (kind === 'rename') {
      const to = locate(current, operation.to);
      to.folder.entries.set(to.name, node);
      parents.set(node, to.folder);
      names([folder, to.folder], () => {
        onDisk(folder).entries.delete(name);
        onDisk(to.folder).entries.set(to.name, onDisk(node));
      });
    } else {
      // A folder is removed on disk only when the removals of its entries are on disk too.
      const emptied = node.kind === 'folder' ? [node] : [];
      names([folder, ...emptied], () => onDisk(folder).entries.delete(name));
    }
  };
  for (const operation of operations) {
    try {
      if (operation.result >= 0) perform(operation);
    } catch (error) {
      throw new Error(`operation ${operation.number}, ${describeOperation(operation)}: ${String(error)}`);
    }
  }
  coverEarlier(changes);
  return { disk, changes };
}

/** Marks name changes before a covered change of the same folder as covered, because they reach the disk in order. */
function coverEarlier(changes: readonly DiskChange[]): void {
  const covered = new Set<FolderNode>();
  for (const change of changes.toReversed()) {
    if (change.kind !== 'names') continue;
    if (change.folders.some((folder) => covered.has(folder))) change.isCovered = true;
    if (change.isCovered) for (const folder of change.folders) covered.add(folder);
  }
}
