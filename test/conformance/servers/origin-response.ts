// Runs a Lambda@Edge function on what the origin answered.
import { pathToFileURL } from 'node:url';
import type { FunctionRequest } from './cloudfront-function.ts';
import type { Reply } from './finish-reply.ts';

type EdgeHeaders = Record<string, { key?: string; value: string }[]>;

interface EdgeResponse {
  status: string | number;
  statusDescription?: string;
  headers: EdgeHeaders;
  body?: string;
  bodyEncoding?: 'text' | 'base64';
}

export type OriginResponseFunction = (asked: FunctionRequest, reply: Reply) => Promise<Reply>;

const MAX_BODY_BYTES = 1_048_576;

export async function loadOriginResponse(file: string): Promise<OriginResponseFunction> {
  const { handler } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
    handler: (event: object, context: object) => Promise<EdgeResponse>;
  };
  return async (asked, reply) => {
    const request = { clientIp: '127.0.0.1', method: asked.method, uri: asked.uri, querystring: '', headers: {} };
    const response = { status: String(reply.status), statusDescription: '', headers: toEdge(reply.headers) };
    const config = { distributionId: 'EXAMPLE', eventType: 'origin-response', requestId: 'test' };
    const result = await handler({ Records: [{ cf: { config, request, response } }] }, {});
    if (Buffer.byteLength(result.body ?? '') > MAX_BODY_BYTES) throw new Error(`${file}: a body larger than 1 MB`);
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
