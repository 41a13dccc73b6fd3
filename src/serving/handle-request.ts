// Responds to a request with files of a build. Runs in the local server and in programs at the edge of hosts.

import type { Candidate, Slice } from './candidate.ts';
import type { Headers } from './headers.ts';
import { cutSlice, type ListManifest } from './list-slice.ts';
import { NameIndexes } from './name-index.ts';
import { hasForm } from './pattern.ts';
import { planResponse } from './plan-response.ts';
import type { SiteRules } from './rules.ts';
import { type Batch, planBatch, readBatch } from './token-batch.ts';

export interface SiteRequest {
  readonly method: string;
  /** The path of the URL, still encoded, with its leading slash. */
  readonly pathname: string;
  readonly query: URLSearchParams;
  /** The value of the header If-None-Match. */
  readonly tags: string | null | undefined;
}

/** A file of the build. Each server has its own type of body. `tag` is the ETag. */
export interface Found<Body> {
  readonly body: Body;
  readonly tag: string | null;
  /** The size of the body in bytes, if the server needs it in the response to HEAD. */
  readonly size?: number | undefined;
}

export interface Files<Body> {
  /** Reads a file; undefined if it is missing. */
  read(file: string): Promise<Found<Body> | undefined>;
  /** Returns true if a file exists. Implemented by servers for which this is cheaper than reading the file. */
  has?(file: string): Promise<boolean>;
  /**
   * Returns true if the host can send a file with exactly these headers. The response then contains the file's path
   * instead of a body.
   */
  sends?(file: string, headers: Headers): boolean;
  textOf(body: Body): string | Promise<string>;
  /** Compresses or otherwise encodes a body. Implemented by servers without another server in front that does this. */
  encode?(body: Body | string, tag: string, type: string): Promise<Encoded<Body>>;
  /** Parsed names files, which all requests share. */
  readonly names?: NameIndexes;
}

export interface Encoded<Body> extends Found<Body> {
  readonly tag: string;
  /** The value of the header Content-Encoding. */
  readonly encoding?: string;
}

export interface SiteResponse<Body> {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body?: Body | string;
  /**
   * The path of the file that is the body of this response with status 200. Without `body`, the host itself sends the
   * file.
   */
  readonly file?: string;
  /** The {@link Found} size of that file. */
  readonly size?: number | undefined;
}

export async function handleRequest<Body>(
  { method, pathname, query, tags }: SiteRequest,
  rules: SiteRules,
  files: Files<Body>,
): Promise<SiteResponse<Body>> {
  const { common, preflight } = rules.headers;
  if (method === 'OPTIONS') return { status: 204, headers: { ...common, ...preflight } };
  const isRead = method === 'GET' || method === 'HEAD';
  const candidates = isRead
    ? (planBatch(pathname, query, rules) ?? planResponse(pathname, query, rules))
    : [rules.methodNotAllowed];
  for (const candidate of [...candidates, rules.notFound] as readonly Candidate[]) {
    const { status, file, needs, version, slice, identifiers } = candidate;
    if (needs !== undefined && needs !== file && !(await exists(needs, files))) continue;
    const headers: Record<string, string> = { ...headersOf(candidate, rules), Vary: 'Accept-Encoding' };
    // URLSearchParams appends `=` to a parameter without a value, such as a version.
    if (status === 200 && version !== undefined && hasForm(query.toString(), `${version.query}=`))
      headers['Cache-Control'] = version.caching;
    if (status === 405) headers.Allow = preflight.Allow;
    const isFile = status === 200 && slice === undefined && identifiers === undefined;
    if (isFile && files.sends?.(file, headers)) {
      if (await exists(file, files)) return { status, headers, file };
      continue;
    }
    const found = await readResponse(candidate, query, rules, files);
    if (found === undefined) continue;
    if (found === null) return errorResponse(503, rules);
    const response = isFile ? { status, headers, file, size: found.size } : { status, headers };
    if (status !== 200 || found.tag === null) return { ...response, body: found.body };
    const type = headers['Content-Type'] ?? '';
    const encoded = await files.encode?.(found.body, found.tag, type);
    headers.ETag = encoded?.tag ?? found.tag;
    if (isAmong(headers.ETag, tags)) return { status: 304, headers };
    if (encoded?.encoding !== undefined) headers['Content-Encoding'] = encoded.encoding;
    return { ...response, body: (encoded ?? found).body };
  }
  // Each build has the file of `notFound`. Without it, there is no build, or only a part of one.
  return errorResponse(503, rules);
}

