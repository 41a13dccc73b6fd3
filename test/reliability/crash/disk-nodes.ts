// Files and folders as a disk knows them: by themselves, whatever their names are, so that a name and what it names can
// be lost apart.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface FileNode {
  readonly kind: 'file';
  /** Before the run. */
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

/** The same files in folders of their own, and which folder stands for which. */
export function copyFolders(node: FolderNode, copies: Map<DiskNode, DiskNode>): FolderNode {
  const copy = newFolder();
  copies.set(node, copy);
  for (const [name, entry] of node.entries)
    copy.entries.set(name, entry.kind === 'folder' ? copyFolders(entry, copies) : entry);
  return copy;
}

/** Empties `folder` and writes the files into it; `bytesOf` says what is in each. */
export function writeDisk(node: FolderNode, folder: string, bytesOf: (file: FileNode, name: string) => Buffer): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, entry] of node.entries) {
    const path = join(folder, name);
    if (entry.kind === 'folder') writeDisk(entry, path, bytesOf);
    else writeFileSync(path, bytesOf(entry, name));
  }
}

/** The folder that has a path's last part, and that part. */
export function locate(root: FolderNode, path: string): { readonly folder: FolderNode; readonly name: string } {
  const parts = path.split('/');
  const name = parts.pop() as string;
  let folder = root;
  for (const part of parts) {
    const next = folder.entries.get(part);
    if (next?.kind !== 'folder') throw new Error(`${path}: there is no folder ${part}`);
    folder = next;
  }
  return { folder, name };
}
