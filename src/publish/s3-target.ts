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
  /**
   * The URL of the bucket. It has no slash at its end, since some storages would include that slash in the signature.
   */
  const base = bucketUrl(options);
  const pool = openPool(base, LIMITS);
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
        const url = new URL(base);
        url.searchParams.set('list-type', '2');
        url.searchParams.set('prefix', prefix);
        if (token !== undefined) url.searchParams.set('continuation-token', token);
        const xml = (await sendUntilDone('GET', url, `Listing ${name}`)).body.toString();
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
    return sendUntilDone(method, new URL(`${base}/${path}`), `${VERBS[method]} s3://${bucket}/${fullKey}`, sent);
  }

  /**
   * Sends a request, and retries temporary failures. `what`: the beginning of a message, such as
   * `Reading s3://bucket/key`. Throws FailureError.
   */
  async function sendUntilDone(method: Method, url: URL, what: string, sent: Sent = {}): Promise<HttpResponse> {
    const result = await queue.runWithRetries(async () => {
      const response = await send(method, url, sent);
      if (isFailure(response)) return response;
      const { status, body } = response;
      const isExpected =
        sent.expected?.includes(status) && !(status === MISSING && /NoSuchBucket/.test(body.toString()));
      return SUCCESS.includes(status) || isExpected ? response : refusalOf(what, response);
    }, MAX_ATTEMPTS);
    if (isFailure(result)) throw new FailureError(result);
    return result;
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
function refusalOf(what: string, response: HttpResponse): Failure {
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
      : 'Check the bucket, --endpoint, --region, and the credentials with their permissions.';
  return fail('target-refused', `${failure.message} ${advice}`);
}

/**
 * Returns the URL of a bucket. At AWS, a bucket with a dot is named in the path, since the certificate does not match
 * such a host name.
 */
export function bucketUrl({ bucket, endpoint, region }: Pick<S3Options, 'bucket' | 'endpoint' | 'region'>): string {
  if (endpoint !== undefined) return `${endpoint.replace(/\/$/, '')}/${bucket}`;
  const host = `s3.${region}.amazonaws.com`;
  return bucket.includes('.') ? `https://${host}/${bucket}` : `https://${bucket}.${host}`;
}

function elementOf(xml: string, name: string): string | undefined {
  const [, text] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? [];
  return text?.replaceAll(/&(?:#(x?)([0-9a-fA-F]+)|(\w+));/g, (entity, isHex: string, code: string, named: string) => {
    if (named !== undefined) return ENTITIES.get(named) ?? entity;
    const point = Number.parseInt(code, isHex === '' ? 10 : 16);
    return point <= MAX_CODE_POINT ? String.fromCodePoint(point) : entity;
  });
}
