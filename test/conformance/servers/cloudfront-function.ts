// Runs a viewer-request function of CloudFront Functions, JavaScript runtime 2.0, within the limits that AWS
// documents for it.
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createContext, runInContext } from 'node:vm';
import { loadPackage } from './load-package.ts';

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

type ViewerRequestFunction = (request: IncomingMessage) => Promise<FunctionRequest | FunctionResponse>;

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
  const [uri, query] = splitOnce(request.url ?? '/', '?');
  const pairs = query.split('&').filter(Boolean);
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
      uri,
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

interface Acorn {
  parse(code: string, options: { ecmaVersion: number; sourceType: 'module'; locations: true }): SyntaxNode;
}

interface SyntaxNode {
  readonly type: string;
  readonly operator?: string;
  readonly param?: unknown;
  readonly loc?: { readonly start: { readonly line: number } };
}

/**
 * Not in the list of what the runtime supports: ES 5.1, and of what came later const, let, async, await, templates,
 * arrows, rest parameters.
 */
const UNKNOWN = new Set(
  `ArrayPattern AssignmentPattern ChainExpression ClassDeclaration ClassExpression ForOfStatement ObjectPattern
  SpreadElement YieldExpression`.split(/\s+/),
);

/** JavaScript that the runtime does not know, each with its line: Node would run it, and the function fail only at the edge. */
function unknownSyntax(code: string): string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (isNode(value)) {
      if (isUnknown(value)) found.push(`${value.operator ?? value.type} in line ${value.loc?.start.line}`);
      Object.values(value).forEach(visit);
    }
  };
  visit(loadPackage<Acorn>('acorn').parse(code, { ecmaVersion: 2025, sourceType: 'module', locations: true }));
  return found;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function isUnknown({ type, operator, param }: SyntaxNode): boolean {
  return UNKNOWN.has(type) || operator?.startsWith('??') === true || (type === 'CatchClause' && param === null);
}
