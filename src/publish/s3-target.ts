// Implements a publish target that is a bucket of S3, or of a storage with the same protocol. aws4fetch signs requests
// (AWS Signature Version 4): MIT, 2 KB, no dependencies.
import { hash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import { type Failure, FailureError, fail, isFailure, stop } from '#model/failure.ts';
import { HostQueue } from '#net/host-queue.ts';
import { failureOfStatus, type HttpResponse, openPool } from '#net/send-request.ts';
import { excerpt } from '#text/quote.ts';
import type { Target } from './target.ts';

/** The action of each method, for messages. */
const VERBS = { GET: 'Reading', PUT: 'Writing', DELETE: 'Removing' } as const;
type Method = keyof typeof VERBS;

interface S3Options {
  readonly bucket: string;
  /** The prefix of every key: empty, or with a slash at its end. */
  readonly prefix: string;
  /** The URL of the storage; undefined for the AWS endpoint of the region. */
  readonly endpoint: string | undefined;
  readonly region: string;
  /** Returns the current credentials. Called before each request, since some credentials expire after an hour. */
  readonly credentials: () => Promise<S3Credentials>;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** The factor by which pauses are shorter, for tests. */
  readonly speedUp?: number;
}

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** The maximum size of a response. A page of a list has at most 1,000 keys of 1 KB. */
const MAX_READ_BYTES = 10_000_000;
/** The maximum length of an error text of the storage that a message quotes. */
const MAX_QUOTED_LENGTH = 200;
const MAX_ATTEMPTS = 6;
/** The longest pause that a storage may request; a longer one ends the run. */
const PATIENCE_MS = 120_000;
const LIMITS = { connectTimeoutMs: 10_000, idleTimeoutMs: 60_000, totalTimeoutMs: 300_000 };
const SUCCESS: readonly number[] = [200, 201, 204];
const MISSING = 404;
const MAX_CODE_POINT = 0x10ffff;
const ENTITIES = new Map(Object.entries({ quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' }));
/** The status of a write while another write of the same key is in progress. The other write may still fail. */
const CONFLICT = 409;
/** Error codes for a body that arrived late or damaged. */
const DAMAGED_BODY = new Set([
  'RequestTimeout',
  'BadDigest',
  'IncompleteBody',
  'XAmzContentSHA256Mismatch',
  'XAmzContentChecksumMismatch',
]);

interface Sent {
  readonly body?: Uint8Array;
  readonly sha256?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses that are not errors for this request, in addition to the statuses of success. */
  readonly expected?: readonly number[];
}

export function openS3Target(options: S3Options): Target {
  const { bucket, prefix, region, credentials, concurrency, signal, speedUp } = options;
  const name = `s3://${bucket}${prefix === '' ? '' : `/${prefix.slice(0, -1)}`}`;
  const [firstUrl, secondUrl] = bucketUrls(options);
  let bucketUrl = firstUrl;
  let hasMoved: Promise<boolean> | undefined;
  const pool = openPool(LIMITS);
  const queue = new HostQueue({ host: name, concurrency, patienceMs: PATIENCE_MS, isAdaptive: true, signal, speedUp });
  /** A cache of the derived signing keys, one per day. */
  const signingKeys = new Map<string, ArrayBuffer>();
  return {
    name,
    async read(key) {
      const { status, body } = await sendFor('GET', key, { expected: [MISSING] });
      return status === MISSING ? undefined : body;
    },
    async write({ key, body, sha256, headers }) {
      await sendFor('PUT', key, { body, sha256, headers: { ...headers } });
    },
    async remove(key) {
      await sendFor('DELETE', key, { expected: [MISSING] });
    },
    async *list() {
      let token: string | undefined;
      do {
        const query = new URLSearchParams({ 'list-type': '2', prefix });
        if (token !== undefined) query.set('continuation-token', token);
        const xml = (await sendUntilDone('GET', `?${query}`, `Listing ${name}`)).body.toString();
        const [, ...found] = xml.split('<Contents>');
        yield found.map((text) => ({
          key: (elementOf(text, 'Key') ?? '').slice(prefix.length),
          bytes: Number(elementOf(text, 'Size')),
          tag: (elementOf(text, 'ETag') ?? '').replaceAll('"', ''),
        }));
        const next = elementOf(xml, 'NextContinuationToken');
        if (next !== undefined && next !== '' && next === token)
          throw stop('target-refused', `Listing ${name} does not end: two pages have the same token.`);
        token = next;
        // Some storages send an empty token with the last page.
      } while (token);
    },
    [Symbol.asyncDispose]: () => pool.close(),
  };

  function sendFor(method: Method, key: string, sent: Sent): Promise<HttpResponse> {
    const fullKey = `${prefix}${key}`;
    const path = fullKey.split('/').map(encodeURIComponent).join('/');
    return sendUntilDone(method, `/${path}`, `${VERBS[method]} s3://${bucket}/${fullKey}`, sent);
  }

  /**
   * Sends a request, and retries temporary failures. `path`: the path or query below the URL of the bucket. `what`: the
   * beginning of a message, such as `Reading s3://bucket/key`. Throws FailureError.
   */
  async function sendUntilDone(method: Method, path: string, what: string, sent: Sent = {}): Promise<HttpResponse> {
    const result = await queue.runWithRetries(() => sendOnce(method, path, what, sent), MAX_ATTEMPTS);
    if (isFailure(result)) throw new FailureError(result);
    return result;
  }

  async function sendOnce(method: Method, path: string, what: string, sent: Sent): Promise<HttpResponse | Failure> {
    const usedUrl = bucketUrl;
    const response = await send(method, new URL(`${usedUrl}${path}`), sent);
    if (isFailure(response) || SUCCESS.includes(response.status)) return response;
    const refusal = refusalOf(what, response, { url: usedUrl, region });
    if (!refusal.retryable && usedUrl === firstUrl) {
      hasMoved ??= moveToSecondUrl();
      if (await hasMoved) return sendOnce(method, path, what, sent);
    }
    const { status, body } = response;
    const isExpected = sent.expected?.includes(status) && !(status === MISSING && /NoSuchBucket/.test(body.toString()));
    return isExpected ? response : refusal;
  }

  /** Returns true if the storage lists the bucket at the second URL, to which all requests are sent from now on. */
  async function moveToSecondUrl(): Promise<boolean> {
    if (secondUrl === undefined) return false;
    const response = await send('GET', new URL(`${secondUrl}?list-type=2&max-keys=1`), {});
    const xml = isFailure(response) ? '' : response.body.toString();
    // A storage that ignores the subdomain returns an error, or a list of buckets.
    const isListed = xml.includes('<ListBucketResult') && elementOf(xml, 'Name') === bucket;
    if (isListed) bucketUrl = secondUrl;
    return isListed;
  }

  /** Signs and sends a request. The signature includes the hash of the body, so the storage rejects a damaged body. */
  async function send(method: Method, url: URL, { body, sha256, headers }: Sent): Promise<HttpResponse | Failure> {
    const current = await credentials().catch((error: Error) =>
      fail('publish-incomplete', `The credentials for ${name} could not be renewed: ${error.message}`, error),
    );
    if (isFailure(current)) return current;
    const { accessKeyId, secretAccessKey, sessionToken } = current;
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, 'X-Amz-Content-Sha256': sha256 ?? hash('sha256', body ?? '', 'hex') },
      service: 's3',
      region,
      cache: signingKeys,
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === undefined ? {} : { sessionToken }),
    }).sign();
    const all = Object.fromEntries(signed.headers as Iterable<[string, string]>);
    return pool.send(signed.url, { method, headers: all, body, maxBytes: MAX_READ_BYTES, signal });
  }
}

