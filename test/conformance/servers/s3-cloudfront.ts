// CloudFront in front of a bucket, on this machine: the site's own edge functions, between them the rules that AWS
// documents.
// It has no cache: every request goes to the origin. All methods are let through, as a distribution can be told to.
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { type FunctionResponse, isFunctionResponse, loadViewerRequest } from './cloudfront-function.ts';
import { type Reply, textReply } from './finish-reply.ts';
import { startLoopback } from './loopback-host.ts';
import { loadOriginResponse } from './origin-response.ts';
import { loadResponseHeadersPolicy } from './response-headers-policy.ts';
import type { ConformanceServer } from './running-host.ts';
import { openS3Origin } from './s3-origin.ts';

const COMPRESSED = { from: 1_000, to: 10_000_000 };
const MAX_URL_BYTES = 8_192;

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

    return startLoopback(answer, { compressed: COMPRESSED });
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
