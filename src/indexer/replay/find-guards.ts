// Finds the guards that calls passed on chain and that can be lifted if the VM lacks the state they check: takes
// contracts and calls, returns ranges in their sources.
import type { FunctionName } from '#clarity/function-effects.ts';
import type { SourceRange } from '#clarity/parse-source.ts';
import { readEffects } from '#clarity/read-effects.ts';
import type { StoreReader } from '#store/index-database.ts';
import type { PlacedCall, PlacedDeploy } from './placed-steps.ts';
import type { Summaries } from './summaries.ts';

/**
 * Returns guards of functions whose errors become errors of the calls; none of a function whose error is also handled
 * somewhere. A call on a trait may run any function of its name.
 */
export async function findGuards(
  store: StoreReader,
  summaries: Summaries,
  deploys: readonly PlacedDeploy[],
  calls: readonly PlacedCall[],
): Promise<Map<string, SourceRange[]>> {
  const effects = new Map(deploys.map(({ step }) => [step.contractId, readEffects(step.sourceCode, step.contractId)]));
  const passed = new Map<string, FunctionName>();
  const caught = new Set<string>();
  const open: { contractId: string | undefined; functionName: string; isCaught: boolean }[] = calls.map(({ call }) => ({
    contractId: call.contractId,
    functionName: call.functionName,
    isCaught: false,
  }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { functionName, isCaught } = next;
    for (const contractId of next.contractId === undefined ? effects.keys() : [next.contractId]) {
      const key = `${contractId} ${functionName}`;
      const one = effects.get(contractId)?.get(functionName);
      if (one === undefined || (isCaught ? caught.has(key) : passed.has(key))) continue;
      if (isCaught) caught.add(key);
      else passed.set(key, { contractId, functionName });
      for (const call of [...one.calls, ...one.guards.flatMap((guard) => guard.calls)])
        open.push({ ...call, isCaught: isCaught || call.role === 'value' });
    }
  }
  const conditions = new Map<string, SourceRange[]>();
  for (const [key, { contractId, functionName }] of passed) {
    if (caught.has(key)) continue;
    for (const guard of effects.get(contractId)?.get(functionName)?.guards ?? []) {
      if (guard.condition === undefined || !(await summaries.isPure(store, guard.calls))) continue;
      conditions.set(contractId, [...(conditions.get(contractId) ?? []), guard.condition]);
    }
  }
  return conditions;
}
