// Headers of the answers, the same on every server: what clients and caches may rely on.
import { IMAGE_FOLDER, IMAGE_TYPES } from './image-file.ts';

export const CONTENT_TYPE = 'application/json';
/** Answers are revalidated after a minute; errors are never stored, since a token's answer may come any moment. */
export const CACHE_ANSWER = 'public, max-age=60, must-revalidate';
export const CACHE_ERROR = 'no-store';
/** The name of an image is the hash of its bytes. */
export const CACHE_IMAGE = 'public, max-age=31536000, immutable';
/** An image that is opened by itself runs nothing and loads nothing. */
export const IMAGE_POLICY = "default-src 'none'; sandbox";

/** On every answer, errors included. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'X-Content-Type-Options': 'nosniff',
};

/** Headers of an answer of status 200 by its path in the build. */
export function answerHeaders(path: string): Readonly<Record<string, string>> {
  const type = path.startsWith(`${IMAGE_FOLDER}/`) ? IMAGE_TYPES[path.slice(path.lastIndexOf('.') + 1)] : undefined;
  return type === undefined
    ? { 'Content-Type': CONTENT_TYPE, 'Cache-Control': CACHE_ANSWER }
    : { 'Content-Type': type, 'Cache-Control': CACHE_IMAGE, 'Content-Security-Policy': IMAGE_POLICY };
}

/** In the output folder, for the build alone: never served. */
export const BOOKKEEPING_FOLDER = '.stxpress';
