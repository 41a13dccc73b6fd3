// Adds the headers of a CloudFront response headers policy to an answer, as its documentation says.
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';

interface Items {
  readonly Items: readonly string[];
}

interface Setting {
  readonly Override: boolean;
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
  readonly SecurityHeadersConfig?: {
    readonly ContentTypeOptions?: Setting;
    readonly ContentSecurityPolicy?: Setting & { readonly ContentSecurityPolicy: string };
    readonly FrameOptions?: Setting & { readonly FrameOption: string };
    readonly ReferrerPolicy?: Setting & { readonly ReferrerPolicy: string };
    readonly StrictTransportSecurity?: Setting & { readonly AccessControlMaxAgeSec: number };
  };
  readonly CustomHeadersConfig?: {
    readonly Items: readonly { readonly Header: string; readonly Value: string; readonly Override: boolean }[];
  };
  readonly RemoveHeadersConfig?: { readonly Items: readonly { readonly Header: string }[] };
}

type Headers = Readonly<Record<string, string>>;
export type ResponseHeadersPolicy = (request: IncomingMessage, headers: Headers) => Headers;

export function loadResponseHeadersPolicy(file: string): ResponseHeadersPolicy {
  const policy = JSON.parse(readFileSync(file, 'utf8')) as PolicyConfig;
  for (const { Header } of policy.CustomHeadersConfig?.Items ?? []) {
    // They are refused when the policy is made.
    if (/^access-control-/i.test(Header)) throw new Error(`${file}: ${Header} belongs into CorsConfig`);
  }
  return (request, headers) => {
    const removed = new Set(policy.RemoveHeadersConfig?.Items.map(({ Header }) => Header.toLowerCase()));
    const merged: Record<string, string> = Object.fromEntries(
      Object.entries(headers).filter(([name]) => !removed.has(name)),
    );
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

function security({ SecurityHeadersConfig: config = {} }: PolicyConfig): Addition[] {
  const { ContentTypeOptions, ContentSecurityPolicy, FrameOptions, ReferrerPolicy, StrictTransportSecurity } = config;
  const settings: [string, string | undefined, Setting | undefined][] = [
    ['x-content-type-options', 'nosniff', ContentTypeOptions],
    ['content-security-policy', ContentSecurityPolicy?.ContentSecurityPolicy, ContentSecurityPolicy],
    ['x-frame-options', FrameOptions?.FrameOption, FrameOptions],
    ['referrer-policy', ReferrerPolicy?.ReferrerPolicy, ReferrerPolicy],
    [
      'strict-transport-security',
      `max-age=${StrictTransportSecurity?.AccessControlMaxAgeSec}`,
      StrictTransportSecurity,
    ],
  ];
  return settings.flatMap(([name, value, setting]) =>
    setting === undefined || value === undefined ? [] : [[name, value, setting.Override] as const],
  );
}

function custom({ CustomHeadersConfig: config }: PolicyConfig): Addition[] {
  return (config?.Items ?? []).map(({ Header, Value, Override }) => [Header.toLowerCase(), Value, Override] as const);
}
