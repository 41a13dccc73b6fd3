// Simulates Vercel: runs the middleware in Vercel's edge runtime, and applies the routes after Vercel's package has
// checked them. Follows Vercel's documentation, or `vercel dev` if the documentation leaves a case open.
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { Ajv } from 'ajv';
import { buildSync } from 'esbuild';
import { guessedType } from './guessed-type.ts';
import { loadPackage } from './load-package.ts';
import { startLoopback } from './loopback-host.ts';
import { type Reply, textReply } from './reply.ts';
import type { ConformanceServer } from './running-host.ts';
import { findSiteFile } from './site-file.ts';

interface Route {
  readonly src: string;
  readonly dest?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly continue?: boolean;
  readonly check?: boolean;
  readonly caseSensitive?: boolean;
  readonly status?: number;
}

/**
 * A phase of routing. The `handle` entry before its routes has its name; `start` has the routes before the first
 * `handle`.
 */
type Phase = 'start' | 'filesystem' | 'hit' | 'miss';
type Phases = Readonly<Record<Phase, readonly Route[]>>;

interface RoutingUtils {
  readonly routesSchema: Readonly<Record<string, unknown>>;
  normalizeRoutes(routes: readonly unknown[]): {
    readonly routes: readonly (Route | { readonly handle: string })[] | null;
    readonly error: { readonly message: string; readonly errors?: readonly string[] } | null;
  };
}

interface EdgeRuntimePackage {
  readonly EdgeRuntime: new (options: {
    readonly initialCode: string;
  }) => { dispatchFetch(url: string, init: object): Promise<Response> };
}

type PathToRegexp = (path: string) => RegExp;

interface Middleware {
  readonly matcher: RegExp;
  run(request: IncomingMessage): Promise<Response>;
}

interface Outcome {
  /** The path of the file to send. The file may be missing. */
  readonly path: string;
  readonly status: number | undefined;
  /** The header values by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** True if a route without `continue` matched, so that routing ends. */
  readonly matched: boolean;
}

type Captures = Readonly<Record<string, string | undefined>>;

const COMPRESSED = { from: 1, to: Number.POSITIVE_INFINITY };

const MAX_CODE_BYTES = 1_000_000;
const MAX_RESPONSE_MS = 25_000;
/** Headers of the middleware's response that `vercel dev` does not forward. Routes set the content type of files. */
const NOT_FORWARDED = new Set(['x-middleware-next', 'x-middleware-rewrite', 'content-type', 'content-length']);

export const vercel: ConformanceServer = {
  name: 'vercel',
  async start({ dist }) {
    const phases = readRoutes(join(dist, 'vercel.json'));
    const middleware = await readMiddleware(join(dist, 'middleware.js'));
    return startLoopback((request) => respond(request, dist, phases, middleware), COMPRESSED);
  },
};

async function respond(
  request: IncomingMessage,
  dist: string,
  phases: Phases,
  { matcher, run }: Middleware,
): Promise<Reply> {
  const url = request.url ?? '/';
  const [path = ''] = url.split('?');
  // Redirects a path with empty segments to the path without them, as `vercel dev` does.
  if (request.method === 'GET' && path.includes('//'))
    return textReply(308, 'Redirecting...', { location: url.replace(path, path.replace(/\/+/g, '/')) });
  if (!matcher.test(path)) return sendRouted(request.method, path, dist, phases, {});
  const response = await run(request);
  const headers = Object.fromEntries(response.headers);
  const rewritten = headers['x-middleware-rewrite'];
  if (rewritten === undefined && headers['x-middleware-next'] !== '1')
    return { status: response.status, headers, body: Buffer.from(await response.arrayBuffer()) };
  const forwarded = Object.entries(headers).filter(([name]) => !NOT_FORWARDED.has(name));
  const target = rewritten === undefined ? path : new URL(rewritten).pathname;
  return sendRouted(request.method, target, dist, phases, Object.fromEntries(forwarded));
}

function sendRouted(method: string | undefined, path: string, dist: string, phases: Phases, first: object): Reply {
  const find = (name: string) =>
    findSiteFile(dist, name) ?? findSiteFile(dist, `${name.replace(/\/$/, '')}/index.html`);
  const { path: found, status, headers } = applyRoutes(path, phases, (name) => find(name) !== undefined);
  // Vercel does not serve the source code of the middleware.
  const file = found === '/middleware.js' ? undefined : find(found);
  if (file === undefined) return platformReply(status ?? 404, 'The page could not be found\n\nNOT_FOUND\n', headers);
  if (status === undefined && method !== 'GET' && method !== 'HEAD')
    return platformReply(405, 'The request method is not allowed\n\nINVALID_REQUEST_METHOD\n', headers);
  return {
    status: status ?? 200,
    headers: {
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=0, must-revalidate',
      'content-disposition': `inline; filename="${basename(file)}"`,
      'content-type': guessedType(file),
      ...first,
      ...headers,
    },
    body: readFileSync(file),
  };
}

/**
 * Builds the middleware as Vercel does, and disables `eval` in it. `config` has the paths of requests that run the
 * middleware.
 */
