// Deploys a token's source in the VM, whole if it runs, else as much of it as does.
import { cutSource, cutToGetters } from './cut-source.ts';
import type { DeployedSource, Scope } from './messages.ts';
import { SCOPES } from './messages.ts';
import type { Session } from './session.ts';

/** A deploy of a probe costs milliseconds; a source with so many failing expressions is deployed with its definitions alone. */
const MAX_PROBES = 64;
/** An expression that always fails, in a way that nothing else does: what it is appended to has run if it is what fails. */
const PROBE_MARK = 'stxpress-probe-reached-the-end';
const PROBE = `(asserts! false (err "${PROBE_MARK}"))`;

/** The scope that was deployed, or why the VM refused the first one that was tried. */
export function deployToken(
  session: Session,
  token: DeployedSource,
  firstScope: Scope,
  onTrying: (scope: Scope) => void,
): { scope: Scope } | { refusal: string } {
  let firstRefusal: string | undefined;
  for (const scope of SCOPES.slice(SCOPES.indexOf(firstScope))) {
    onTrying(scope);
    const source = sourceFor(session, token, scope);
    if (source === undefined) continue;
    const refusal = session.deploy(token, source);
    if (refusal === undefined) return { scope };
    firstRefusal ??= refusal;
  }
  return { refusal: firstRefusal ?? 'there is nothing in it that can be deployed' };
}

function sourceFor(session: Session, token: DeployedSource, scope: Scope): string | undefined {
  switch (scope) {
    case 'whole':
      return token.sourceCode;
    case 'without-failing':
      return withoutFailing(session, token);
    case 'definitions':
      return cutSource(token.sourceCode).definitions.join('\n');
    case 'getters':
      return cutToGetters(token.sourceCode);
  }
}

/**
 * The source without the top-level expressions that fail, found by bisection: the first k expressions run if and only if
 * a probe behind them is reached. Every probe fails in the end, so none leaves state. Undefined if that would take too long,
 * or if even the definitions are refused.
 */
function withoutFailing(session: Session, token: DeployedSource): string | undefined {
  const cut = cutSource(token.sourceCode);
  const kept = new Set(cut.expressions.keys());
  let probes = 0;
  const runs = (count: number): boolean => {
    probes++;
    const source = `${cut.keeping(new Set([...kept].filter((index) => index < count)))}\n${PROBE}`;
    return session.deploy(token, source)?.includes(PROBE_MARK) === true;
  };
  if (!runs(0)) return undefined;
  let checked = 0;
  while (!runs(cut.expressions.length)) {
    // The first `low` expressions run, the first `high` do not.
    let low = checked;
    let high = cut.expressions.length;
    while (high - low > 1) {
      if (probes > MAX_PROBES) return undefined;
      const middle = (low + high) >> 1;
      if (runs(middle)) low = middle;
      else high = middle;
    }
    kept.delete(low);
    checked = high;
    if (checked === cut.expressions.length) break;
  }
  return cut.keeping(kept);
}
