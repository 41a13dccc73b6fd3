// The record of a build, a SQLite file in the output folder: what was written, and what is about to be.
import { INFO_TABLE, type InfoTable } from '#sqlite/info.ts';
import type { FileKind } from '#sqlite/open-sqlite.ts';

export interface FileTable {
  path: string;
  /** Which route and which of its entries the file belongs to. */
  route: string;
  key: string;
  sha256: Buffer;
  bytes: number;
}

/** A change that is decided and staged but perhaps not in place: after a crash, the next build finishes it. */
export interface ChangeTable {
  path: string;
  action: 'write' | 'remove';
  route: string;
  key: string;
  sha256: Buffer | null;
  bytes: number;
}

export interface RecordSchema {
  info: InfoTable;
  file: FileTable;
  change: ChangeTable;
}

const SCHEMA = [
  INFO_TABLE,
  `create table file (
    path text primary key,
    route text not null,
    key text not null,
    sha256 blob not null,
    bytes integer not null
  ) strict, without rowid`,
  'create index file_entry on file (route, key)',
  `create table change (
    path text primary key,
    action text not null check (action in ('write', 'remove')),
    route text not null,
    key text not null,
    sha256 blob,
    bytes integer not null
  ) strict, without rowid`,
];

/** True at any step of a build. */
export const OUT_OF_ROOM = 'Every file that is served is whole; make room and build again.';

export const RECORD_FILE: FileKind = {
  what: 'build record',
  remedy: 'delete the output folder and build again',
  whenFull: OUT_OF_ROOM,
  applicationId: 0x53545042, // "STPB"
  // A change that is recorded as done must be done, even after a power cut.
  durable: true,
  schema: SCHEMA,
};
