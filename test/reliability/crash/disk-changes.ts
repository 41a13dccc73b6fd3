// Converts the operations of a run to changes of the disk, and marks the changes that a sync has written to the disk.
import { copyFolders, type DiskNode, type FileNode, type FolderNode, locate, newFolder } from './disk-nodes.ts';
import { describeOperation, type Operation } from './operation-log.ts';

/** A change of the names in one folder, or a rename between two folders, which the disk keeps or loses completely. */
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
  /** The written bytes. Undefined if the operation sets the length of the file to `offset`. */
  readonly data: Buffer | undefined;
}

export type DiskChange = (NameChange | ByteChange) & { isCovered: boolean };

/**
 * Returns the changes that the operations cause, and the disk before the run. The `apply` of each name change modifies
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
  /** For each file and folder, the change that created its first name. */
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
      // The disk removes a folder only after the removals of all its entries.
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

/**
 * Marks uncovered name changes as covered if a later change of the same folder is covered, since the disk receives them
 * in order.
 */
function coverEarlier(changes: readonly DiskChange[]): void {
  const covered = new Set<FolderNode>();
  for (const change of changes.toReversed()) {
    if (change.kind !== 'names') continue;
    if (change.folders.some((folder) => covered.has(folder))) change.isCovered = true;
    if (change.isCovered) for (const folder of change.folders) covered.add(folder);
  }
}
