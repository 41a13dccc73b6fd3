// Headers of the answers, the same on every server: what clients and caches may rely on.
import { IMAGE_TYPES } from './image-file.ts';

export type Headers = Readonly<Record<string, string>>;

/** Which headers an answer has, by what it is. */
export interface HeaderRules {
  /** On every answer, errors included. */
  readonly common: Headers;
  readonly answer: Headers;
  readonly error: Headers;
  /** Besides the type, which `imageTypes` has by extension. */
  readonly image: Headers;
  readonly imageTypes: Headers;
  /** Besides the type, which each document names itself. */
  readonly document: Headers;
  /** On the answer to a preflight request, and `Allow` on one to another method. */
  readonly preflight: Headers;
}

const JSON_TYPE = 'application/json';
/** Answers are revalidated after a minute; errors are never stored, since a token's answer may come any moment. */
const CACHE_ANSWER = 'public, max-age=60, must-revalidate';
const CACHE_ERROR = 'no-store';
/** The name of an image is the hash of its bytes. */
const CACHE_IMAGE = 'public, max-age=31536000, immutable';
/** What is opened by itself, such as an image with a script in it, runs nothing and loads nothing. */
const INERT_POLICY = "default-src 'none'; sandbox";
/** The pages load what is beside them; the renderer of the API's description sets styles and draws from data: URIs. */
const PAGE_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

export const METHODS = 'GET, HEAD, OPTIONS';

export const HEADER_RULES: HeaderRules = {
  common: { 'Access-Control-Allow-Origin': '*', 'X-Content-Type-Options': 'nosniff' },
  answer: { 'Content-Type': JSON_TYPE, 'Cache-Control': CACHE_ANSWER, 'Content-Security-Policy': INERT_POLICY },
  error: { 'Content-Type': JSON_TYPE, 'Cache-Control': CACHE_ERROR, 'Content-Security-Policy': INERT_POLICY },
  image: { 'Cache-Control': CACHE_IMAGE, 'Content-Security-Policy': INERT_POLICY },
  imageTypes: IMAGE_TYPES,
  document: { 'Cache-Control': CACHE_ANSWER, 'Content-Security-Policy': PAGE_POLICY },
  preflight: {
    'Access-Control-Allow-Methods': METHODS,
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Max-Age': '86400',
  },
};

/** In the output folder, for the build alone: never served. */
export const BOOKKEEPING_FOLDER = '.stxpress';
