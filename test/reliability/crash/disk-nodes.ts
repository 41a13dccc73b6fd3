// Models a disk on which files exist separately from their names, so that a power cut can lose a name but not its file,
// or the reverse.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface FileNode {
  readonly kind: 'file';
  /** The file's bytes before the run. */
  readonly bytes: Buffer;
}

export interface FolderNode {
  readonly kind: 'folder';
  readonly entries: Map<string, DiskNode>;
}

export type DiskNode = FileNode | FolderNode;

export function newFolder(): FolderNode {
  return { kind: 'folder', entries: new Map() };
}

export function readDisk(folder: string): FolderNode {
  const node = newFolder();
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    node.entries.set(entry.name, entry.isDirectory() ? readDisk(path) : { kind: 'file', bytes: readFileSync(path) });
  }
  return node;
}

/** Copies folders, but not the files in them. Adds each folder with its copy to `copies`. */
export function copyFolders(node: FolderNode, copies: Map<DiskNode, DiskNode>): FolderNode {
  const copy = newFolder();
  copies.set(node, copy);
  for (const [name, entry] of node.entries)
    copy.entries.set(name, entry.kind === 'folder' ? copyFolders(entry, copies) : entry);
  return copy;
}

/** Empties `folder`, and writes the files of the model into it, with the bytes that `bytesOf` returns for each file. */
export function writeDisk(node: FolderNode, folder: string, bytesOf: (file: FileNode, name: string) => Buffer): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, entry] of node.entries) {
    const path = join(folder, name);
    if (entry.kind === 'folder') writeDisk(entry, path, bytesOf);
    else writeFileSync(path, bytesOf(entry, name));
  }
}

/** Returns the parent folder of a path, and the last part of the path. */
export function locate(root: FolderNode, path: string): { readonly folder: FolderNode; readonly name: string } {
  const parts = path.split('/');
  const name = parts.pop() as string;
  let folder = root;
  for (const part of parts) {
    const next = folder.entries.get(part);
    if (next?.kind !== 'folder') throw new Error(`${path}: the folder ${part} does not exist`);
    folder = next;
  }
  return { folder, name };
}
