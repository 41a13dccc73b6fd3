// CloudFront in front of a bucket, on this machine: the site's own edge functions, between them the rules that AWS
// documents.
// It has no cache: every request goes to the origin. All methods are let through, as a distribution can be told to.
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { objectHeaders } from '#serving/answer-request.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { filesBelow } from '../../support/sample.ts';
import {
  type FunctionRequest,
  type FunctionResponse,
  isFunctionResponse,
  loadViewerRequest,
} from './cloudfront-function.ts';
import { type Reply, startLoopback, textReply } from './loopback-host.ts';
import type { ConformanceServer } from './running-host.ts';

const COMPRESSED = { from: 1_000, to: 10_000_000 };
const MAX_URL_BYTES = 8_192;

const FORBIDDEN =
  '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>';

type EdgeHeaders = Record<string, { key?: string; value: string }[]>;

interface EdgeResponse {
  status: string | number;
  statusDescription?: string;
  headers: EdgeHeaders;
  body?: string;
  bodyEncoding?: 'text' | 'base64';
}

const MAX_EDGE_BODY_BYTES = 1_048_576;

export const s3Cloudfront: ConformanceServer = {
  name: 's3-cloudfront',
  async start({ dist, hosts }) {
    const folder = join(hosts, 's3-cloudfront');
    const viewerRequest = loadViewerRequest(join(folder, 'viewer-request.js'), join(folder, 'key-values.json'));
    const originResponse = await loadOriginResponse(join(folder, 'origin-response.mjs'));
    const policy = loadResponseHeadersPolicy(join(folder, 'response-headers-policy.json'));
    const bucket = openS3Origin(dist);

    async function answer(request: IncomingMessage): Promise<Reply> {
      if (Buffer.byteLength(request.url ?? '') > MAX_URL_BYTES) return textReply(414, 'Request-URI Too Long');
      const result = await viewerRequest(request);
      // The policy is documented for what comes from the cache or the origin; this comes from neither.
      if (isFunctionResponse(result)) return generated(result);
      const method = request.method ?? 'GET';
      if (method !== 'GET' && method !== 'HEAD') return textReply(405, 'MethodNotAllowed');
      const reply = await originResponse(result, bucket(result.uri));
      return { ...reply, headers: policy(request, reply.headers) };
    }

    return startLoopback(answer, COMPRESSED);
  },
};

function generated({ statusCode, headers = {}, body = '' }: FunctionResponse): Reply {
  const { encoding, data } = typeof body === 'string' ? { encoding: 'text' as const, data: body } : body;
  return {
    status: statusCode,
    headers: Object.fromEntries(Object.entries(headers).map(([name, { value }]) => [name, value])),
    body: Buffer.from(data, encoding === 'base64' ? 'base64' : 'utf8'),
    asIs: true,
  };
}

/** A bucket that a build was published to, as CloudFront sees it: keys are flat, and what is not there is forbidden. */
function openS3Origin(dist: string): (uri: string) => Reply {
  const objects = new Set(filesBelow(dist));
  return (uri) => {
    const key = keyOf(uri);
    // S3 tells that an object is missing only to those who may list the bucket.
    if (key === undefined || !objects.has(key)) {
      return { status: 403, headers: { 'content-type': 'application/xml' }, body: Buffer.from(FORBIDDEN) };
    }
    const own = objectHeaders(key, SITE_RULES);
    return {
      status: 200,
      headers: { 'content-type': own['Content-Type'], 'cache-control': own['Cache-Control'] },
      body: readFileSync(join(dist, key)),
    };
  };
}

function keyOf(uri: string): string | undefined {
  try {
    return decodeURIComponent(uri.slice(1));
  } catch {
    return undefined;
  }
}

/** A Lambda@Edge function, run on what the origin answered. */
async function loadOriginResponse(file: string): Promise<(asked: FunctionRequest, reply: Reply) => Promise<Reply>> {
  const { handler } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
    handler: (event: object, context: object) => Promise<EdgeResponse>;
  };
  return async (asked, reply) => {
    const request = { clientIp: '127.0.0.1', method: asked.method, uri: asked.uri, querystring: '', headers: {} };
    const response = { status: String(reply.status), statusDescription: '', headers: toEdge(reply.headers) };
    const config = { distributionId: 'EXAMPLE', eventType: 'origin-response', requestId: 'test' };
    const result = await handler({ Records: [{ cf: { config, request, response } }] }, {});
    if (Buffer.byteLength(result.body ?? '') > MAX_EDGE_BODY_BYTES) throw new Error(`${file}: a body larger than 1 MB`);
    return {
      status: Number(result.status),
      headers: fromEdge(result.headers, file),
      // Without a body of its own, the origin's stays.
      body:
        result.body === undefined
          ? reply.body
          : Buffer.from(result.body, result.bodyEncoding === 'base64' ? 'base64' : 'utf8'),
    };
  };
}

function toEdge(headers: Readonly<Record<string, string>>): EdgeHeaders {
  return Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, [{ key, value }]]));
}

function fromEdge(headers: EdgeHeaders, file: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, values]) => {
      if (name !== name.toLowerCase()) throw new Error(`${file}: the header ${name} is not in lower case`);
      return [name, values.map(({ value }) => value).join(', ')];
    }),
  );
}

interface Policy {
  readonly Name: string;
  readonly Comment: string;
  readonly CorsConfig: {
    readonly AccessControlAllowOrigins: { readonly Items: readonly string[] };
    readonly AccessControlExposeHeaders: { readonly Items: readonly string[] };
    readonly AccessControlAllowCredentials: boolean;
    readonly OriginOverride: boolean;
  };
  readonly SecurityHeadersConfig: { readonly ContentTypeOptions: { readonly Override: boolean } };
  readonly CustomHeadersConfig: {
    readonly Items: readonly { readonly Header: string; readonly Value: string; readonly Override: boolean }[];
  };
}

/** Adds the headers of a response headers policy, as its documentation says; preflights are the function's. */
function loadResponseHeadersPolicy(file: string) {
  const { Name, Comment, ...policy } = JSON.parse(readFileSync(file, 'utf8')) as Policy;
  const { CorsConfig: cors, SecurityHeadersConfig: security, CustomHeadersConfig: custom, ...others } = policy;
  const origins = cors.AccessControlAllowOrigins.Items.join();
  if (Object.keys({ ...others, ...security }).join() !== 'ContentTypeOptions' || origins !== '*')
    throw new Error(`${file} has what cannot be tried out here`);
  // They are refused when the policy is made.
  if (cors.AccessControlAllowCredentials || custom.Items.some(({ Header }) => /^access-control-/i.test(Header)))
    throw new Error(`${file} has what CloudFront refuses`);
  const exposed = cors.AccessControlExposeHeaders.Items.join(', ');
  const always = [
    ['x-content-type-options', 'nosniff', security.ContentTypeOptions.Override] as const,
    ...custom.Items.map(({ Header, Value, Override }) => [Header.toLowerCase(), Value, Override] as const),
  ];
  // Only a request that says where it comes from is a CORS request.
  const ofCors = [
    ['access-control-allow-origin', origins, cors.OriginOverride] as const,
    ['access-control-expose-headers', exposed, cors.OriginOverride] as const,
  ];
  return (request: IncomingMessage, headers: Reply['headers']): Reply['headers'] => {
    const merged = { ...headers };
    for (const [name, value, override] of request.headers.origin === undefined ? always : [...ofCors, ...always])
      if (override || merged[name] === undefined) merged[name] = value;
    return merged;
  };
}
