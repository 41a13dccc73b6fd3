// Tables of metadata documents (SIP-016) and of our copies of their images.
import { FAILURE, flag, generated, integer, keyed, nullable, table, text } from '#sqlite/tables.ts';

const DELETE_UNUSED_IMAGE = `delete from image where uri = json_extract(old.document, '$.image')
  and not exists (select 1 from document
    where json_extract(document, '$.image') = json_extract(old.document, '$.image'))`;
const DELETE_UNUSED_FILES = `delete from image_file
  where name > old.sha256 and name < old.sha256 || '~' and not exists (select 1 from image where sha256 = old.sha256)`;

export const DOCUMENTS = {
  /** A metadata document; locale '' is the default. */
  document: table(
    {
      token_id: integer('references token'),
      locale: text(),
      uri: nullable(text()),
      /** The normalized document, JSON; null if it is missing. */
      document: nullable(text()),
      /** Messages about what was dropped or rounded while reading the document, JSON. */
      warnings: nullable(text()),
      /** Validators for the next conditional request. */
      etag: nullable(text()),
      last_modified: nullable(text()),
      /** Time of the last fetch, in ms since the epoch; null for a data: URI. */
      fetched_at: nullable(integer()),
      ...FAILURE,
    },
    'primary key (token_id, locale)',
  ).and(
    `create index document_failure on document (failure_code) where failure_code is not null`,
    `create index document_image on document (json_extract(document, '$.image'))`,
    `create trigger document_image_replaced after update on document
      when json_extract(old.document, '$.image') is not json_extract(new.document, '$.image')
      begin ${DELETE_UNUSED_IMAGE}; end`,
    `create trigger document_image_removed after delete on document begin ${DELETE_UNUSED_IMAGE}; end`,
  ),

  /**
   * Our copy of an image, or the reason why it is missing. Tokens with the same image URI share a row. Triggers delete
   * a row when no document has its URI any more. Its files stay, since another index may use their folder.
   */
  image: table({
    image_id: generated(integer('primary key')),
    uri: text('unique'),
    /** Hash of the fetched bytes, hex; null if there is no copy. */
    sha256: nullable(text()),
    extension: nullable(text()),
    /** Validators for the next conditional request; null if there is no copy. */
    etag: nullable(text()),
    last_modified: nullable(text()),
    /** 1 if the image must be fetched again. The earlier copy is kept until then. */
    is_stale: generated(flag('default 0')),
    ...FAILURE,
  }).and(
    `create index image_copy on image (sha256) where sha256 is not null`,
    `create trigger image_copy_replaced after update on image when old.sha256 is not new.sha256
      begin ${DELETE_UNUSED_FILES}; end`,
    `create trigger image_copy_removed after delete on image begin ${DELETE_UNUSED_FILES}; end`,
  ),

  /**
   * The size and hash of a stored image or thumbnail, to detect damage. `sha256` (hex) is the hash of this file;
   * `image.sha256` is the hash of the fetched bytes.
   */
  image_file: keyed({ name: text('primary key'), bytes: integer(), sha256: text() }),
};
