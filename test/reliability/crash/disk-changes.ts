// Turns the operations of a run into changes of the disk, each with what must be on the disk for it, and says which of
// them the syncs before a cut cover.
import { copyFolders, type DiskNode, type FileNode, type FolderNode, locate, newFolder } from './disk-nodes.ts';
import { describeOperation, type Operation } from './operation-log.ts';

/** A folder gets, loses or swaps names. One that concerns two folders reaches the disk for both or none. */
interface NameChange {
  readonly kind: 'names';
  readonly folders: readonly FolderNode[];
  readonly apply: () => void;
}

/** A file gets other bytes or another length. */
export interface ByteChange {
  readonly kind: 'bytes';
  readonly file: FileNode;
  readonly offset: number;
  /** Undefined where the file is cut or extended to `offset`. */
  readonly data: Buffer | undefined;
}

export type DiskChange = (NameChange | ByteChange) & { isCovered: boolean };

/**
 * The changes of the first operations of a run, on a disk that is as before it; `disk` changes as those are applied
 * that concern names.
 */
export function changesOf(
  before: FolderNode,
  operations: readonly Operation[],
): { disk: FolderNode; changes: DiskChange[] } {
  const seen = copyFolders(before, new Map());
  const copies = new Map<DiskNode, DiskNode>();
  const disk = copyFolders(seen, copies);
  const changes: DiskChange[] = [];
  /** How a file or folder got its first name. */
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
    if (path === '') return seen;
    const { folder, name } = locate(seen, path);
    return folder.entries.get(name);
  };
  const carryOut = (operation: Operation) => {
    const { kind, path } = operation;
    if (kind === 'syncfs') {
      for (const change of changes) change.isCovered = true;
      return;
    }
    const node = nodeAt(path);
    if (kind === 'fsync') {
      if (node === undefined) return; // it has lost its name
      for (const change of changes) {
        if (change.kind === 'bytes' ? change.file === node : change.folders.includes(node as FolderNode))
          change.isCovered = true;
      }
      coverBirth(node);
      return;
    }
    if (kind === 'write' || kind === 'truncate') {
      if (node?.kind !== 'file') return; // it has lost its name
      const data = kind === 'write' ? operation.data : undefined;
      changes.push({ kind: 'bytes', file: node, offset: operation.offset, data, isCovered: false });
      return;
    }
    const { folder, name } = locate(seen, path);
    if (kind === 'create') return add(folder, name, { kind: 'file', bytes: Buffer.alloc(0) });
    if (kind === 'mkdir') {
      const made = newFolder();
      copies.set(made, newFolder());
      return add(folder, name, made);
    }
    if (node === undefined) throw new Error(`there is nothing at ${path}`);
    if (kind === 'link') throw new Error('links are not modelled');
    folder.entries.delete(name);
    if (kind === 'rename') {
      const to = locate(seen, operation.to);
      to.folder.entries.set(to.name, node);
      parents.set(node, to.folder);
      names([folder, to.folder], () => {
        onDisk(folder).entries.delete(name);
        onDisk(to.folder).entries.set(to.name, onDisk(node));
      });
    } else {
      // A folder goes only when all that made it empty is on the disk too.
      const emptied = node.kind === 'folder' ? [node] : [];
      names([folder, ...emptied], () => onDisk(folder).entries.delete(name));
    }
  };
  for (const operation of operations) {
    try {
      if (operation.result >= 0) carryOut(operation);
    } catch (error) {
      throw new Error(`operation ${operation.number}, ${describeOperation(operation)}: ${String(error)}`);
    }
  }
  coverEarlier(changes);
  return { disk, changes };
}

/** The names of one folder reach the disk in their order: before what is covered, everything is. */
function coverEarlier(changes: readonly DiskChange[]): void {
  const covered = new Set<FolderNode>();
  for (const change of changes.toReversed()) {
    if (change.kind !== 'names') continue;
    if (change.folders.some((folder) => covered.has(folder))) change.isCovered = true;
    if (change.isCovered) for (const folder of change.folders) covered.add(folder);
  }
}
