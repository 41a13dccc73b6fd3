// Vercel's routes on this machine: its own package checks them, and they are followed as it documents them.
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { basename, join } from 'node:path';
import { type Reply, textReply } from './finish-reply.ts';
import { guessedType } from './guessed-type.ts';
import { startLoopback } from './loopback-host.ts';
import type { ConformanceServer } from './running-host.ts';
import { findSiteFile } from './site-file.ts';
import { routeVercelRequest } from './vercel-router.ts';
import { readVercelRoutes, type VercelPhases } from './vercel-routes.ts';

const COMPRESSED = { from: 1, to: Number.POSITIVE_INFINITY };

export const vercel: ConformanceServer = {
  name: 'vercel',
  async start({ dist }) {
    const phases = readVercelRoutes(join(dist, 'vercel.json'));
    return startLoopback(async (request) => answer(request, dist, phases), { compressed: COMPRESSED });
  },
};

function answer(request: IncomingMessage, dist: string, phases: VercelPhases): Reply {
  const method = request.method ?? 'GET';
  const url = request.url ?? '/';
  const at = url.indexOf('?');
  const [path, query] = at === -1 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
  // As `vercel dev`: a path with empty parts is sent to the one without.
  if (method === 'GET' && path.includes('//')) {
    return textReply(308, 'Redirecting...', { location: url.replace(path, path.replace(/\/+/g, '/')) });
  }
  const find = (name: string) =>
    findSiteFile(dist, name) ?? findSiteFile(dist, `${name.replace(/\/$/, '')}/index.html`);
  const decision = routeVercelRequest({ method, path, query }, phases, (name) => find(name) !== undefined);
  const { status, headers } = decision;
  if (status !== undefined && status >= 300 && status < 400) {
    return textReply(status, 'Redirecting...', { location: decision.path, ...headers });
  }
  const file = find(decision.path);
  if (file === undefined) {
    return platformReply(status ?? 404, 'The page could not be found\n\nNOT_FOUND\n', headers);
  }
  if (status === undefined && method !== 'GET' && method !== 'HEAD') {
    return platformReply(405, 'The request method is not allowed\n\nINVALID_REQUEST_METHOD\n', headers);
  }
  return {
    status: status ?? 200,
    headers: {
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=0, must-revalidate',
      'content-disposition': `inline; filename="${basename(file)}"`,
      'content-type': guessedType(file),
      ...headers,
    },
    body: readFileSync(file),
  };
}

/** The platform's own words, with its own type. */
function platformReply(status: number, text: string, headers: Readonly<Record<string, string>>): Reply {
  return textReply(status, text, { ...headers, 'content-type': 'text/plain; charset=utf-8' });
}
