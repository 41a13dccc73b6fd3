// Answers a request from the files of a build, for the local server and for programs at the edge.

import type { Candidate, Slice } from './candidate.ts';
import type { Headers } from './headers.ts';
import { cutSlice } from './list-slice.ts';
import { NameIndex, type NameIndexes } from './name-index.ts';
import { hasForm } from './pattern.ts';
import { planResponse } from './plan-response.ts';
import type { SiteRules } from './rules.ts';
import { type Batch, planBatch, readBatch } from './token-batch.ts';

export interface Asked {
  readonly method: string;
  /** The path of the URL: encoded, with a slash in front. */
  readonly pathname: string;
  readonly query: URLSearchParams;
  /** The client's If-None-Match. */
  readonly tags: string | null | undefined;
}

/** A file of the build: its body in whatever form the caller sends it, and its ETag. */
export interface Found<Body> {
  readonly body: Body;
  readonly tag: string | null;
}

export interface Files<Body> {
  /** Undefined for what is not there. */
  read(file: string): Promise<Found<Body> | undefined>;
  /** Returns true if a file exists. Set where that is cheaper than reading the file. */
  has?(file: string): Promise<boolean>;
  /** Returns true if the host itself can send a file with these headers: it is then answered by its name. */
  sends?(file: string, headers: Headers): boolean;
  textOf(body: Body): string | Promise<string>;
  /** Puts a body into the form in which it is sent, which has a tag of its own, where no server in front does. */
  encode?(body: Body | string, tag: string, type: string): Promise<Encoded<Body>>;
  /** The bytes of a body: faster to hash than its text. */
  bytesOf?(body: Body): Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>;
  /** Keeps the names of lists from one request to the next. */
  readonly names?: NameIndexes;
  /** Waits some milliseconds, by default with a timer. */
  wait?(ms: number): Promise<void>;
}

export interface Encoded<Body> extends Found<Body> {
  readonly tag: string;
  /** The value of Content-Encoding. */
  readonly encoding?: string;
}

export interface Answer<Body> {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body?: Body | string;
  /** The file that is the whole response of status 200. Without a body, the host sends it. */
  readonly file?: string;
}

export async function handleRequest<Body>(
  { method, pathname, query, tags }: Asked,
  rules: SiteRules,
  files: Files<Body>,
): Promise<Answer<Body>> {
  const { common, preflight } = rules.headers;
  if (method === 'OPTIONS') return { status: 204, headers: { ...common, ...preflight } };
  const isRead = method === 'GET' || method === 'HEAD';
  const candidates = isRead
    ? (planBatch(pathname, query, rules) ?? planResponse(pathname, query, rules))
    : [rules.methodNotAllowed];
  for (const candidate of [...candidates, rules.notFound] as readonly Candidate[]) {
    const { status, file, needs, version, slice, identifiers } = candidate;
    if (needs !== undefined && needs !== file && !(await isThere(needs, files))) continue;
    const headers: Record<string, string> = { ...headersOf(candidate, rules), Vary: 'Accept-Encoding' };
    // The text of a query without values ends in what would be before one.
    if (status === 200 && version !== undefined && hasForm(query.toString(), `${version.query}=`))
      headers['Cache-Control'] = version.caching;
    if (status === 405) headers.Allow = preflight.Allow;
    const isFile = status === 200 && slice === undefined && identifiers === undefined;
    if (isFile && files.sends?.(file, headers)) {
      if (await isThere(file, files)) return { status, headers, file };
      continue;
    }
    const found = await readResponse(candidate, query, rules, files);
    if (found === undefined) continue;
    if (found === null) return errorResponse(503, rules);
    const answer = isFile ? { status, headers, file } : { status, headers };
    if (status !== 200 || found.tag === null) return { ...answer, body: found.body };
    const type = headers['Content-Type'] ?? '';
    const encoded = await files.encode?.(found.body, found.tag, type);
    headers.ETag = encoded?.tag ?? found.tag;
    if (isAmong(headers.ETag, tags)) return { status: 304, headers };
    if (encoded?.encoding !== undefined) headers['Content-Encoding'] = encoded.encoding;
    return { ...answer, body: (encoded ?? found).body };
  }
  // Every build has the answer for what is not there: this is none, or one that is on its way.
  return errorResponse(503, rules);
}

/** In seconds: until a build is in place, or published. */
const RETRY_AFTER = '2';
const FAILURES = { 416: 'Range Not Satisfiable', 500: 'Internal Server Error', 503: 'Service Unavailable' };

/** An answer for which no file is needed. */
export function errorResponse(status: keyof typeof FAILURES, rules: SiteRules, message?: string): Answer<never> {
  const retry = status === 503 ? { 'Retry-After': RETRY_AFTER } : {};
  const headers = { ...headersOf({ status }, rules), ...retry };
  return { status, headers, body: JSON.stringify({ error: FAILURES[status], message }) };
}

