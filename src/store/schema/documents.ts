// Tables of metadata documents (SIP-016) and of our copies of their images.
import type { Generated } from 'kysely';
import type { FailureColumns, Flag, Json, Time } from './columns.ts';

/** A metadata document; locale '' is the default. */
export interface DocumentTable extends FailureColumns {
  token_id: number;
  locale: string;
  uri: string | null;
  /** Normalized; null if there is none. */
  document: Json | null;
  /** Messages about what was dropped while reading the document. */
  warnings: Json | null;
  /** Validators for the next conditional request. */
  etag: string | null;
  last_modified: string | null;
  /** Time of the last fetch; null for a data: URI. */
  fetched_at: Time | null;
}

/** Our copy of an image, or why there is none: one row per URI, however many tokens share it. */
export interface ImageTable extends FailureColumns {
  image_id: Generated<number>;
  uri: string;
  /** Hash of the fetched bytes, hex; null if there is no copy. */
  sha256: string | null;
  extension: string | null;
  /** 1 if the copy must be made again; it is kept until then. */
  is_stale: Generated<Flag>;
}

/** A file of a copy as it was written, so that damage can be detected. */
export interface ImageFileTable {
  name: string;
  bytes: number;
  /** Hash of the file itself, hex. */
  sha256: string;
}

export const DOCUMENTS: readonly string[] = [
  `create table document (
    token_id integer not null references token,
    locale text not null,
    uri text,
    document text,
    warnings text,
    etag text,
    last_modified text,
    fetched_at integer,
    failure_code text,
    failure_message text,
    primary key (token_id, locale)
  ) strict`,
  `create index document_failure on document (failure_code) where failure_code is not null`,
  `create index document_image on document (json_extract(document, '$.image'))`,

  `create table image (
    image_id integer primary key,
    uri text not null unique,
    sha256 text,
    extension text,
    is_stale integer not null default 0 check (is_stale in (0, 1)),
    failure_code text,
    failure_message text
  ) strict`,
  `create index image_copy on image (sha256) where sha256 is not null`,
  `create table image_file (
    name text primary key,
    bytes integer not null,
    sha256 text not null
  ) strict, without rowid`,
];
