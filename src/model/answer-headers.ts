// Headers of the answers, the same on every server: what clients and caches may rely on.

export const CONTENT_TYPE = 'application/json';
/** Answers are revalidated after a minute; errors are never stored, since a token's answer may come any moment. */
export const CACHE_ANSWER = 'public, max-age=60, must-revalidate';
export const CACHE_ERROR = 'no-store';

/** On every answer, errors included. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'X-Content-Type-Options': 'nosniff',
};

/** In the output folder, for the build alone: never served. */
export const BOOKKEEPING_FOLDER = '.stxpress';
