// Lambda@Edge on origin responses (us-east-1): gives every error its body and its status.
import type { Headers } from '#serving/headers.ts';
import type { FixedAnswer } from '#serving/rules.ts';

/** The bundler puts it in. */
declare const RULES: {
  readonly common: Headers;
  readonly error: Headers;
  /** Bodies of the fixed errors, by file. */
  readonly errors: Readonly<Record<string, string>>;
  /** By path: the headers that the policy does not set, and what is answered where the bucket has nothing. */
  readonly rules: readonly { readonly match: string; readonly headers: Headers; readonly error: FixedAnswer }[];
};

const RETRY_AFTER = '2';
const UNAVAILABLE = JSON.stringify({ error: 'Service Unavailable' });

interface EdgeResponse {
  status: string;
  statusDescription: string;
  body?: string;
  bodyEncoding?: 'text';
  readonly headers: Record<string, { readonly key: string; readonly value: string }[]>;
}

interface EdgeEvent {
  readonly Records: readonly [
    { readonly cf: { readonly request: { readonly uri: string }; readonly response: EdgeResponse } },
  ];
}

export async function handler(event: EdgeEvent): Promise<EdgeResponse> {
  const { request, response } = event.Records[0].cf;
  setHeaders(response, RULES.common);
  // The error of a path is below its status. Names that the function on requests lets through need no decoding.
  const [, file = '', status, path = ''] = /^\/((?:errors\/(\d+)[/.])?(.*))$/.exec(request.uri) ?? [];
  if (status !== undefined && Object.hasOwn(RULES.errors, file)) return refuse(response, status, RULES.errors[file]);
  const rule = RULES.rules.find(({ match }) => new RegExp(`^(?:${match})$`).test(path));
  // Without the permission to list the bucket, S3 returns 403 for a missing key.
  if (rule !== undefined && (response.status === '404' || response.status === '403'))
    return refuse(response, String(rule.error.status), RULES.errors[rule.error.file]);
  // The file may exist although the bucket fails. Caches must not store this response.
  if (Number(response.status) >= 500) {
    setHeaders(response, { 'Retry-After': RETRY_AFTER });
    return refuse(response, '503', UNAVAILABLE);
  }
  if (status !== undefined && response.status === '200') return refuse(response, status);
  setHeaders(response, rule?.headers ?? {});
  return response;
}

/** Without a body, the bucket's is sent. */
function refuse(response: EdgeResponse, status: string, body?: string): EdgeResponse {
  delete response.headers.etag;
  delete response.headers['last-modified'];
  setHeaders(response, RULES.error);
  response.status = status;
  response.statusDescription = '';
  if (body !== undefined) {
    response.body = body;
    response.bodyEncoding = 'text';
  }
  return response;
}

function setHeaders(response: EdgeResponse, headers: Headers): void {
  for (const [name, value] of Object.entries(headers)) response.headers[name.toLowerCase()] = [{ key: name, value }];
}
