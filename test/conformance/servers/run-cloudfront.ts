// Simulates CloudFront with a bucket by AWS's documented rules, and runs the site's Lambda@Edge function in it.
// Arguments: the folder of the host's files, the output folder of the build, the port.
// Every request goes to the bucket, since the simulation has no cache. It allows all methods.
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { objectHeaders } from '#serving/handle-request.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { filesBelow } from '../../support/sample.ts';
import { type Reply, requestListener, textReply } from './reply.ts';

type EdgeHeaders = Record<string, { key?: string; value: string }[]>;

interface EdgeRequest {
  readonly uri: string;
  readonly querystring: string;
}

interface EdgeResponse {
  readonly status: string;
  readonly headers: EdgeHeaders;
  readonly body?: string;
  readonly bodyEncoding?: 'text' | 'base64';
}

type Handler = (event: object, context: object) => Promise<EdgeRequest | EdgeResponse>;

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

const COMPRESSED = { from: 1_000, to: 10_000_000 };
const MAX_URL_BYTES = 8_192;
const MAX_CODE_BYTES = 50_000_000;
const MAX_BODY_BYTES = 1_048_576;
const MAX_MS = 30_000;
const BUCKET = 'tokens.s3.eu-central-1.amazonaws.com';
/** Matches headers that a function must not set. CloudFront would respond with 502. */
const FORBIDDEN = new RegExp(
  `^(?:connection|expect|keep-alive|proxy-.*|trailer|upgrade|transfer-encoding|via|x-cache|${[
    ...['x-accel-.*', 'x-amz-cf-.*', 'x-edge-.*', 'x-forwarded-proto', 'x-real-ip'],
  ].join('|')})$`,
);

const [hosts = '', dist = '', port = ''] = process.argv.slice(2);
const objects = new Set(filesBelow(dist));
// Answers the function's requests to the bucket. The function signs them like any S3 client.
globalThis.fetch = async (input) => requestBucket(new Request(input));
const originRequest = await readFunction(join(hosts, 'origin-request.mjs'));
const behaviours = readBehaviours(join(hosts, 'README.md'));
const policies = new Map([...new Set(behaviours.values())].map((name) => [name, readPolicy(name)]));
createServer(requestListener(respond, COMPRESSED)).listen(Number(port), '127.0.0.1');

async function respond(request: IncomingMessage): Promise<Reply> {
  const url = request.url ?? '/';
  if (Buffer.byteLength(url) > MAX_URL_BYTES) return textReply(414, 'Request-URI Too Long');
  const [uri = '/', querystring = ''] = url.split(/\?(.*)/s);
  const method = request.method ?? 'GET';
  const plain = [...behaviours.keys()].find((pattern) => pattern !== 'default' && matches(pattern, uri));
  const policy = policies.get(behaviours.get(plain ?? 'default') ?? '');
  if (policy === undefined) throw new Error(`no policy for ${uri}`);
  const result = plain === undefined ? await originRequest(method, uri, querystring) : { uri, querystring: '' };
  const reply = 'uri' in result ? readObject(method, result.uri) : functionReply(result);
  return { ...reply, headers: policy(request, reply.headers) };
}

function matches(pattern: string, uri: string): boolean {
  return pattern.endsWith('*') ? uri.startsWith(pattern.slice(0, -1)) : uri === pattern;
}

/**
 * Checks that the headers and the size of the function's response are within CloudFront's limits. Returns the response
 * to send.
 */
function functionReply({ status, headers, body = '', bodyEncoding = 'text' }: EdgeResponse): Reply {
  for (const name of Object.keys(headers))
    if (name !== name.toLowerCase() || FORBIDDEN.test(name)) throw new Error(`the function set the header ${name}`);
  const values = Object.entries(headers).map(([name, fields]) => [name, fields.map(({ value }) => value).join(', ')]);
  const bytes = Buffer.byteLength(body) + Buffer.byteLength(JSON.stringify(values));
  if (bytes > MAX_BODY_BYTES) throw new Error(`the function made a response of ${bytes} bytes`);
  const content = Buffer.from(body, bodyEncoding === 'base64' ? 'base64' : 'utf8');
  return { status: Number(status), headers: Object.fromEntries(values), body: content };
}

/** Reads an object of the bucket, which contains the published build. */
function readObject(method: string, uri: string): Reply {
  if (method !== 'GET' && method !== 'HEAD') return xmlReply(405, 'MethodNotAllowed');
  const key = keyOf(uri);
  if (key === undefined || !objects.has(key)) return xmlReply(404, 'NoSuchKey');
  const headers = objectHeaders(key, SITE_RULES);
  return {
    status: 200,
    headers: { 'content-type': headers['Content-Type'], 'cache-control': headers['Cache-Control'] },
    body: readFileSync(join(dist, key)),
  };
}

