// Netlify's rules on this machine: its own packages read _redirects and _headers and match them; the rest follows its
// documentation and, where that says nothing, what `netlify dev` does.
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { relative } from 'node:path';
import { type Reply, textReply } from './finish-reply.ts';
import { guessedType } from './guessed-type.ts';
import { startLoopback } from './loopback-host.ts';
import { type NetlifyRules, readNetlifyRules } from './netlify-rules.ts';
import type { ConformanceServer } from './running-host.ts';
import { findSiteFile } from './site-file.ts';

/** Its CDN compresses whatever the size. */
const COMPRESSED = { from: 1, to: Number.POSITIVE_INFINITY };
const DEFAULT_CACHING = 'public,max-age=0,must-revalidate';

export const netlify: ConformanceServer = {
  name: 'netlify',
  async start({ dist }) {
    const rules = await readNetlifyRules(dist);
    return startLoopback(async (request) => answer(request, dist, rules), { compressed: COMPRESSED });
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
