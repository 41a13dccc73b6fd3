// Takes a request through the routes of a vercel.json, phase by phase, as `vercel dev` does where the documentation
// leaves it open.
import type { VercelCondition, VercelPhase, VercelPhases, VercelRoute } from './vercel-routes.ts';

export interface VercelRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
}

export interface VercelDecision {
  /** The path of the file that answers, whether or not there is one. */
  readonly path: string;
  readonly status: number | undefined;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

interface Outcome extends VercelDecision {
  /** A route without `continue` matched. */
  readonly matched: boolean;
}

type Captures = Readonly<Record<string, string | undefined>>;

export function routeVercelRequest(
  request: VercelRequest,
  phases: VercelPhases,
  isFile: (path: string) => boolean,
): VercelDecision {
  const run = (phase: VercelPhase, from: Outcome) => runPhase(phase, phases, request, isFile, from);
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
  phase: VercelPhase,
  phases: VercelPhases,
  request: VercelRequest,
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
function match(route: VercelRoute, path: string, request: VercelRequest): Captures | undefined {
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

function matchCondition({ type, key = '', value }: VercelCondition, request: VercelRequest): Captures | undefined {
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
