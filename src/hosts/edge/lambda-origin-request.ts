// Responds to requests for S3 objects that CloudFront has not cached, or rewrites a request to another object. Runs on
// Lambda@Edge for origin requests.
import { AwsClient } from 'aws4fetch';
import { fileHeaders } from '#serving/handle-request.ts';
import type { Headers } from '#serving/headers.ts';
import type { SiteRules } from '#serving/rules.ts';
import { encodePath, foundIn, handleFetch } from './respond.ts';

/** The rules of the site. A build defines this constant before the bundled program. */
declare const RULES: SiteRules;

interface EdgeRequest {
  readonly method: string;
  readonly uri: string;
  readonly querystring: string;
  readonly origin: { readonly s3: { readonly domainName: string; readonly path: string } };
}

interface EdgeResponse {
  readonly status: string;
  readonly headers: Record<string, { readonly key: string; readonly value: string }[]>;
  readonly body?: string;
  readonly bodyEncoding?: 'text' | 'base64';
}

interface EdgeEvent {
  readonly Records: readonly [{ readonly cf: { readonly request: EdgeRequest } }];
}

/** The credentials of the function's role. They are valid as long as an instance of the function runs. */
const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '', AWS_SESSION_TOKEN } = process.env;
const CLIENT = new AwsClient({
  accessKeyId: AWS_ACCESS_KEY_ID,
  secretAccessKey: AWS_SECRET_ACCESS_KEY,
  ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
  service: 's3',
  retries: 2,
});
/**
 * The maximum size of a response that the function returns, including headers, in bytes. Larger ones are files, since
 * lists and batches are smaller (serving/fit-row.ts).
 */
const MAX_BYTES = 1_048_576;
const POLICY = 'Content-Security-Policy';

export async function handler({ Records: [{ cf }] }: EdgeEvent): Promise<EdgeRequest | EdgeResponse> {
  const { method, uri, querystring, origin } = cf.request;
  const { domainName, path } = origin.s3;
  const get = async (file: string, verb: 'GET' | 'HEAD') =>
    await foundIn(await CLIENT.fetch(`https://${domainName}${path}/${encodePath(file)}`, { method: verb }), file);
  const rewrite = (file: string) => ({ ...cf.request, uri: `/${encodePath(file)}`, querystring: '' });
  const request = new Request(`https://${domainName}${uri}?${querystring}`, { method });
  const response = await handleFetch(request, RULES, {
    read: (file) => get(file, 'GET'),
    has: async (file) => (await get(file, 'HEAD')) !== undefined,
    sends: isSent,
  });
  const { status, headers, file, body } = response;
  if (file !== undefined && body === undefined) return rewrite(file);
  const content = encode(Buffer.from(await new Response(body).arrayBuffer()));
  const isTooLarge = Buffer.byteLength(content.body + JSON.stringify(headers)) > MAX_BYTES;
  return file !== undefined && isTooLarge ? rewrite(file) : respond(status, headers, content);
}

/**
 * Returns true if CloudFront sends the object with exactly these headers. The object has a type and caching, and
 * CloudFront adds a content policy.
 */
function isSent(file: string, headers: Headers): boolean {
  const sent = { ...fileHeaders(file, RULES), [POLICY]: RULES.headers.response[POLICY] };
  return Object.entries(sent).every(([name, value]) => headers[name] === value);
}

type Content = Pick<EdgeResponse, 'body' | 'bodyEncoding'>;

/** Returns the content as text if that keeps its bytes, which it does not for pictures. */
function encode(bytes: Buffer): Content {
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes) ? { body: text } : { body: bytes.toString('base64'), bodyEncoding: 'base64' };
}

function respond(status: number, headers: Headers, content: Content): EdgeResponse {
  const fields = Object.entries(headers).map(([key, value]) => [key.toLowerCase(), [{ key, value }]]);
  return { status: String(status), headers: Object.fromEntries(fields), ...content };
}
