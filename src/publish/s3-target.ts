// A bucket of S3, or of a storage that speaks its protocol, as a storage to publish to.
// aws4fetch signs requests (AWS Signature Version 4): MIT, 2 KB, no dependencies.
import { hash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import { type Failure, FailureError, fail, isFailure } from '#model/failure.ts';
import { HostQueue } from '#net/host-queue.ts';
import { failOfStatus, type HttpResponse, openPool } from '#net/send-request.ts';
import { excerpt } from '#text/quote.ts';
import type { Target } from './target.ts';

type Method = 'GET' | 'PUT' | 'DELETE';

interface S3Options {
  readonly bucket: string;
  /** Before every key, with a slash at its end, or empty. */
  readonly prefix: string;
  /** URL of the storage; undefined for that of AWS in the region. */
  readonly endpoint: string | undefined;
  readonly region: string;
  /** Asked before each request: some are good for an hour. */
  readonly credentials: () => Promise<S3Credentials>;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** For tests: by how much pauses are shorter. */
  readonly haste?: number;
}

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** A whole record of a million files has less. */
const MAX_READ_BYTES = 500_000_000;
const MAX_TOLD = 200;
const MAX_ATTEMPTS = 6;
/** A storage that asks for more time ends the run, since nobody would see why it waits. */
const PATIENCE_MS = 120_000;
const LIMITS = { connectTimeoutMs: 10_000, idleTimeoutMs: 60_000, totalTimeoutMs: 300_000 };
const GOOD: readonly number[] = [200, 201, 204];
const MISSING = 404;
const NOT_IMPLEMENTED = 501;
const PRECONDITION_FAILED = 412;
const ENTITIES = new Map(Object.entries({ quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' }));
/** Two conditional requests met: the other one may fail yet. */
const CONFLICT = 409;
/** A body came late, or not as it was sent. */
const HURT_ON_THE_WAY = new Set([
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
  /** Statuses that answer the question beside the good ones. */
  readonly answers?: readonly number[];
}

export function openS3Target(options: S3Options): Target {
  const { bucket, prefix, region, credentials, concurrency, signal, haste } = options;
  const name = `s3://${bucket}${prefix === '' ? '' : `/${prefix.slice(0, -1)}`}`;
  /** Without a slash at its end: some storages sign it so. */
  const base = bucketUrl(options);
  const pool = openPool(base, LIMITS);
  const queue = new HostQueue({ host: name, concurrency, patienceMs: PATIENCE_MS, signal, haste });
  /** Keys that signing derives, one a day. */
  const signingKeys = new Map<string, ArrayBuffer>();
  return {
    name,
    async read(key) {
      const { status, body } = await askFor('GET', key, { answers: [MISSING] });
      return status === MISSING ? undefined : body;
    },
    async write(object, { onlyIfNew = false } = {}) {
      const { key, body, sha256, headers } = object;
      const sent = { body, sha256, headers: { ...headers, ...(onlyIfNew ? { 'If-None-Match': '*' } : {}) } };
      const answers = onlyIfNew ? [PRECONDITION_FAILED, NOT_IMPLEMENTED] : [];
      const { status } = await askFor('PUT', key, { ...sent, answers });
      if (status === NOT_IMPLEMENTED) return this.write(object);
      return status === PRECONDITION_FAILED ? 'exists' : 'written';
    },
    async remove(key) {
      await askFor('DELETE', key, { answers: [MISSING] });
    },
    async *list(within = '') {
      let token: string | undefined;
      do {
        const url = new URL(base);
        url.searchParams.set('list-type', '2');
        url.searchParams.set('prefix', `${prefix}${within}`);
        if (token !== undefined) url.searchParams.set('continuation-token', token);
        const xml = (await ask('GET', url, `the list of ${prefix}${within}*`)).body.toString();
        const [, ...found] = xml.split('<Contents>');
        yield found.map((text) => (elementOf(text, 'Key') ?? '').slice(prefix.length));
        token = elementOf(xml, 'NextContinuationToken');
        // Some storages have an empty one at the end.
      } while (token);
    },
    hasHeaders: true,
    [Symbol.asyncDispose]: () => pool.close(),
  };

  function askFor(method: Method, key: string, sent: Sent): Promise<HttpResponse> {
    const whole = `${prefix}${key}`;
    const path = whole.split('/').map(encodeURIComponent).join('/');
    return ask(method, new URL(`${base}/${path}`), whole, sent);
  }

  /** Again, where that may help. `what`: for messages. Throws FailureError. */
  async function ask(method: Method, url: URL, what: string, sent: Sent = {}): Promise<HttpResponse> {
    const result = await queue.ask(async () => {
      const response = await send(method, url, sent);
      if (isFailure(response)) return response;
      const { status, body } = response;
      const isAnswer = sent.answers?.includes(status) && !(status === MISSING && /NoSuchBucket/.test(body.toString()));
      return GOOD.includes(status) || isAnswer ? response : refusalOf(`${name} answers ${method} ${what}`, response);
    }, MAX_ATTEMPTS);
    if (isFailure(result)) throw new FailureError(result);
    return result;
  }

  /** The hash of the body is signed, so what arrives is what was sent. */
  async function send(method: Method, url: URL, { body, sha256, headers }: Sent): Promise<HttpResponse | Failure> {
    const own = await credentials().catch((error: Error) =>
      fail('publish-incomplete', `The credentials for ${name} could not be renewed: ${error.message}`, error),
    );
    if (isFailure(own)) return own;
    const { accessKeyId, secretAccessKey, sessionToken } = own;
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

/** `whose`: who answers which request. */
function refusalOf(whose: string, response: HttpResponse): Failure {
  const { status, header, body } = response;
  const xml = body.toString();
  const code = elementOf(xml, 'Code') ?? '';
  const said = [code, elementOf(xml, 'Message') ?? ''].filter((text) => text !== '').join(': ');
  const why = said === '' ? '' : ` (${excerpt(said, MAX_TOLD)})`;
  const failure = failOfStatus(response, `${whose} with status ${status}${why}.`);
  if (failure.retryable || status === CONFLICT || HURT_ON_THE_WAY.has(code)) return { ...failure, retryable: true };
  const advice =
    code === 'RequestTimeTooSkewed'
      ? `It is ${header('date')} there, and ${new Date().toUTCString()} here: set the clock.`
      : 'Check the bucket, --endpoint, --region, and the credentials and what they may do.';
  return fail('target-refused', `${failure.message} ${advice}`);
}

/** AWS has no certificate for a dot before its own name: such a bucket is in the path. */
export function bucketUrl({ bucket, endpoint, region }: Pick<S3Options, 'bucket' | 'endpoint' | 'region'>): string {
  if (endpoint !== undefined) return `${endpoint.replace(/\/$/, '')}/${bucket}`;
  const host = `s3.${region}.amazonaws.com`;
  return bucket.includes('.') ? `https://${host}/${bucket}` : `https://${bucket}.${host}`;
}

function elementOf(xml: string, name: string): string | undefined {
  const [, text] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? [];
  return text?.replaceAll(/&(?:#(x?)([0-9a-fA-F]+)|(\w+));/g, (entity, isHex: string, code: string, named: string) =>
    named === undefined
      ? String.fromCodePoint(Number.parseInt(code, isHex === '' ? 10 : 16))
      : (ENTITIES.get(named) ?? entity),
  );
}