/** The time in seconds after which a build is probably complete or published, for the header Retry-After. */
const RETRY_AFTER = '2';
const FAILURES = { 416: 'Range Not Satisfiable', 500: 'Internal Server Error', 503: 'Service Unavailable' };

/** Returns an error response that does not read a file. */
export function errorResponse(status: keyof typeof FAILURES, rules: SiteRules): SiteResponse<never> {
  const retry = status === 503 ? { 'Retry-After': RETRY_AFTER } : {};
  const headers = { ...headersOf({ status }, rules), ...retry };
  return { status, headers, body: JSON.stringify({ error: FAILURES[status] }) };
}

/**
 * Reads the content of a response, or makes it from several files. Undefined for a missing file; null if a build is
 * replacing the files.
 */
async function readResponse<Body>(
  { file, slice, identifiers }: Candidate,
  query: URLSearchParams,
  rules: SiteRules,
  files: Files<Body>,
): Promise<Found<Body | string> | undefined | null> {
  if (identifiers !== undefined) return await handleBatch({ identifiers, query, listFile: file }, rules, files);
  const found = await files.read(file);
  return found === undefined || slice === undefined ? found : await cut(slice, found, files);
}

async function handleBatch<Body>(batch: Batch, rules: SiteRules, files: Files<Body>): Promise<Found<string> | null> {
  const readText = async (file: string) => {
    const found = await files.read(file);
    return found && (await files.textOf(found.body));
  };
  const rows = await readBatch(batch, rules, readText);
  return rows === undefined ? null : await bodyOf(rows);
}

async function exists<Body>(file: string, files: Files<Body>): Promise<boolean> {
  return (await files.has?.(file)) ?? (await files.read(file)) !== undefined;
}

/** Returns the headers of a response that do not depend on its body. */
export function headersOf(
  { status, headers }: Pick<Candidate, 'status' | 'headers'>,
  { headers: { common, response, error } }: SiteRules,
): Headers {
  return { ...common, ...(status === 200 ? (headers ?? response) : error) };
}

/** Makes the body of a list's slice from the pages of the list. Returns null if a build is replacing the files. */
async function cut<Body>(slice: Slice, manifest: Found<Body>, files: Files<Body>): Promise<Found<string> | null> {
  const readText = async (file: string) => {
    const found = await files.read(file);
    return found && (await files.textOf(found.body));
  };
  const names = files.names ?? new NameIndexes();
  const { total } = JSON.parse(await files.textOf(manifest.body)) as ListManifest;
  const page = await cutSlice(slice, total, {
    readPage: async (file) => JSON.parse((await readText(file)) ?? 'null'),
    readNames: async (file) => {
      const text = await readText(file);
      return text === undefined ? undefined : names.of(text);
    },
  });
  return page === undefined ? null : await bodyOf(page);
}

/** Returns a body with its ETag for content that is not in a file. */
async function bodyOf(content: object): Promise<Found<string>> {
  const body = JSON.stringify(content);
  const digest = await crypto.subtle.digest('SHA-1', new TextEncoder().encode(body));
  const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0'));
  return { body, tag: `"${hex.join('')}"` };
}

/**
 * Returns true if the header If-None-Match includes the tag. The header is a list of tags, compared weakly, or `*` (RFC
 * 9110, 13.1.2).
 */
function isAmong(tag: string, ifNoneMatch: string | null | undefined): boolean {
  const tags = ifNoneMatch?.split(',').map(withoutWeakness) ?? [];
  return tags.includes('*') || tags.includes(withoutWeakness(tag));
}

function withoutWeakness(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}

export interface ObjectHeaders {
  readonly 'Content-Type': string;
  readonly 'Cache-Control': string;
}

/**
 * Returns the headers of a file that is requested by its path in the build. Files in errors/ get the headers of a
 * response with status 200.
 */
export function fileHeaders(file: string, rules: SiteRules): Headers {
  const [planned] = planResponse(`/${file}`, new URLSearchParams(), rules);
  return headersOf(planned?.file === file ? planned : { status: 200 }, rules);
}

export function objectHeaders(path: string, rules: SiteRules): ObjectHeaders {
  const headers = fileHeaders(path, rules);
  return { 'Content-Type': headers['Content-Type'] ?? '', 'Cache-Control': headers['Cache-Control'] ?? '' };
}
