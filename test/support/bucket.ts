// Serves an S3 bucket on loopback, with faults that real storages have. Calls a function after each write, so that
// tests can check the objects that readers would see.
import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { loopbackServer } from './loopback-server.ts';

/**
 * The faults of a request. `cut` closes the connection without performing the request, and `lost` performs it but does
 * not respond. `late` reports that the body is incomplete, and `damaged` that it was changed on the way.
 */
/** Faults that publishing survives if it is repeated. */
export const BUCKET_FAULTS = ['busy', 'cut', 'lost', 'slow', 'conflict'] as const;
export type Fault = (typeof BUCKET_FAULTS)[number] | 'late' | 'damaged' | 'denied' | 'skewed';
/** The status and error code that the bucket sends for these faults. */
const REFUSALS: Partial<Record<Fault, readonly [number, string]>> = {
  busy: [503, 'SlowDown'],
  late: [400, 'RequestTimeout'],
  damaged: [400, 'BadDigest'],
  denied: [403, 'AccessDenied'],
  skewed: [403, 'RequestTimeTooSkewed'],
};

class Contents {
  readonly objects = new Map<string, { body: Buffer; type: string | undefined; caching: string | undefined }>();
  /** The method and the key of each request that changed an object, oldest first. */
  readonly changes: string[] = [];
  /** The regions for which requests were signed. */
  readonly regions = new Set<string | undefined>();
  fault: (method: string, key: string) => Fault | undefined | Promise<Fault | undefined> = () => undefined;
  /** True if the bucket encrypts objects. Their ETags are then not the MD5 of their bytes. */
  isEncrypted = false;
  /** The token in each page of a list; undefined for the token that leads to the next page. */
  listToken: string | undefined;
  /** The refusal of requests that name the bucket in the path; undefined if the bucket accepts them. */
  pathRefusal: readonly [number, string] | undefined;
  /** False if the storage ignores the bucket in the host name, and reads it only from the path. */
  readsHost = true;
  /** The message in errors, as XML. */
  message = 'As a test has it.';
  /** Returns true if this session token is valid. */
  allows: (sessionToken: string | undefined) => boolean = () => true;
  /** Called with the key after each change of an object. */
  onChange: (key: string) => void = () => {};
}

export type Bucket = Awaited<ReturnType<typeof openBucket>>;

const PAGE = 1_000;
/** The list of all buckets. */
const BUCKETS =
  '<ListAllMyBucketsResult><Buckets><Bucket><Name>site</Name></Bucket></Buckets></ListAllMyBucketsResult>';

/** Opens an empty bucket named `site`. `url` is the endpoint of the server. */
export async function openBucket() {
  const contents = new Contents();
  const server = await loopbackServer((request, response) => void handle(contents, request, response));
  return Object.assign(contents, { server, url: server.url });
}

async function handle(bucket: Contents, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', headers } = request;
  const url = new URL(request.url ?? '', 'http://loopback');
  const body = await buffer(request);
  const isInHost = bucket.readsHost && headers.host?.startsWith('site.');
  const [, name, ...parts] = `${isInHost ? '/site' : ''}${url.pathname}`.split('/');
  const key = parts.map(decodeURIComponent).join('/');
  const fault = await bucket.fault(method, key);
  if (fault === 'cut') return void request.socket.destroy();
  const refusal = fault && REFUSALS[fault];
  if (refusal !== undefined) return say(bucket, response, ...refusal, { 'Retry-After': '0' });
  if (fault === 'conflict' && method === 'PUT') return say(bucket, response, 409, 'ConditionalRequestConflict');
  if (fault === 'slow') await delay(30);
  if (bucket.pathRefusal && !isInHost) return say(bucket, response, ...bucket.pathRefusal);
  if (name === '') return void response.end(BUCKETS);
  if (name !== 'site') return say(bucket, response, 404, 'NoSuchBucket');
  if (!/^AWS4-HMAC-SHA256 Credential=KEY\//.test(headers.authorization ?? ''))
    return say(bucket, response, 403, 'AccessDenied');
  bucket.regions.add(headers.authorization?.split('/')[2]);
  if (!bucket.allows(headers['x-amz-security-token']?.toString())) return say(bucket, response, 400, 'ExpiredToken');
  if (headers['x-amz-content-sha256'] !== hash('sha256', body, 'hex'))
    return say(bucket, response, 400, 'XAmzContentSHA256Mismatch');
  if (key === '') return list(bucket, url.searchParams, response);
  const stored = bucket.objects.get(key);
  if (method === 'HEAD') {
    const { body = '', type = '', caching = '' } = stored ?? {};
    const etag = hash('md5', body, 'hex');
    const headers = { ETag: `"${etag}"`, 'Content-Type': type, 'Cache-Control': caching };
    response.writeHead(stored === undefined ? 404 : 200, headers).end();
    return;
  }
  if (method === 'GET') {
    if (stored === undefined) return say(bucket, response, 404, 'NoSuchKey');
    response.end(stored.body);
    return;
  }
  if (method === 'PUT')
    bucket.objects.set(key, { body, type: headers['content-type'], caching: headers['cache-control'] });
  else bucket.objects.delete(key);
  bucket.changes.push(`${method} ${key}`);
  bucket.onChange(key);
  if (fault === 'lost') return void request.socket.destroy();
  response.writeHead(method === 'PUT' ? 200 : 204).end();
}

function list({ objects, isEncrypted, listToken }: Contents, query: URLSearchParams, response: ServerResponse): void {
  const maxKeys = Math.min(Number(query.get('max-keys') ?? PAGE), PAGE);
  const keys = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '')).toSorted();
  const from = Number(query.get('continuation-token') ?? 0);
  const contents = keys.slice(from, from + maxKeys).map((key) => {
    const body = objects.get(key)?.body ?? Buffer.alloc(0);
    const tag = hash('md5', isEncrypted ? `secret ${key}` : body, 'hex');
    const size = `<ETag>&quot;${tag}&quot;</ETag><Size>${body.length}</Size>`;
    return `<Contents><Key>${key.replaceAll('&', '&amp;')}</Key>${size}</Contents>`;
  });
  // The token on the last page is empty, as in some storages.
  const token = listToken ?? (from + maxKeys < keys.length ? from + maxKeys : '');
  const next = `<NextContinuationToken>${token}</NextContinuationToken>`;
  response.end(
    `<?xml version="1.0"?><ListBucketResult><Name>site</Name>${contents.join('')}${next}</ListBucketResult>`,
  );
}

function say(
  { message }: Contents,
  response: ServerResponse,
  status: number,
  code: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, headers).end(`<Error><Code>${code}</Code><Message>${message}</Message></Error>`);
}

/** Returns the published objects by key, without the publisher's internal objects. */
export function treeOf({ objects }: Contents, prefix = ''): Map<string, string> {
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).toSorted();
  const relativeObjects = keys.map(
    (key) => [key.slice(prefix.length), objects.get(key)?.body.toString() ?? ''] as const,
  );
  return new Map(relativeObjects.filter(([key]) => !key.startsWith('.stxpress/')));
}
