// Simulates Netlify: runs the edge function in Deno with Netlify's bootstrap, and serves the site's files with the
// headers in _headers. Follows Netlify's documentation and `netlify dev`.
import { accessSync, readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { send } from '../send.ts';
import { guessedType } from './guessed-type.ts';
import { loadPackage, packageFile } from './load-package.ts';
import { startLoopback } from './loopback-host.ts';
import { type Reply, textReply } from './reply.ts';
import type { ConformanceServer } from './running-host.ts';
import { startProcess } from './server-process.ts';
import { findSiteFile } from './site-file.ts';

/** The members of `@netlify/headers-parser` that this file uses. */
interface HeadersParser {
  parseAllHeaders(options: object): Promise<{
    readonly headers: readonly { readonly forRegExp: RegExp; readonly values: Readonly<Record<string, string>> }[];
    readonly errors: readonly Error[];
  }>;
}

interface EdgeBundler {
  generateManifest(options: object): {
    readonly manifest: {
      readonly routes: readonly Route[];
      readonly post_cache_routes: readonly Route[];
      readonly function_config: Readonly<Record<string, { readonly excluded_patterns?: readonly string[] }>>;
    };
  };
}

interface Route {
  readonly function: string;
  readonly path: string;
  readonly pattern: string;
  readonly excluded_patterns: readonly string[];
}

interface EdgeFunction {
  /** True if a request for this path runs the edge function. */
  starts(path: string): boolean;
  /** The configuration of the function, encoded as Netlify sends it in a request header. */
  readonly metadata: string;
}

type HeadersFor = (path: string) => Readonly<Record<string, string>>;

/** The body sizes that Netlify's CDN compresses: all sizes. */
const COMPRESSED = { from: 1, to: Number.POSITIVE_INFINITY };
const DEFAULT_CACHING = 'public,max-age=0,must-revalidate';
const NAME = 'stxpress';
const MAX_CODE_BYTES = 20_000_000;
const MEMORY = '--v8-flags=--max-old-space-size=512';
const RUNNER = new URL('run-edge-function.mjs', import.meta.url).href;
/** A header that marks requests from the edge function to the site. */
const PASSTHROUGH = 'x-nf-passthrough';

export const netlify: ConformanceServer = {
  name: 'netlify',
  async start({ dist, hosts }) {
    const file = join(hosts, 'netlify/edge-functions', `${NAME}.js`);
    const bytes = gzipSync(readFileSync(file)).length;
    if (bytes > MAX_CODE_BYTES) throw new Error(`${file} has ${bytes} bytes; the limit is ${MAX_CODE_BYTES}`);
    const headersFor = await readHeaders(join(dist, '_headers'));
    const edgeFunction = await readFunction(file);
    const bootstrap = pathToFileURL(packageFile('@netlify/edge-functions-dev/dist/deno/bootstrap.mjs')).href;
    const running = await startProcess('deno', ({ port, folder }) => ({
      program: denoProgram(),
      args: ['run', '--quiet', '--no-lock', '--allow-all', MEMORY, RUNNER, bootstrap, pathToFileURL(file).href].concat([
        '--port',
        String(port),
      ]),
      env: { DENO_DIR: folder, DENO_NO_UPDATE_CHECK: '1', DENO_REGION: 'dev' },
    }));
    const site = await startLoopback(async (request) => {
      const [path = '/'] = (request.url ?? '/').split('?');
      const isPlain = request.headers[PASSTHROUGH] !== undefined || !edgeFunction.starts(path);
      return isPlain
        ? sendFile(request, path, dist, headersFor)
        : await callFunction(request, running.origin, edgeFunction);
    }, COMPRESSED);
    const stop = async () => void (await Promise.all([site.stop(), running.stop()]));
    return { origin: site.origin, stop };
  },
};

/** Returns the path of Deno's program, which is in a separate package for each platform. */
function denoProgram(): string {
  const platforms = createRequire(packageFile('deno/package.json'));
  return join(dirname(platforms.resolve(`@deno/${process.platform}-${process.arch}-glibc/package.json`)), 'deno');
}

async function readFunction(file: string): Promise<EdgeFunction> {
  const { config } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { readonly config: object };
  const { manifest } = loadPackage<EdgeBundler>('@netlify/edge-bundler').generateManifest({
    declarations: [{ function: NAME, ...config }],
    functions: [{ name: NAME, path: file }],
  });
  // A function whose responses may be cached is listed in `post_cache_routes`, since it runs after the cache.
  const routes = [...manifest.routes, ...manifest.post_cache_routes];
  const excluded = [
    ...(manifest.function_config[NAME]?.excluded_patterns ?? []),
    ...routes.flatMap(({ excluded_patterns }) => excluded_patterns),
  ];
  const matches = (patterns: readonly string[], path: string) =>
    patterns.some((pattern) => new RegExp(pattern).test(path));
  const all = routes.map(({ pattern }) => pattern);
  return {
    starts: (path) => matches(all, path) && !matches(excluded, path),
    metadata: encode({ function_config: manifest.function_config, req_routes: [0], routes }),
  };
}

async function callFunction(request: IncomingMessage, origin: string, { metadata }: EdgeFunction): Promise<Reply> {
  const host = request.headers.host ?? '';
  const { status, headers, body } = await send(origin, {
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    headers: {
      ...textHeaders(request.headers),
      'accept-encoding': 'identity',
      'x-forwarded-host': host,
      'x-forwarded-proto': 'http:',
      'x-nf-deploy-id': '0',
      'x-nf-edge-functions': NAME,
      'x-nf-edge-functions-metadata': metadata,
      'x-nf-request-id': 'test',
      'X-NF-Site-Info': encode({ url: `http://${host}` }),
      [PASSTHROUGH]: 'passthrough',
      [`${PASSTHROUGH}-host`]: host,
      [`${PASSTHROUGH}-proto`]: 'http:',
    },
  });
  const forwarded = Object.entries(headers).filter(
    ([name]) => !/^(?:x-nf-|content-length$|transfer-encoding$|date$)/.test(name),
  );
  if (headers['x-nf-uncaught-error'] !== undefined) throw new Error(body.toString());
  return { status, headers: Object.fromEntries(forwarded), body };
}

function textHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}

