// Tables of metadata documents (SIP-016) and of our copies of their images.
import { createTable, FAILURE, flag, generated, integer, nullable, type Row, text, WITHOUT_ROWID } from './columns.ts';

/** A metadata document; locale '' is the default. */
const document = {
  token_id: integer('references token'),
  locale: text(),
  uri: nullable(text()),
  /** Normalized, JSON; null if there is none. */
  document: nullable(text()),
  /** Messages about what was dropped while reading the document, JSON. */
  warnings: nullable(text()),
  /** Validators for the next conditional request. */
  etag: nullable(text()),
  last_modified: nullable(text()),
  /** Time of the last fetch; null for a data: URI. */
  fetched_at: nullable(integer()),
  ...FAILURE,
};
export type DocumentTable = Row<typeof document>;

/** Our copy of an image, or why there is none: one row per URI, however many tokens share it. */
const image = {
  image_id: generated(integer('primary key')),
  uri: text('unique'),
  /** Hash of the fetched bytes, hex; null if there is no copy. */
  sha256: nullable(text()),
  extension: nullable(text()),
  /** 1 if the copy must be made again; it is kept until then. */
  is_stale: generated(flag('default 0')),
  ...FAILURE,
};

/** A file of a copy as it was written, so that damage can be detected; `sha256` is the hash of the file itself, hex. */
const imageFile = { name: text('primary key'), bytes: integer(), sha256: text() };

export interface DocumentTables {
  document: DocumentTable;
  image: Row<typeof image>;
  image_file: Row<typeof imageFile>;
}

export const DOCUMENTS: readonly string[] = [
  createTable('document', document, ['primary key (token_id, locale)']),
  `create index document_failure on document (failure_code) where failure_code is not null`,
  `create index document_image on document (json_extract(document, '$.image'))`,
  createTable('image', image),
  `create index image_copy on image (sha256) where sha256 is not null`,
  createTable('image_file', imageFile, [], WITHOUT_ROWID),
];
