// Adds our copies of images: one row per URI, however many tokens share it.

export const images: readonly string[] = [
  `create table image (
    uri text primary key,
    sha256 text,
    extension text,
    failure_code text,
    failure_message text,
    revision integer not null
  ) strict, without rowid`,
  `create index document_image on document (json_extract(document, '$.image'))`,
  `create index image_revision on image (revision) where sha256 is not null`,
];
