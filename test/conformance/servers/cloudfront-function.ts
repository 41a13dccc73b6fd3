// Runs a viewer-request function of CloudFront Functions, JavaScript runtime 2.0, within the limits that AWS
// documents for it.
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createContext, runInContext } from 'node:vm';
import { unknownSyntax } from './unknown-syntax.ts';

interface Field {
  value: string;
  multiValue?: { value: string }[];
}

export interface FunctionRequest {
  readonly method: string;
  readonly uri: string;
  readonly querystring: Readonly<Record<string, Field>>;
  readonly headers: Readonly<Record<string, Field>>;
  readonly cookies: Readonly<Record<string, Field>>;
}

export interface FunctionResponse {
  readonly statusCode: number;
  readonly statusDescription?: string;
  readonly headers?: Readonly<Record<string, Field>>;
  readonly body?: string | { readonly encoding: 'text' | 'base64'; readonly data: string };
}

export type ViewerRequestFunction = (request: IncomingMessage) => Promise<FunctionRequest | FunctionResponse>;

const MAX_CODE_BYTES = 10_240;
const MAX_KEY_BYTES = 512;
const MAX_VALUE_BYTES = 1_024;
const MAX_STORE_BYTES = 5_242_880;
const MAX_BODY_BYTES = 40_960;

export function loadViewerRequest(codeFile: string, keyValuesFile: string): ViewerRequestFunction {
  const code = readFileSync(codeFile, 'utf8');
  if (Buffer.byteLength(code) > MAX_CODE_BYTES) throw new Error(`${codeFile} is larger than ${MAX_CODE_BYTES} bytes`);
  const unknown = unknownSyntax(code);
  if (unknown.length > 0) throw new Error(`${codeFile} has what CloudFront does not know: ${unknown.join(', ')}`);
  const context = createContext({ cloudfront: { kvs: () => openStore(keyValuesFile) }, console: { log() {} } });
  const script = code.replace(/^\s*import\s+(\w+)\s+from\s+(['"])cloudfront\2;?/m, 'const $1 = cloudfront;');
  const handler = runInContext(`'use strict';${script}\nhandler`, context, { filename: codeFile }) as (
    event: object,
  ) => Promise<FunctionRequest | FunctionResponse>;
  return async (request) => {
    const event = toEvent(request);
    // What crosses between the two is JSON, there as here.
    const result = JSON.parse(JSON.stringify(await handler(runInContext(`(${JSON.stringify(event)})`, context))));
    check(result, event.request);
    return result;
  };
}

export function isFunctionResponse(result: FunctionRequest | FunctionResponse): result is FunctionResponse {
  return 'statusCode' in result;
}

function openStore(file: string) {
  const { data } = JSON.parse(readFileSync(file, 'utf8')) as { data: { key: string; value: string }[] };
  const keys = new Set<string>();
  let size = 0;
  for (const { key, value } of data) {
    const [keyBytes, valueBytes] = [Buffer.byteLength(key), Buffer.byteLength(value)];
    if (keyBytes > MAX_KEY_BYTES || valueBytes > MAX_VALUE_BYTES) throw new Error(`${file}: ${key} is too large`);
    if (keys.has(key)) throw new Error(`${file} has the key ${key} twice`);
    keys.add(key);
    size += keyBytes + valueBytes;
  }
  if (size > MAX_STORE_BYTES) throw new Error(`${file} is larger than ${MAX_STORE_BYTES} bytes`);
  return { exists: async (key: string) => keys.has(key) };
}

/** Nothing is decoded; of several values of one name, the first is the value. */
function toEvent(request: IncomingMessage) {
  const url = request.url ?? '/';
  const at = url.indexOf('?');
  const pairs =
    at === -1
      ? []
      : url
          .slice(at + 1)
          .split('&')
          .filter(Boolean);
  const headers = request.rawHeaders.flatMap((name, index, all) =>
    index % 2 === 0 ? [[name, all[index + 1] ?? '']] : [],
  );
  return {
    version: '1.0',
    context: {
      distributionDomainName: 'd111111abcdef8.cloudfront.net',
      eventType: 'viewer-request',
      requestId: 'test',
    },
    viewer: { ip: '127.0.0.1' },
    request: {
      method: request.method ?? 'GET',
      uri: at === -1 ? url : url.slice(0, at),
      querystring: collect(pairs.map((pair) => splitOnce(pair, '='))),
      headers: collect(headers.map(([name = '', value = '']) => [name.toLowerCase(), value])),
      cookies: {},
    },
  };
}

function collect(pairs: readonly (readonly [string, string])[]): Record<string, Field> {
  const fields: Record<string, Field> = {};
  for (const [name, value] of pairs) {
    const field = fields[name];
    if (field === undefined) fields[name] = { value };
    else field.multiValue = [...(field.multiValue ?? [{ value: field.value }]), { value }];
  }
  return fields;
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** What makes CloudFront answer 503 in place of the function's result. */
function check(result: FunctionRequest | FunctionResponse, asked: FunctionRequest): void {
  const names = Object.keys(result.headers ?? {});
  const capital = names.find((name) => name !== name.toLowerCase());
  if (capital !== undefined) throw new Error(`the function's header ${capital} is not in lower case`);
  const fields = [
    ...Object.values(result.headers ?? {}),
    ...Object.values('querystring' in result ? result.querystring : {}),
  ];
  if (fields.some(({ value }) => typeof value !== 'string'))
    throw new Error('a field of the result has no value that is a text');
  if (!isFunctionResponse(result)) {
    if (!result.uri.startsWith('/')) throw new Error(`the function's uri does not begin with a slash: ${result.uri}`);
    if (result.method !== asked.method) throw new Error('the function changed the method');
    return;
  }
  if (!Number.isInteger(result.statusCode)) throw new Error("the function's statusCode is not an integer");
  const body = typeof result.body === 'string' ? result.body : (result.body?.data ?? '');
  if (Buffer.byteLength(body) > MAX_BODY_BYTES)
    throw new Error(`the function's body is larger than ${MAX_BODY_BYTES} bytes`);
}
