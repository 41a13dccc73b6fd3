// Deploys a source in the VM: the complete source if it runs, otherwise as much of it as possible.
import type { TokenGetter } from '#model/token.ts';
import { cutSource, cutToNames, definitionsOf } from './cut-source.ts';
import { type DeployedSource, SCOPES, type Scope } from './messages.ts';
import { readerOf } from './read-getters.ts';
import type { SdkEvents, Session } from './session.ts';

/** The maximum number of probes, each of which takes milliseconds. Beyond it, only definitions are deployed. */
const MAX_PROBES = 64;
/** The error of a probe at the end of a source. If the source fails with this error, all code before the probe ran. */
const PROBE_MARK = 'stxpress-probe-reached-the-end';
const PROBE = `(asserts! false (err "${PROBE_MARK}"))`;

/** The deployed part of a source, or the VM's reason for rejecting it. `events` is set if all of it was deployed. */
export type Deployed = { readonly sourceCode: string; readonly events?: SdkEvents } | { readonly refusal: string };

/** Deploys as much of a token's source as possible, or returns the VM's reason for rejecting the first scope. */
export function deployToken(
  session: Session,
  token: DeployedSource,
  getters: readonly TokenGetter[],
  firstScope: Scope,
  mentioned: () => Iterable<string>,
  onTrying: (scope: Scope) => void,
): Deployed {
  let firstRefusal: string | undefined;
  for (const scope of SCOPES.slice(SCOPES.indexOf(firstScope))) {
    // The scope `without-failing` has already tried the definitions.
    if (scope === 'definitions' && scope !== firstScope) continue;
    onTrying(scope);
    const sourceCode = sourceFor(session, token, getters, scope, mentioned);
    if (sourceCode === undefined) continue;
    const deployed = session.deploy(token, sourceCode);
    if ('refusal' in deployed) firstRefusal ??= deployed.refusal;
    else return { sourceCode, ...(scope === 'whole' ? deployed : {}) };
  }
  return { refusal: firstRefusal ?? 'no part of it can be deployed' };
}

/**
 * Deploys as much of a dependency as possible: the complete source, the source without failing expressions, or only
 * definitions. `mentioned` returns the names of the definitions that later sources may use.
 */
export function deployDependency(
  session: Session,
  dependency: DeployedSource,
  mentioned: () => Iterable<string>,
): Deployed {
  // The VM includes the boot contracts, and would panic if one were deployed again.
  if (session.has(dependency.contractId)) return { refusal: 'the VM includes a contract with this id' };
  const complete = session.deploy(dependency, dependency.sourceCode);
  if ('events' in complete) return { sourceCode: dependency.sourceCode, ...complete };
  const running = withoutFailing(session, dependency);
  if (running !== undefined && 'events' in session.deploy(dependency, running)) return { sourceCode: running };
  const sourceCode = cutToNames(dependency.sourceCode, mentioned());
  const named = session.deploy(dependency, sourceCode);
  return 'refusal' in named ? named : { sourceCode };
}

function sourceFor(
  session: Session,
  token: DeployedSource,
  getters: readonly TokenGetter[],
  scope: Scope,
  mentioned: () => Iterable<string>,
): string | undefined {
  switch (scope) {
    case 'whole':
      return token.sourceCode;
    case 'without-failing':
      return withoutFailing(session, token);
    case 'definitions':
      return definitionsOf(token.sourceCode);
    case 'getters':
      return cutToGetters(session, token, getters, mentioned);
  }
}

/** True if a source runs to its end. A probe at the end fails, so that the source does not change the state. */
function runs(session: Session, token: DeployedSource, source: string): boolean {
  const deployed = session.deploy(token, `${source}\n${PROBE}`);
  return 'refusal' in deployed && deployed.refusal.includes(PROBE_MARK);
}

/**
 * Returns the source without its failing expressions, which bisection finds. Returns only the definitions if that needs
 * too many probes, and undefined if the definitions fail.
 */
function withoutFailing(session: Session, token: DeployedSource): string | undefined {
  const cut = cutSource(token.sourceCode);
  const count = cut.expressionCount;
  const remaining = new Set(Array.from({ length: count }, (_, index) => index));
  let probes = 0;
  const leadingRun = (count: number): boolean => {
    probes++;
    return runs(session, token, cut.withExpressions(new Set([...remaining].filter((index) => index < count))));
  };
  if (!leadingRun(0)) return undefined;
  let checked = 0;
  while (checked < count && !leadingRun(count)) {
    // Invariant: the first `low` expressions run without an error, and the first `high` expressions cause an error.
    let low = checked;
    let high = count;
    while (high - low > 1) {
      if (probes > MAX_PROBES) return cut.withExpressions(new Set());
      const middle = (low + high) >> 1;
      if (leadingRun(middle)) low = middle;
      else high = middle;
    }
    remaining.delete(low);
    checked = high;
  }
  return cut.withExpressions(remaining);
}

/**
 * Returns the source of the getters and of the definitions that they use. Leaves out getters that the VM rejects, so
 * that one invalid getter does not affect other getters. Includes the definitions that later sources may use, if they
 * run.
 */
function cutToGetters(
  session: Session,
  token: DeployedSource,
  getters: readonly TokenGetter[],
  mentioned: () => Iterable<string>,
): string | undefined {
  const { sourceCode } = token;
  const valid = getters
    .map((getter) => [getter, readerOf(getter)])
    .filter((names) => {
      const source = cutToNames(sourceCode, names);
      return source !== '' && runs(session, token, source);
    })
    .flat();
  if (valid.length === 0) return undefined;
  const extended = cutToNames(sourceCode, [...valid, ...mentioned()]);
  return runs(session, token, extended) ? extended : cutToNames(sourceCode, valid);
}
