// Takes the guards out of functions that passed on chain: what they check may need state that the VM does not have.
import { type CalledFunction, readEffects } from '#clarity/function-effects.ts';
import { definedName, type Expression, headOf, parseSource } from '#clarity/parse-source.ts';
import { type ChainStep, type DeployedSource, type EvaluationRequest, isCall, type ReplayedCall } from './messages.ts';

/** The request with `true` for each `(asserts! …)` that these calls may pass: on chain, all of them held. */
export function withoutGuards(request: EvaluationRequest, calls: readonly ReplayedCall[]): EvaluationRequest {
  const steps: readonly ChainStep[] = [...request.dependencies, request.token, ...request.later];
  const sources = steps.filter((step): step is DeployedSource => !isCall(step));
  const passed = functionsPassed(sources, calls);
  const strip = <T extends ChainStep>(step: T): T => {
    const names = passed.get(step.contractId);
    return isCall(step) || names === undefined ? step : { ...step, sourceCode: stripGuards(step.sourceCode, names) };
  };
  const { token, dependencies, later } = request;
  return {
    ...request,
    token: strip<DeployedSource>(token),
    dependencies: dependencies.map(strip),
    later: later.map(strip),
  };
}

/**
 * Names of the functions that calls may run, by contract, as far as an error of theirs is one of the call; a call on a
 * trait may run any function of its name.
 */
function functionsPassed(sources: readonly DeployedSource[], calls: readonly ReplayedCall[]): Map<string, Set<string>> {
  const effects = new Map(
    sources.map(({ contractId, sourceCode }) => [contractId, readEffects(sourceCode, contractId)]),
  );
  const passed = new Map<string, Set<string>>();
  const open: Pick<CalledFunction, 'contractId' | 'functionName'>[] = [...calls];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { functionName } = next;
    for (const contractId of next.contractId === undefined ? effects.keys() : [next.contractId]) {
      const one = effects.get(contractId)?.get(functionName);
      const names = passed.get(contractId) ?? new Set();
      if (one === undefined || names.has(functionName)) continue;
      passed.set(contractId, names.add(functionName));
      open.push(...one.calls.filter(({ role }) => role === 'result' || role === 'success'));
    }
  }
  return passed;
}

function stripGuards(source: string, names: ReadonlySet<string>): string {
  const guards: Expression[] = [];
  for (const definition of parseSource(source)) {
    if (!names.has(definedName(definition) ?? '')) continue;
    const open: Expression[] = [definition];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (headOf(next) === 'asserts!') guards.push(next);
      else if ('items' in next) open.push(...next.items);
    }
  }
  let stripped = '';
  let at = 0;
  for (const { start, end } of guards.sort((left, right) => left.start - right.start)) {
    stripped += `${source.slice(at, start)}true`;
    at = end;
  }
  return stripped + source.slice(at);
}
