// Describes in OpenAPI the files of a site that are not responses of routes: this description, images, tables and the seed.

import { IMAGE_TYPES } from '#image/media-types.ts';
import { DUMP_FOLDER, DUMP_TYPES, SEED_FOLDER, SEED_MANIFEST, SEED_PART_NAME, SEED_TYPES } from '#layout/data-files.ts';
import { IMAGE_FOLDER } from '#layout/image-files.ts';
import { GENERAL_ERRORS } from '#routes/all.ts';
import { describeErrors, ETAG, type Json, NOT_MODIFIED } from './openapi-responses.ts';
import { tagOf } from './openapi-tags.ts';

interface DescribedFile {
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly types: readonly string[];
  /** The JSON schema of the content. */
  readonly schema: object;
  /** The pattern of the path parameter `{file}`, and its texts; undefined if the path does not have this parameter. */
  readonly file?: { readonly pattern: string; readonly description: string; readonly missing: string };
}

const BYTES = { type: 'string', format: 'binary' };
const types = (byExtension: Readonly<Record<string, string>>) => [...new Set(Object.values(byExtension))];

const FILES: readonly DescribedFile[] = [
  {
    path: 'openapi.json',
    id: 'OpenApi',
    summary: 'This description, in OpenAPI 3.1',
    types: ['application/json'],
    schema: { type: 'object' },
  },
  {
    path: `${IMAGE_FOLDER}/{file}`,
    id: 'Image',
    summary: 'Copy or thumbnail of an image, at the path that responses name',
    types: types(IMAGE_TYPES),
    schema: BYTES,
    file: {
      pattern: `^[0-9a-f]{64}\\.(?:thumb\\.)?(?:${Object.keys(IMAGE_TYPES).join('|')})$`,
      description: 'SHA-256 of the original image, and an extension: `….png`, `….thumb.webp`',
      missing: 'Image not found',
    },
  },
  {
    path: `${DUMP_FOLDER}/{file}`,
    id: 'Dump',
    summary: 'Table with data of the whole site, as Parquet or NDJSON',
    types: types(DUMP_TYPES),
    schema: BYTES,
    file: {
      pattern: '^[a-z]+\\.(?:parquet|ndjson\\.gz)$',
      description: 'File name, such as `tokens.parquet`',
      missing: 'Table not found, or the site was built without `--dump`',
    },
  },
  {
    path: `${SEED_FOLDER}/${SEED_MANIFEST}`,
    id: 'Seed',
    summary: 'The manifest of the seed, which others can use to index the chain',
    types: ['application/json'],
    schema: { type: 'object' },
  },
  {
    path: `${SEED_FOLDER}/{file}`,
    id: 'SeedPart',
    summary: 'Part of the seed: an event archive with only the data that an index reads',
    types: types(SEED_TYPES),
    schema: BYTES,
    file: {
      pattern: SEED_PART_NAME.source,
      description: 'File name, as the manifest has it',
      missing: 'Part not found, or the site was built without `--with-seed`',
    },
  },
];

/** Returns the operations of these files by path. The paths begin with a slash. */
export function describeFiles(): Readonly<Record<string, Json>> {
  return Object.fromEntries(FILES.map((file) => [`/${file.path}`, { get: operation(file) }]));
}

function operation({ path, id, summary, types, schema, file }: DescribedFile): Json {
  const content = Object.fromEntries(types.map((type) => [type, { schema }]));
  const found = { 200: { description: 'The file', headers: { ETag: ETAG }, content }, 304: NOT_MODIFIED };
  const common = { operationId: id, summary, tags: [tagOf(path)] };
  if (file === undefined) return { ...common, parameters: [], responses: found };
  const { pattern, description, missing } = file;
  const name = { name: 'file', in: 'path', required: true, schema: { type: 'string', pattern }, description };
  const { 404: notFound } = describeErrors([GENERAL_ERRORS.notFound]);
  return { ...common, parameters: [name], responses: { ...found, 404: { ...notFound, description: missing } } };
}
