// Deploys a source in the VM: whole if it runs, otherwise as much of it as does.
import type { TokenGetter } from '#model/token.ts';
import { cutSource, cutToNames, definitionsOf } from './cut-source.ts';
import { type DeployedSource, SCOPES, type Scope } from './messages.ts';
import { readerOf } from './read-getters.ts';
import type { SdkEvents, Session } from './session.ts';

/** A probe costs milliseconds; a source with so many failing expressions is deployed with only its definitions. */
const MAX_PROBES = 64;
/** Fails in a unique way: a source to which it is appended ran to its end if this is the failure. */
const PROBE_MARK = 'stxpress-probe-reached-the-end';
const PROBE = `(asserts! false (err "${PROBE_MARK}"))`;

/** The part of a source that was deployed; `events` only if it was all of it. */
export type Deployed = { readonly sourceCode: string; readonly events?: SdkEvents } | { readonly refusal: string };

/** Deploys as much of a token as runs, or returns why the VM refused the first scope that was tried. */
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
    // The previous scope tried the same.
    if (scope === 'definitions' && scope !== firstScope) continue;
    onTrying(scope);
    const sourceCode = sourceFor(session, token, getters, scope, mentioned);
    if (sourceCode === undefined) continue;
    const deployed = session.deploy(token, sourceCode);
    if ('refusal' in deployed) firstRefusal ??= deployed.refusal;
    else return { sourceCode, ...(scope === 'whole' ? deployed : {}) };
  }
  return { refusal: firstRefusal ?? 'there is nothing in it that can be deployed' };
}

/**
 * Deploys a dependency of a token: whole, else without its failing expressions, else only its definitions in
 * `mentioned`, the names in the sources that may use it. If refused, it is left out, and the token shows whether it
 * matters.
 */
export function deployDependency(
  session: Session,
  dependency: DeployedSource,
  mentioned: () => Iterable<string>,
): Deployed {
  // The VM includes the boot contracts, and panics at a second one.
  if (session.has(dependency.contractId)) return { refusal: 'the VM has another one' };
  const whole = session.deploy(dependency, dependency.sourceCode);
  if ('events' in whole) return { sourceCode: dependency.sourceCode, ...whole };
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

/** True if a source runs to its end. The appended probe fails, so the source is not deployed and leaves no state. */
function runs(session: Session, token: DeployedSource, source: string): boolean {
  const deployed = session.deploy(token, `${source}\n${PROBE}`);
  return 'refusal' in deployed && deployed.refusal.includes(PROBE_MARK);
}

/** Bisects leading expressions; definitions alone if that takes too long. Undefined if even these fail. */
function withoutFailing(session: Session, token: DeployedSource): string | undefined {
  const cut = cutSource(token.sourceCode);
  const count = cut.expressionCount;
  const kept = new Set(Array.from({ length: count }, (_, index) => index));
  let probes = 0;
  const firstRun = (first: number): boolean => {
    probes++;
    return runs(session, token, cut.keeping(new Set([...kept].filter((index) => index < first))));
  };
  if (!firstRun(0)) return undefined;
  let checked = 0;
  while (checked < count && !firstRun(count)) {
    // Invariant: the first `low` expressions run, the first `high` do not.
    let low = checked;
    let high = count;
    while (high - low > 1) {
      if (probes > MAX_PROBES) return cut.keeping(new Set());
      const middle = (low + high) >> 1;
      if (firstRun(middle)) low = middle;
      else high = middle;
    }
    kept.delete(low);
    checked = high;
  }
  return cut.keeping(kept);
}

/**
 * The getters with their dependencies, without those that cannot be analysed: one bad getter loses one value. If they
 * run, with what the sources behind may use.
 */
function cutToGetters(
  session: Session,
  token: DeployedSource,
  getters: readonly TokenGetter[],
  mentioned: () => Iterable<string>,
): string | undefined {
  const { sourceCode } = token;
  const good = getters
    .map((getter) => [getter, readerOf(getter)])
    .filter((names) => {
      const source = cutToNames(sourceCode, names);
      return source !== '' && runs(session, token, source);
    })
    .flat();
  if (good.length === 0) return undefined;
  const whole = cutToNames(sourceCode, [...good, ...mentioned()]);
  return runs(session, token, whole) ? whole : cutToNames(sourceCode, good);
}