async function readMiddleware(file: string): Promise<Middleware> {
  const bytes = gzipSync(readFileSync(file)).length;
  if (bytes > MAX_CODE_BYTES) throw new Error(`${file} has ${bytes} bytes; the limit is ${MAX_CODE_BYTES}`);
  const { config } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
    readonly config: { readonly matcher: readonly string[] };
  };
  const toRegexp = loadPackage<PathToRegexp | { readonly pathToRegexp: PathToRegexp }>('path-to-regexp');
  const compile = 'pathToRegexp' in toRegexp ? toRegexp.pathToRegexp : toRegexp;
  const { outputFiles } = buildSync({ entryPoints: [file], bundle: true, write: false, globalName: 'program' });
  const { EdgeRuntime } = loadPackage<EdgeRuntimePackage>('edge-runtime');
  const start = "addEventListener('fetch', (event) => event.respondWith(program.default(event.request)));";
  const runtime = new EdgeRuntime({ initialCode: `${outputFiles[0]?.text}\n${start}` });
  return {
    matcher: new RegExp(config.matcher.map((path) => compile(path).source).join('|')),
    async run({ method, url, headers }) {
      const sent = { method, headers: Object.entries(headers).map(([name, value]) => [name, String(value)]) };
      const started = performance.now();
      const response = await runtime.dispatchFetch(`http://${headers.host}${url}`, sent);
      if (performance.now() - started > MAX_RESPONSE_MS) throw new Error(`${url} took more than ${MAX_RESPONSE_MS} ms`);
      return response;
    },
  };
}

/** Returns an error response of Vercel as plain text. */
function platformReply(status: number, text: string, headers: Readonly<Record<string, string>>): Reply {
  return textReply(status, text, { ...headers, 'content-type': 'text/plain; charset=utf-8' });
}

function readRoutes(file: string): Phases {
  const { routes } = JSON.parse(readFileSync(file, 'utf8')) as { readonly routes?: readonly unknown[] };
  if (routes === undefined) throw new Error(`${file} has no routes`);
  const { routesSchema, normalizeRoutes } = loadPackage<RoutingUtils>('@vercel/routing-utils');
  const ajv = new Ajv({ strict: false, allErrors: true });
  if (!ajv.validate(routesSchema, routes))
    throw new Error(`${file}: ${ajv.errorsText(ajv.errors, { dataVar: 'routes' })}`);
  const normalized = normalizeRoutes(routes);
  if (normalized.error !== null) {
    throw new Error(`${file}: ${(normalized.error.errors ?? [normalized.error.message]).join('\n')}`);
  }
  const phases: Record<Phase, Route[]> = { start: [], filesystem: [], hit: [], miss: [] };
  let phase: Phase = 'start';
  for (const route of normalized.routes ?? []) {
    if (!('handle' in route)) phases[phase].push(route);
    else if (Object.hasOwn(phases, route.handle)) phase = route.handle as Phase;
    else throw new Error(`${file}: this simulation does not support "handle": "${route.handle}"`);
  }
  return phases;
}

function applyRoutes(path: string, phases: Phases, isFile: (path: string) => boolean): Outcome {
  const run = (phase: Phase, from: Outcome) => runPhase(phase, phases, isFile, from);
  let outcome: Outcome = { path, status: undefined, headers: {}, matched: false };
  for (const phase of ['start', 'filesystem'] as const) {
    outcome = run(phase, outcome);
    if (isFile(outcome.path)) return { ...run('hit', outcome), status: outcome.status };
    // The path that a route without `check` sets is final, even if no file has this path.
    if (outcome.matched) break;
  }
  return outcome.status === undefined ? run('miss', outcome) : outcome;
}

function runPhase(phase: Phase, phases: Phases, isFile: (path: string) => boolean, from: Outcome): Outcome {
  let outcome: Outcome = { ...from, matched: false };
  for (const route of phases[phase]) {
    const captures = match(route, outcome.path);
    if (captures === undefined) continue;
    const path = route.dest === undefined ? outcome.path : pathOf(fill(route.dest, captures));
    const added = Object.entries(route.headers ?? {}).map(([name, value]) => [
      name.toLowerCase(),
      fill(value, captures),
    ]);
    // Routes in these last two phases do not override existing headers.
    const headers = ['hit', 'miss'].includes(phase)
      ? { ...Object.fromEntries(added), ...outcome.headers }
      : { ...outcome.headers, ...Object.fromEntries(added) };
    const next = { path, headers, status: route.status ?? outcome.status };
    if (route.continue === true) outcome = { ...next, matched: false };
    // If no file has the new path, `check` continues with that path. A route with a status ends the phase instead,
    // except in `miss`.
    else if (route.check === true && !isFile(path) && (route.status === undefined || phase === 'miss')) {
      outcome = { ...next, matched: false };
    } else return { ...next, matched: true };
  }
  return outcome;
}

/** Returns the captures of the route's regular expression; undefined if the route does not match the path. */
function match({ src, caseSensitive, ...route }: Route, path: string): Captures | undefined {
  if ('has' in route || 'missing' in route || 'methods' in route)
    throw new Error('this simulation does not support conditions of routes');
  const found = new RegExp(src, caseSensitive === true ? '' : 'i').exec(path);
  return found === null ? undefined : { ...Object.fromEntries(found.entries()), ...found.groups };
}

function fill(template: string, captures: Captures): string {
  return template.replace(/\$(\d+|[a-zA-Z]+)/g, (_, name: string) => captures[name] ?? '');
}

function pathOf(dest: string): string {
  if (/^https?:/.test(dest)) throw new Error(`this simulation does not support a route to another server: ${dest}`);
  return dest.replace(/[?#].*$/, '').replace(/^(?!\/)/, '/');
}
