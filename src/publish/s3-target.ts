// A bucket of S3, or of a storage that speaks its protocol, as a storage to publish to.
// aws4fetch signs requests (AWS Signature Version 4): MIT, 2 KB, no dependencies.
import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import { type Failure, FailureError, fail, isFailure } from '#model/failure.ts';
import { retell } from '#model/quote.ts';
import { failOfStatus, type HttpResponse } from '#net/send-request.ts';
import { ServerPool } from '#net/server-pool.ts';
import type { ListedObject, ListOptions, Target, TargetObject } from './target.ts';

export interface S3Options {
  readonly bucket: string;
  /** Before every key, with a slash at its end, or empty. */
  readonly prefix: string;
  /** Of the storage; undefined for that of AWS in the region. */
  readonly endpoint: string | undefined;
  readonly region: string;
  readonly credentials: S3Credentials;
  readonly signal: AbortSignal;
}

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** Records of what is published have a few megabytes. */
const MAX_READ_BYTES = 500_000_000;
const MAX_TOLD = 200;
const LIMITS = { connectTimeoutMs: 10_000, idleTimeoutMs: 60_000, totalTimeoutMs: 300_000 };
/** A condition that the storage does not know. */
const NOT_IMPLEMENTED = 501;
const PRECONDITION_FAILED = 412;
/** Two conditional requests met: the other one may fail yet. */
const CONFLICT = 409;

interface Sent {
  readonly body?: Uint8Array;
  readonly sha256?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export class S3Target implements Target {
  readonly name: string;
  readonly #options: S3Options;
  /** Of the bucket, without a slash at its end: some storages sign it so. */
  readonly #bucketUrl: string;
  readonly #pool: ServerPool;
  /** Keys that signing derives, one a day. */
  readonly #signingKeys = new Map<string, ArrayBuffer>();

  constructor(options: S3Options) {
    const { bucket, prefix, endpoint, region } = options;
    this.#options = options;
    this.name = `s3://${bucket}${prefix === '' ? '' : `/${prefix.slice(0, -1)}`}`;
    this.#bucketUrl =
      endpoint === undefined
        ? `https://${bucket}.s3.${region}.amazonaws.com`
        : `${endpoint.replace(/\/$/, '')}/${bucket}`;
    this.#pool = new ServerPool(this.#bucketUrl, LIMITS);
  }

  async read(key: string): Promise<Buffer | undefined | Failure> {
    const response = await this.#ask('GET', this.#urlOf(key));
    if (isFailure(response)) return response;
    if (response.status === 200) return response.body;
    return response.status === 404 && !/NoSuchBucket/.test(response.body.toString())
      ? undefined
      : this.#refused(response);
  }

  async write(
    object: TargetObject,
    { onlyIfNew = false }: { onlyIfNew?: boolean } = {},
  ): Promise<'written' | 'exists' | Failure> {
    const { key, body, sha256, headers } = object;
    const condition = onlyIfNew ? { 'If-None-Match': '*' } : {};
    const response = await this.#ask('PUT', this.#urlOf(key), { body, sha256, headers: { ...headers, ...condition } });
    if (isFailure(response)) return response;
    const { status } = response;
    if (status === 200 || status === 201 || status === 204) return 'written';
    if (onlyIfNew && status === PRECONDITION_FAILED) return 'exists';
    if (onlyIfNew && status === NOT_IMPLEMENTED) return this.write(object);
    return this.#refused(response);
  }

  async remove(key: string): Promise<'removed' | Failure> {
    const response = await this.#ask('DELETE', this.#urlOf(key));
    if (isFailure(response)) return response;
    const isGone = response.status === 404 && !/NoSuchBucket/.test(response.body.toString());
    return response.status === 200 || response.status === 204 || isGone ? 'removed' : this.#refused(response);
  }

  async *list({ prefix: within = '', isAny = false }: ListOptions = {}): AsyncGenerator<ListedObject[]> {
    const { prefix } = this.#options;
    for (let token: string | undefined, isFirst = true; isFirst || token !== undefined; isFirst = false) {
      const url = new URL(this.#bucketUrl);
      url.searchParams.set('list-type', '2');
      url.searchParams.set('prefix', `${prefix}${within}`);
      if (isAny) url.searchParams.set('max-keys', '1');
      if (token !== undefined) url.searchParams.set('continuation-token', token);
      const response = await this.#ask('GET', url);
      if (isFailure(response)) throw new FailureError(response);
      if (response.status !== 200) throw new FailureError(this.#refused(response));
      const xml = response.body.toString();
      yield [...xml.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)].map(([, text = '']) => {
        const [, md5] = /^"?([0-9a-f]{32})"?$/.exec(elementOf(text, 'ETag') ?? '') ?? [];
        return { key: (elementOf(text, 'Key') ?? '').slice(prefix.length), md5 };
      });
      token = isAny ? undefined : elementOf(xml, 'NextContinuationToken');
    }
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  #urlOf(key: string): URL {
    const path = `${this.#options.prefix}${key}`.split('/').map(encodeURIComponent).join('/');
    return new URL(`${this.#bucketUrl}/${path}`);
  }

  /** The hash of the body is signed, so what arrives is what was sent. */
  async #ask(
    method: 'GET' | 'PUT' | 'DELETE',
    url: URL,
    { body, sha256, headers = {} }: Sent = {},
  ): Promise<HttpResponse | Failure> {
    const { credentials, region, signal } = this.#options;
    const hash =
      sha256 ??
      createHash('sha256')
        .update(body ?? '')
        .digest('hex');
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, 'X-Amz-Content-Sha256': hash },
      service: 's3',
      region,
      cache: this.#signingKeys,
      accessKeyId: credentials.accessKeyId,
      secretAccessKey: credentials.secretAccessKey,
      ...(credentials.sessionToken === undefined ? {} : { sessionToken: credentials.sessionToken }),
    }).sign();
    const all = Object.fromEntries(signed.headers as Iterable<[string, string]>);
    return this.#pool.send(signed.url, { method, headers: all, body, maxBytes: MAX_READ_BYTES, signal });
  }

  #refused(response: HttpResponse): Failure {
    const { status, body } = response;
    const xml = body.toString();
    const said = [elementOf(xml, 'Code'), elementOf(xml, 'Message')].filter((text) => text !== undefined).join(': ');
    const why = said === '' ? '' : ` (${retell(said, MAX_TOLD)})`;
    const failure = failOfStatus(response, `${this.name} answers with status ${status}${why}.`);
    if (status === CONFLICT || failure.retryable) return { ...failure, retryable: true };
    return fail('target-refused', `${failure.message} Check the bucket, --endpoint, --region and the credentials.`);
  }
}

/** The text of an element of XML. */
function elementOf(xml: string, name: string): string | undefined {
  const [, text] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? [];
  return text
    ?.replaceAll(/&#(x?)([0-9a-fA-F]+);/g, (_, isHex: string, code: string) =>
      String.fromCodePoint(Number.parseInt(code, isHex === '' ? 10 : 16)),
    )
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
