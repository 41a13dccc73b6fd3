// Reads _redirects and _headers with Netlify's own parsers, and matches redirects with its own matcher.
import { accessSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { loadPackage } from './load-package.ts';

export interface NetlifyRule {
  readonly to: string;
  readonly status: number;
  /** Applies even where a file is. */
  readonly force: boolean;
}

export interface NetlifyRules {
  /** The first rule for a decoded path and a raw query. */
  match(path: string, query: string, headers: IncomingHttpHeaders): NetlifyRule | undefined;
  /** All that apply to the path, a later block over an earlier one, by lower-case name. */
  headersFor(path: string): Readonly<Record<string, string>>;
}

interface ParsedRedirect {
  readonly from: string;
  readonly query?: Readonly<Record<string, string>>;
}

/** What is used of the options and the answers of both parsers. */
interface Parsers {
  parseAllRedirects(options: object): Promise<{ redirects: readonly ParsedRedirect[]; errors: readonly Error[] }>;
  parseAllHeaders(options: object): Promise<{
    readonly headers: readonly { readonly forRegExp: RegExp; readonly values: Readonly<Record<string, string>> }[];
    readonly errors: readonly Error[];
  }>;
}

interface Redirector {
  parseJSON(
    rules: string,
    options: { readonly jwtSecret: string; readonly jwtRoleClaim: string },
  ): Promise<{
    match(request: {
      readonly scheme: string;
      readonly host: string;
      readonly path: string;
      readonly query: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly cookieValues: Readonly<Record<string, string>>;
      getHeader(name: string): string;
      getCookie(name: string): string;
    }): NetlifyRule | null;
  }>;
}

export async function readNetlifyRules(dist: string): Promise<NetlifyRules> {
  const [redirectsFile, headersFile] = [join(dist, '_redirects'), join(dist, '_headers')];
  for (const file of [redirectsFile, headersFile]) accessSync(file); // the parsers take a missing file for an empty one
  const { redirects, errors } = await loadPackage<Parsers>('@netlify/redirect-parser').parseAllRedirects({
    redirectsFiles: [redirectsFile],
    configRedirects: [],
    minimal: false,
  });
  refuse(redirectsFile, errors);
  const parsed = await loadPackage<Parsers>('@netlify/headers-parser').parseAllHeaders({
    headersFiles: [headersFile],
    configHeaders: [],
    minimal: false,
  });
  refuse(headersFile, parsed.errors);
  const rules = redirects.map(({ from, query, ...rest }) => ({ ...rest, origin: from, params: query }));
  const matcher = await loadPackage<Redirector>('netlify-redirector').parseJSON(JSON.stringify(rules), {
    jwtSecret: 'none',
    jwtRoleClaim: 'none',
  });
  return {
    match(path, query, asked) {
      const headers: Record<string, string> = { 'x-language': 'en', 'x-country': 'us' };
      for (const [name, value] of Object.entries(asked)) headers[name] = String(value);
      const request = { scheme: 'https', host: 'site.netlify.app', path, query, headers, cookieValues: {} };
      const getHeader = (name: string) => headers[name.toLowerCase()] ?? '';
      return matcher.match({ ...request, getHeader, getCookie: () => '' }) ?? undefined;
    },
    headersFor(path) {
      const applying = parsed.headers.filter(({ forRegExp }) => forRegExp.test(path));
      const entries = applying.flatMap(({ values }) => Object.entries(values));
      return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
    },
  };
}

function refuse(file: string, errors: readonly Error[]): void {
  if (errors.length > 0) throw new Error(`${file}:\n${errors.map(({ message }) => message).join('\n')}`);
}
