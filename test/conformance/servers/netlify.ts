// Netlify's rules on this machine: its own packages read _redirects and _headers and match them; the rest follows its
// documentation and, where that says nothing, what `netlify dev` does.
import { accessSync, readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { join, relative } from 'node:path';
import { guessedType } from './guessed-type.ts';
import { loadPackage } from './load-package.ts';
import { type Reply, startLoopback, textReply } from './loopback-host.ts';
import type { ConformanceServer } from './running-host.ts';
import { findSiteFile } from './site-file.ts';

interface NetlifyRule {
  readonly to: string;
  readonly status: number;
  /** Applies even where a file is. */
  readonly force: boolean;
}

type NetlifyRules = Awaited<ReturnType<typeof readNetlifyRules>>;

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
  parseJSON(rules: string, options: object): Promise<{ match(request: object): NetlifyRule | null }>;
}

/** Its CDN compresses whatever the size. */
const COMPRESSED = { from: 1, to: Number.POSITIVE_INFINITY };
const DEFAULT_CACHING = 'public,max-age=0,must-revalidate';

export const netlify: ConformanceServer = {
  name: 'netlify',
  async start({ dist }) {
    const rules = await readNetlifyRules(dist);
    return startLoopback(async (request) => answer(request, dist, rules), COMPRESSED);
  },
};

function answer(request: IncomingMessage, dist: string, rules: NetlifyRules): Reply {
  // How it answers other methods to static files is not documented; it does so before it looks at any rule.
  if (request.method !== 'GET' && request.method !== 'HEAD') return textReply(405, 'Method Not Allowed');
  const { pathname: path, search } = new URL(`http://site${request.url ?? '/'}`);
  if (decoded(path) === undefined) return textReply(400, 'Bad Request');
  const file = findPublished(dist, path);
  const rule = rules.match(decoded(path) ?? path, search.slice(1), request.headers);
  if (rule === undefined || (file !== undefined && !rule.force)) return sendFile(file, 200, dist, rules);
  if (rule.status >= 300 && rule.status < 400)
    return textReply(rule.status, `Redirecting to ${rule.to}`, { location: rule.to });
  // One rule is applied, and the first that matches: a target that is not there is a page that is not there.
  const target = findPublished(dist, rule.to.replace(/[?#].*$/, ''));
  return sendFile(target, target === undefined ? 404 : rule.status, dist, rules);
}

function sendFile(file: string | undefined, status: number, dist: string, rules: NetlifyRules): Reply {
  const found = file ?? findPublished(dist, '/404.html');
  if (found === undefined) return textReply(404, 'Not Found');
  const headers = {
    'cache-control': DEFAULT_CACHING,
    'content-type': guessedType(found),
    // As in `netlify dev`: the path that was found, not the one that was asked for.
    ...rules.headersFor(`/${relative(dist, found)}`),
  };
  return { status: file === undefined ? 404 : status, headers, body: readFileSync(found) };
}

/**
 * Files whose names begin with a dot are not uploaded; a page is also found without its ending, and a path with a
 * slash too many.
 */
function findPublished(dist: string, path: string): string | undefined {
  if (/\/\.(?!well-known)/.test(decoded(path) ?? '')) return undefined;
  const trimmed = path.replace(/\/+$/, '');
  const candidates = [trimmed, `${trimmed}.html`, `${trimmed}.htm`, `${trimmed}/index.html`, `${trimmed}/index.htm`];
  return candidates.map((candidate) => findSiteFile(dist, candidate)).find((file) => file !== undefined);
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

async function readNetlifyRules(dist: string) {
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
    /** The first rule for a decoded path and a raw query. */
    match(path: string, query: string, asked: IncomingHttpHeaders): NetlifyRule | undefined {
      const headers: Record<string, string> = { 'x-language': 'en', 'x-country': 'us' };
      for (const [name, value] of Object.entries(asked)) headers[name] = String(value);
      const request = { scheme: 'https', host: 'site.netlify.app', path, query, headers, cookieValues: {} };
      const getHeader = (name: string) => headers[name.toLowerCase()] ?? '';
      return matcher.match({ ...request, getHeader, getCookie: () => '' }) ?? undefined;
    },
    /** All that apply to the path, a later block over an earlier one, by lower-case name. */
    headersFor(path: string): Readonly<Record<string, string>> {
      const applying = parsed.headers.filter(({ forRegExp }) => forRegExp.test(path));
      const entries = applying.flatMap(({ values }) => Object.entries(values));
      return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
    },
  };
}

function refuse(file: string, errors: readonly Error[]): void {
  if (errors.length > 0) throw new Error(`${file}:\n${errors.map(({ message }) => message).join('\n')}`);
}