/** Returns the failure of a response. `what`: the request, such as `Reading s3://bucket/key`. */
function refusalOf(what: string, response: HttpResponse, sentTo: { url: string; region: string }): Failure {
  const { status, header, body } = response;
  const xml = body.toString();
  const code = elementOf(xml, 'Code') ?? '';
  const error = [code, elementOf(xml, 'Message') ?? ''].filter((text) => text !== '').join(': ');
  const why = error === '' ? '' : ` (${excerpt(error, MAX_QUOTED_LENGTH)})`;
  const failure = failureOfStatus(response, `${what} failed with status ${status}${why}.`);
  if (failure.retryable) return failure;
  if (status === CONFLICT || DAMAGED_BODY.has(code)) return { ...failure, code: 'publish-incomplete', retryable: true };
  const advice =
    code === 'RequestTimeTooSkewed'
      ? `The time of the storage is ${header('date')}, but this machine has ${new Date().toUTCString()}. Set the clock.`
      : `It was sent to ${sentTo.url} for the region ${sentTo.region}. Check the bucket, --endpoint, --region, and ` +
        'the credentials with their permissions.';
  return fail('target-refused', `${failure.message} ${advice}`);
}

/**
 * Returns the URLs at which a storage may have the bucket, in the order of use: in the path of the endpoint, which
 * suits most storages, and in the host name, which some require. Storages on one address or without a wildcard
 * certificate have only the first. At AWS, a bucket with a dot is named in the path, since the certificate does not
 * match such a host name. The URLs have no slash at the end, since some storages would include it in the signature.
 */
export function bucketUrls({
  bucket,
  endpoint,
  region,
}: Pick<S3Options, 'bucket' | 'endpoint' | 'region'>): readonly [string, string?] {
  const { protocol, host, pathname } = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  const path = pathname.replace(/\/$/, '');
  const inPath = `${protocol}//${host}${path}/${bucket}`;
  // Some storages show an endpoint that already names the bucket.
  const inHost = `${protocol}//${host.startsWith(`${bucket}.`) ? '' : `${bucket}.`}${host}${path}`;
  if (endpoint === undefined) return [bucket.includes('.') ? inPath : inHost];
  // A subdomain of an IP address is not a URL.
  return URL.canParse(inHost) ? [inPath, inHost] : [inPath];
}

function elementOf(xml: string, name: string): string | undefined {
  const [, text] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? [];
  return text?.replaceAll(/&(?:#(x?)([0-9a-fA-F]+)|(\w+));/g, (entity, isHex: string, code: string, named: string) => {
    if (named !== undefined) return ENTITIES.get(named) ?? entity;
    const point = Number.parseInt(code, isHex === '' ? 10 : 16);
    return point <= MAX_CODE_POINT ? String.fromCodePoint(point) : entity;
  });
}
