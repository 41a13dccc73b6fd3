// Deploys a source in the VM: the complete source if it runs, otherwise as much of it as possible.
import type { VmEvent } from '#clarity/event-digest.ts';
import { isSameCode } from '#clarity/source-scanner.ts';
import type { TokenGetter } from '#model/token.ts';
import { cutDefinitions, cutSource, definitionsOf } from './cut-source.ts';
import { type DeployedSource, SCOPES, type Scope } from './messages.ts';
import { readerOf } from './read-getters.ts';
import type { Session } from './session.ts';

/** The maximum number of probes, each of which takes milliseconds. Beyond it, only definitions are deployed. */
const MAX_PROBES = 64;
/** The error of a probe at the end of a source. If the source fails with this error, all code before the probe ran. */
const PROBE_MARK = 'stxpress-probe-reached-the-end';
const PROBE = `(asserts! false (err "${PROBE_MARK}"))`;

/** The deployed part of a source, or the VM's reason for rejecting it. `events` is set if all of it was deployed. */
export type Deployed =
  | { readonly sourceCode: string; readonly events?: readonly VmEvent[] }
  | { readonly refusal: string };

/**
 * Returns a contract that the VM's package brings along, which would make the VM panic if it were deployed again;
 * undefined for any other contract. With the same code as on chain, it counts as deployed, unless `isRewritten` is true:
 * the VM then reads other chain data than the chain.
 */
export function findBundled(
  session: Session,
  { contractId, sourceCode }: DeployedSource,
  isRewritten: () => boolean,
): Deployed | undefined {
  const bundled = session.sourceOf(contractId);
  if (bundled === undefined) return undefined;
  if (!isSameCode(bundled, sourceCode)) return { refusal: "the VM's package has another contract with this id" };
  return isRewritten() ? { sourceCode } : { sourceCode, events: [] };
}

/** The names in later sources, which decide how much of a source is deployed if only a part of it can be. */
export interface LaterNames {
  readonly read: () => Iterable<string>;
  /** Called if so many definitions are invalid that valid ones are left out. With fewer names, more might be deployed. */
  readonly onTooMany: () => void;
}

/** Deploys as much of a token's source as possible, or returns the VM's reason for rejecting the first scope. */
export function deployToken(
  session: Session,
  token: DeployedSource,
  getters: readonly TokenGetter[],
  firstScope: Scope,
  later: LaterNames,
  onTrying: (scope: Scope) => void,
): Deployed {
  let firstRefusal: string | undefined;
  for (const scope of SCOPES.slice(SCOPES.indexOf(firstScope))) {
    // The scope `without-failing` has already tried the definitions.
    if (scope === 'definitions' && scope !== firstScope) continue;
    onTrying(scope);
    const sourceCode = sourceFor(session, token, getters, scope, later);
    if (sourceCode === undefined) continue;
    const deployed = session.deploy(token, sourceCode);
    if ('refusal' in deployed) firstRefusal ??= deployed.refusal;
    else return { sourceCode, ...(scope === 'whole' ? deployed : {}) };
  }
  return { refusal: firstRefusal ?? 'no part of it can be deployed' };
}

/**
 * Deploys as much of a dependency as possible: the complete source, the source without failing expressions, or only
 * definitions with the names in later sources.
 */
export function deployDependency(session: Session, dependency: DeployedSource, later: LaterNames): Deployed {
  const complete = session.deploy(dependency, dependency.sourceCode);
  if ('events' in complete) return { sourceCode: dependency.sourceCode, ...complete };
  const running = withoutFailing(session, dependency);
  if (running !== undefined && 'events' in session.deploy(dependency, running)) return { sourceCode: running };
  const sourceCode = cutToValid(session, dependency, cutDefinitions(dependency.sourceCode), [], later);
  const named = session.deploy(dependency, sourceCode);
  return 'events' in named ? { sourceCode } : named;
}

function sourceFor(
  session: Session,
  token: DeployedSource,
  getters: readonly TokenGetter[],
  scope: Scope,
  later: LaterNames,
): string | undefined {
  switch (scope) {
    case 'whole':
      return token.sourceCode;
    case 'without-failing':
      return withoutFailing(session, token);
    case 'definitions':
      return definitionsOf(token.sourceCode);
    case 'getters':
      return cutToGetters(session, token, getters, later);
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
 * that one invalid getter does not affect other getters. Includes the valid definitions that later sources may use.
 */
function cutToGetters(
  session: Session,
  token: DeployedSource,
  getters: readonly TokenGetter[],
  later: LaterNames,
): string | undefined {
  const cut = cutDefinitions(token.sourceCode);
  const valid = getters
    .map((getter) => [getter, readerOf(getter)])
    .filter((names) => {
      const source = cut.withNames(names);
      return source !== '' && runs(session, token, source);
    })
    .flat();
  return valid.length === 0 ? undefined : cutToValid(session, token, cut, valid, later);
}

/**
 * Returns the definitions with these names, and the valid definitions that later sources may use. An invalid definition
 * does not affect others, so that the names in other sources do not either.
 */
function cutToValid(
  session: Session,
  source: DeployedSource,
  cut: ReturnType<typeof cutDefinitions>,
  names: readonly string[],
  later: LaterNames,
): string {
  const used = cut.sharedNames.intersection(new Set(later.read()));
  const valid: string[] = [];
  const open = used.size === 0 ? [] : [[...used]];
  for (let probes = 0, some = open.pop(); some !== undefined; some = open.pop()) {
    if (probes++ > MAX_PROBES) {
      later.onTooMany();
      break;
    }
    if (runs(session, source, cut.withNames(some))) for (const name of some) valid.push(name);
    else if (some.length > 1) open.push(some.slice(some.length >> 1), some.slice(0, some.length >> 1));
  }
  return cut.withNames([...names, ...valid]);
}
