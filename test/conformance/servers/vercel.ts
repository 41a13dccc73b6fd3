// Vercel's routes on this machine: its own package checks them, and a request is taken through them as it documents
// them, or as `vercel dev` does where the documentation leaves it open.
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { basename, join } from 'node:path';
import { Ajv } from 'ajv';
import { guessedType } from './guessed-type.ts';
import { loadPackage } from './load-package.ts';
import { type Reply, startLoopback, textReply } from './loopback-host.ts';
import type { ConformanceServer } from './running-host.ts';
import { findSiteFile } from './site-file.ts';

interface Condition {
  /** Others than `query` are refused when they are met. */
  readonly type: string;
  readonly key?: string;
  /** A regular expression for the whole value; without it, that there is one is enough. */
  readonly value?: string;
}

interface Route {
  readonly src: string;
  readonly dest?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly methods?: readonly string[];
  readonly continue?: boolean;
  readonly check?: boolean;
  readonly caseSensitive?: boolean;
  readonly status?: number;
  readonly has?: readonly Condition[];
  readonly missing?: readonly Condition[];
}

/** By the `handle` that they come after; those before the first are `start`. */
type Phase = 'start' | 'filesystem' | 'hit' | 'miss';
type Phases = Readonly<Record<Phase, readonly Route[]>>;

interface RoutingUtils {
  readonly routesSchema: Readonly<Record<string, unknown>>;
  normalizeRoutes(routes: readonly unknown[]): {
    readonly routes: readonly (Route | { readonly handle: string })[] | null;
    readonly error: { readonly message: string; readonly errors?: readonly string[] } | null;
  };
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: string;
}

interface Outcome {
  /** The path of the file that answers, whether or not there is one. */
  readonly path: string;
  readonly status: number | undefined;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** A route without `continue` matched. */
  readonly matched: boolean;
}

type Captures = Readonly<Record<string, string | undefined>>;

const COMPRESSED = { from: 1, to: Number.POSITIVE_INFINITY };

export const vercel: ConformanceServer = {
  name: 'vercel',
  async start({ dist }) {
    const phases = readRoutes(join(dist, 'vercel.json'));
    return startLoopback(async (request) => answer(request, dist, phases), COMPRESSED);
  },
};

function answer(request: IncomingMessage, dist: string, phases: Phases): Reply {
  const method = request.method ?? 'GET';
  const url = request.url ?? '/';
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  // As `vercel dev`: a path with empty parts is sent to the one without.
  if (method === 'GET' && path.includes('//')) {
    return textReply(308, 'Redirecting...', { location: url.replace(path, path.replace(/\/+/g, '/')) });
  }
  const find = (name: string) =>
    findSiteFile(dist, name) ?? findSiteFile(dist, `${name.replace(/\/$/, '')}/index.html`);
  const decision = takeThrough({ method, path, query }, phases, (name) => find(name) !== undefined);
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
    else throw new Error(`${file}: what follows "handle": "${route.handle}" cannot be tried out here`);
  }
  return phases;
}

function takeThrough(request: Asked, phases: Phases, isFile: (path: string) => boolean): Outcome {
  const run = (phase: Phase, from: Outcome) => runPhase(phase, phases, request, isFile, from);
  let outcome: Outcome = { path: request.path, status: undefined, headers: {}, matched: false };
  for (const phase of ['start', 'filesystem'] as const) {
    outcome = run(phase, outcome);
    if (isFile(outcome.path)) return { ...run('hit', outcome), status: outcome.status };
    // What a route without `check` names is final, also if it is not there.
    if (outcome.matched) break;
  }
  if (outcome.status !== undefined) return outcome;
  return run('miss', outcome);
}

function runPhase(
  phase: Phase,
  phases: Phases,
  request: Asked,
  isFile: (path: string) => boolean,
  from: Outcome,
): Outcome {
  let outcome: Outcome = { ...from, matched: false };
  for (const route of phases[phase]) {
    const captures = match(route, outcome.path, request);
    if (captures === undefined) continue;
    const path = route.dest === undefined ? outcome.path : pathOf(fill(route.dest, captures));
    const added = Object.entries(route.headers ?? {}).map(([name, value]) => [
      name.toLowerCase(),
      fill(value, captures),
    ]);
    // In the last phases, a header that is there already stays.
    const headers = ['hit', 'miss'].includes(phase)
      ? { ...Object.fromEntries(added), ...outcome.headers }
      : { ...outcome.headers, ...Object.fromEntries(added) };
    const next = { path, headers, status: route.status ?? outcome.status };
    if (route.continue === true) outcome = { ...next, matched: false };
    // A check that fails leaves its path and goes on; with a status, that is the answer outside the last phase.
    else if (route.check === true && !isFile(path) && (route.status === undefined || phase === 'miss')) {
      outcome = { ...next, matched: false };
    } else return { ...next, matched: true };
  }
  return outcome;
}

/** What the route's expressions captured, if it applies. */
function match(route: Route, path: string, request: Asked): Captures | undefined {
  if (route.methods !== undefined && !route.methods.includes(request.method)) return undefined;
  const found = new RegExp(route.src, route.caseSensitive === true ? '' : 'i').exec(path);
  if (found === null) return undefined;
  const captures: Record<string, string | undefined> = { ...Object.fromEntries(found.entries()), ...found.groups };
  for (const condition of route.has ?? []) {
    const groups = matchCondition(condition, request);
    if (groups === undefined) return undefined;
    Object.assign(captures, groups);
  }
  if (route.missing?.some((condition) => matchCondition(condition, request) !== undefined)) return undefined;
  return captures;
}

function matchCondition({ type, key = '', value }: Condition, request: Asked): Captures | undefined {
  if (type !== 'query' || (value !== undefined && typeof value !== 'string'))
    throw new Error('conditions other than texts of the query cannot be tried out here');
  // Of several, the first.
  const given = new URLSearchParams(request.query).get(key);
  if (given === null) return undefined;
  if (value === undefined) return {};
  const found = new RegExp(`^${value}$`).exec(given);
  return found === null ? undefined : { ...found.groups };
}

function fill(template: string, captures: Captures): string {
  return template.replace(/\$(\d+|[a-zA-Z]+)/g, (_, name: string) => captures[name] ?? '');
}

function pathOf(dest: string): string {
  if (/^https?:/.test(dest)) throw new Error(`a route to another server cannot be tried out here: ${dest}`);
  return dest.replace(/[?#].*$/, '').replace(/^(?!\/)/, '/');
}