/** Undefined for a missing file; null while a build is replacing the files. */
async function readResponse<Body>(
  { file, slice, identifiers }: Candidate,
  query: URLSearchParams,
  rules: SiteRules,
  files: Files<Body>,
): Promise<Found<Body | string> | undefined | null> {
  if (identifiers !== undefined) return await handleBatch({ identifiers, query, listFile: file }, rules, files);
  const whole = await files.read(file);
  return whole === undefined || slice === undefined ? whole : await cut(slice, whole, file, files);
}

async function handleBatch<Body>(batch: Batch, rules: SiteRules, files: Files<Body>): Promise<Found<string> | null> {
  const readText = async (file: string) => {
    const found = await files.read(file);
    return found && (await files.textOf(found.body));
  };
  const rows = await readBatch(batch, rules, readText);
  return rows === undefined ? null : await bodyOf(rows);
}

async function isThere<Body>(file: string, files: Files<Body>): Promise<boolean> {
  return (await files.has?.(file)) ?? (await files.read(file)) !== undefined;
}

/** Headers of an answer, apart from those that its bytes decide. */
export function headersOf(
  { status, headers }: Pick<Candidate, 'status' | 'headers'>,
  { headers: { common, answer, error } }: SiteRules,
): Headers {
  return { ...common, ...(status === 200 ? (headers ?? answer) : error) };
}

/** Waits before the files of a list are read, in ms: a build may be replacing them. */
const WAITS = [0, 50, 200, 500];
const REPLACED = new Error('a file of a list is of another build');

/** `first`: the list's manifest from the first attempt. Null while a build is replacing the files. */
async function cut<Body>(
  slice: Slice,
  first: Found<Body>,
  manifestFile: string,
  files: Files<Body>,
): Promise<Found<string> | null> {
  const readText = async (found: Found<Body> | undefined) => {
    if (found === undefined) throw REPLACED;
    return await files.textOf(found.body);
  };
  const readChecked = async (file: string, digest: string | undefined) => {
    const found = await files.read(file);
    if (found === undefined) throw REPLACED;
    const bytes = (await files.bytesOf?.(found.body)) ?? new TextEncoder().encode(await files.textOf(found.body));
    if ((await hashOf('SHA-256', bytes)).slice(0, digest?.length) !== digest) throw REPLACED;
    return new TextDecoder().decode(bytes);
  };
  const readers = {
    readPage: async (file: string, digest: string | undefined) => JSON.parse(await readChecked(file, digest)),
    readNames: async (file: string, digest: string | undefined) => {
      const index = files.names?.get(digest) ?? new NameIndex(await readChecked(file, digest));
      files.names?.set(digest, index);
      return index;
    },
  };
  for (const wait of WAITS) {
    if (wait > 0) await (files.wait?.(wait) ?? new Promise((resolve) => setTimeout(resolve, wait)));
    try {
      const manifest = await readText(wait > 0 ? await files.read(manifestFile) : first);
      const page = await cutSlice(slice, JSON.parse(manifest), readers);
      return await bodyOf(page);
    } catch (error) {
      if (error !== REPLACED) throw error;
    }
  }
  return null;
}

/** Makes an answer of what is in no file. */
async function bodyOf(content: object): Promise<Found<string>> {
  const body = JSON.stringify(content);
  return { body, tag: `"${await hashOf('SHA-1', new TextEncoder().encode(body))}"` };
}

async function hashOf(algorithm: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return [...new Uint8Array(await crypto.subtle.digest(algorithm, bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}

/** True if a client has the answer with this tag (RFC 9110, 13.1.2: a list, weak comparison, or `*`). */
function isAmong(tag: string, asked: string | null | undefined): boolean {
  const tags = asked?.split(',').map(withoutWeakness) ?? [];
  return tags.includes('*') || tags.includes(withoutWeakness(tag));
}

function withoutWeakness(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}

export interface ObjectHeaders {
  readonly 'Content-Type': string;
  readonly 'Cache-Control': string;
}

/** Headers of a file at its own path. A file in errors/ has the headers of a 200 until a host gives it a status. */
export function fileHeaders(file: string, rules: SiteRules): Headers {
  const [planned] = planResponse(`/${file}`, new URLSearchParams(), rules);
  return headersOf(planned?.file === file ? planned : { status: 200 }, rules);
}

export function objectHeaders(path: string, rules: SiteRules): ObjectHeaders {
  const headers = fileHeaders(path, rules);
  return { 'Content-Type': headers['Content-Type'] ?? '', 'Cache-Control': headers['Cache-Control'] ?? '' };
}