function sendFile({ method }: IncomingMessage, path: string, dist: string, headersFor: HeadersFor): Reply {
  if (method !== 'GET' && method !== 'HEAD') return textReply(405, 'Method Not Allowed');
  const file = findPublished(dist, path);
  const found = file ?? findPublished(dist, '/404.html');
  if (found === undefined) return textReply(404, 'Not Found');
  const headers = {
    'cache-control': DEFAULT_CACHING,
    'content-type': guessedType(found),
    // Headers depend on the path of the sent file, not on the requested path, as in `netlify dev`.
    ...headersFor(`/${relative(dist, found)}`),
  };
  return { status: file === undefined ? 404 : 200, headers, body: readFileSync(found) };
}

/**
 * Finds the file that Netlify serves at a path. Finds pages also without their extension and with slashes at the end.
 * Does not find files whose names begin with a dot.
 */
function findPublished(dist: string, path: string): string | undefined {
  if (/\/(?:\.|%2e)(?!well-known)/i.test(path)) return undefined;
  const trimmed = path.replace(/\/+$/, '');
  const candidates = [trimmed, `${trimmed}.html`, `${trimmed}.htm`, `${trimmed}/index.html`, `${trimmed}/index.htm`];
  return candidates.map((candidate) => findSiteFile(dist, candidate)).find((file) => file !== undefined);
}

/**
 * Reads a _headers file. Returns a function that returns the headers of a path by lower-case name, in which later rules
 * override earlier ones.
 */
async function readHeaders(file: string): Promise<HeadersFor> {
  accessSync(file); // throws if the file is missing; the parser would treat it as empty
  const { headers, errors } = await loadPackage<HeadersParser>('@netlify/headers-parser').parseAllHeaders({
    headersFiles: [file],
    configHeaders: [],
    minimal: false,
  });
  if (errors.length > 0) throw new Error(`${file}:\n${errors.map(({ message }) => message).join('\n')}`);
  return (path) => {
    const entries = headers
      .filter(({ forRegExp }) => forRegExp.test(path))
      .flatMap(({ values }) => Object.entries(values));
    return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
  };
}