function xmlReply(status: number, code: string): Reply {
  return {
    status,
    headers: { 'content-type': 'application/xml' },
    body: Buffer.from(`<Error><Code>${code}</Code></Error>`),
  };
}

function keyOf(uri: string): string | undefined {
  try {
    return decodeURIComponent(uri.slice(1));
  } catch {
    return undefined;
  }
}

/** Responds like S3: refuses requests without a signature for the region of the bucket. */
function requestBucket({ url, method, headers }: Request): Response {
  const { host: name, pathname } = new URL(url);
  if (name !== BUCKET) throw new Error(`the function sent a request to ${name}`);
  const isSigned = /^AWS4-HMAC-SHA256 Credential=KEY\/\d+\/eu-central-1\/s3\//.test(headers.get('authorization') ?? '');
  const hasRoleToken = isSigned && headers.get('x-amz-security-token') === 'TOKEN';
  const reply = hasRoleToken ? readObject(method, pathname) : xmlReply(403, 'AccessDenied');
  return new Response(method === 'HEAD' ? null : new Uint8Array(reply.body), {
    status: reply.status,
    headers: reply.headers,
  });
}

async function readFunction(file: string) {
  const bytes = gzipSync(readFileSync(file)).length;
  if (bytes > MAX_CODE_BYTES) throw new Error(`${file} has ${bytes} bytes; the limit is ${MAX_CODE_BYTES}`);
  const { handler } = (await import(pathToFileURL(file).href)) as { readonly handler: Handler };
  return async (method: string, uri: string, querystring: string) => {
    const origin = { s3: { authMethod: 'none', customHeaders: {}, domainName: BUCKET, path: '', region: '' } };
    const request = { clientIp: '127.0.0.1', headers: {}, method, origin, querystring, uri };
    const config = { distributionId: 'EXAMPLE', eventType: 'origin-request', requestId: 'test' };
    const started = performance.now();
    const result = await handler({ Records: [{ cf: { config, request } }] }, {});
    if (performance.now() - started > MAX_MS) throw new Error(`the function took more than ${MAX_MS} ms for ${uri}`);
    return result;
  };
}

/** Reads the table in README.md, which has the name of the header policy for each path pattern. */
function readBehaviours(file: string): Map<string, string> {
  const text = readFileSync(file, 'utf8');
  const [, standard = ''] = /Give it the policy `([^`]+)`/.exec(text) ?? [];
  const rows = [...text.matchAll(/^\| `(\/[^`]+)` \| `([^`]+)` \|$/gm)].map(([, path = '', name = '']) => [path, name]);
  return new Map([['default', standard], ...(rows as [string, string][])]);
}

/**
 * Reads a response headers policy. Returns a function that adds the policy's headers to a response, and handles
 * preflights.
 */
function readPolicy(policyName: string) {
  const file = join(hosts, `${policyName}-headers.json`);
  const { Name, Comment, ...policy } = JSON.parse(readFileSync(file, 'utf8')) as Policy;
  const { CorsConfig: cors, SecurityHeadersConfig: security, CustomHeadersConfig: custom, ...otherSettings } = policy;
  const origins = cors.AccessControlAllowOrigins.Items.join();
  if (
    Name !== policyName ||
    Object.keys({ ...otherSettings, ...security }).join() !== 'ContentTypeOptions' ||
    origins !== '*'
  )
    throw new Error(`${file} has settings that this simulation does not support`);
  // CloudFront refuses to create a policy with these headers.
  if (cors.AccessControlAllowCredentials || custom.Items.some(({ Header }) => /^access-control-/i.test(Header)))
    throw new Error(`${file} has settings that CloudFront refuses`);
  const exposed = cors.AccessControlExposeHeaders.Items.join(', ');
  const always = [
    ['x-content-type-options', 'nosniff', security.ContentTypeOptions.Override] as const,
    ...custom.Items.map(({ Header, Value, Override }) => [Header.toLowerCase(), Value, Override] as const),
  ];
  // CloudFront adds these headers only if the request has an Origin.
  const corsHeaders = [
    ['access-control-allow-origin', origins, cors.OriginOverride] as const,
    ['access-control-expose-headers', exposed, cors.OriginOverride] as const,
  ];
  return (request: IncomingMessage, headers: Reply['headers']): Reply['headers'] => {
    const merged = { ...headers };
    for (const [name, value, override] of request.headers.origin === undefined ? always : [...corsHeaders, ...always])
      if (override || merged[name] === undefined) merged[name] = value;
    return merged;
  };
}
