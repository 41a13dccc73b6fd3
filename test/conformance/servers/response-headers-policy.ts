// Adds the headers of a CloudFront response headers policy to an answer, as its documentation says.
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';

interface Items {
  readonly Items: readonly string[];
}

interface PolicyConfig {
  readonly CorsConfig?: {
    readonly AccessControlAllowOrigins: Items;
    readonly AccessControlAllowHeaders: Items;
    readonly AccessControlAllowMethods: Items;
    readonly AccessControlAllowCredentials: boolean;
    readonly AccessControlExposeHeaders?: Items;
    readonly AccessControlMaxAgeSec?: number;
    readonly OriginOverride: boolean;
  };
  readonly SecurityHeadersConfig?: { readonly ContentTypeOptions?: { readonly Override: boolean } };
  readonly CustomHeadersConfig?: {
    readonly Items: readonly { readonly Header: string; readonly Value: string; readonly Override: boolean }[];
  };
}

type Headers = Readonly<Record<string, string>>;
export type ResponseHeadersPolicy = (request: IncomingMessage, headers: Headers) => Headers;

export function loadResponseHeadersPolicy(file: string): ResponseHeadersPolicy {
  const policy = JSON.parse(readFileSync(file, 'utf8')) as PolicyConfig;
  const { CorsConfig, SecurityHeadersConfig, CustomHeadersConfig } = policy;
  const known = { CorsConfig, SecurityHeadersConfig, CustomHeadersConfig, Name: '', Comment: '' };
  const others = [...Object.keys(policy), ...Object.keys(SecurityHeadersConfig ?? {})].filter(
    (name) => !(name in known) && name !== 'ContentTypeOptions',
  );
  if (others.length > 0) throw new Error(`${file}: ${others} cannot be tried out here`);
  for (const { Header } of CustomHeadersConfig?.Items ?? []) {
    // They are refused when the policy is made.
    if (/^access-control-/i.test(Header)) throw new Error(`${file}: ${Header} belongs into CorsConfig`);
  }
  return (request, headers) => {
    const merged: Record<string, string> = { ...headers };
    for (const [name, value, override] of [...cors(policy, request), ...security(policy), ...custom(policy)]) {
      if (override || merged[name] === undefined) merged[name] = value;
    }
    return merged;
  };
}

type Addition = readonly [name: string, value: string, override: boolean];

/** Only a request that says where it comes from is a CORS request; a preflight asks for a method. */
function cors({ CorsConfig: config }: PolicyConfig, request: IncomingMessage): Addition[] {
  const origin = request.headers.origin;
  if (config === undefined || origin === undefined) return [];
  const { Items: origins } = config.AccessControlAllowOrigins;
  const any = origins.includes('*');
  if (!any && !origins.includes(origin)) return [];
  const preflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
  const methods = config.AccessControlAllowMethods.Items;
  const all = ['GET', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];
  const values: Record<string, string | undefined> = {
    'access-control-allow-origin': any ? '*' : origin,
    'access-control-allow-credentials': config.AccessControlAllowCredentials ? 'true' : undefined,
    'access-control-expose-headers': config.AccessControlExposeHeaders?.Items.join(', '),
    'access-control-allow-headers': preflight ? config.AccessControlAllowHeaders.Items.join(', ') : undefined,
    'access-control-allow-methods': preflight ? (methods.includes('ALL') ? all : methods).join(', ') : undefined,
    'access-control-max-age': preflight ? config.AccessControlMaxAgeSec?.toString() : undefined,
  };
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, value, config.OriginOverride] as const],
  );
}

function security({ SecurityHeadersConfig: config }: PolicyConfig): Addition[] {
  const sniffing = config?.ContentTypeOptions;
  return sniffing === undefined ? [] : [['x-content-type-options', 'nosniff', sniffing.Override]];
}

function custom({ CustomHeadersConfig: config }: PolicyConfig): Addition[] {
  return (config?.Items ?? []).map(({ Header, Value, Override }) => [Header.toLowerCase(), Value, Override] as const);
}
