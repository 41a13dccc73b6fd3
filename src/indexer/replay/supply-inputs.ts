// Finds the variables that decide a fungible token's supply right after its deploy.

import { DEPLOY, HEIGHT, INVENTED } from '#clarity/builtins.ts';
import { type Failure, fail } from '#model/failure.ts';
import type { TokenGetter } from '#model/token.ts';
import type { ChainReader } from './chain-reader.ts';
import { isTooLarge } from './closure.ts';
import { canChange, notReplayed } from './find-reasons.ts';
import { isPlacedCall, type PlannedStep } from './trace-steps.ts';
import { contractOf, isOwn, nameOf, type Variable, type Variables } from './transitive-effects.ts';

interface SupplyInputs {
  readonly variables: Variables;
  /** The reason why the supply right after the deploy may not be the supply at the tip; undefined if it is. */
  readonly failure: Failure | undefined;
}

export async function readSupplyInputs(chain: ChainReader, contractId: string): Promise<SupplyInputs> {
  // The set `variables` grows during the loop.
  const variables = new Set((await chain.summaries.effectsOf({ contractId, functionName: 'get-total-supply' })).reads);
  let failure: Failure | undefined;
  for (const variable of variables) {
    if (INVENTED.has(nameOf(variable))) return { variables, failure: notReplayed(variable) };
    const isLost = nameOf(variable).startsWith('$') || (await canChange(chain, variable));
    if (isLost) failure ??= fail('supply-of-deploy');
    else for (const input of await inputsAtDeploy(chain, variable)) variables.add(input);
  }
  return { variables, failure };
}

/** Returns the variables of other contracts that decide the value of a variable when its contract is deployed. */
async function inputsAtDeploy(chain: ChainReader, variable: Variable): Promise<Variable[]> {
  const contractId = contractOf(variable);
  const deploy = await chain.summaries.effectsOf({ contractId, functionName: DEPLOY });
  if (!deploy.writes.has(variable) && !isTooLarge(deploy)) return [];
  return [...deploy.inputs].filter((input) => nameOf(input) !== HEIGHT && !isOwn(input, contractId));
}

/** Adds the getter of the supply to `feeds` for each deploy that may decide the supply. */
export function withSupply(
  steps: readonly PlannedStep[],
  feeds: readonly (readonly TokenGetter[])[],
  variables: Variables,
): (readonly TokenGetter[])[] {
  const isFed = (step: PlannedStep) => !isPlacedCall(step) && !step.effects.writes.isDisjointFrom(variables);
  return steps.map((step, index) => [...(feeds[index] ?? []), ...(isFed(step) ? (['get-total-supply'] as const) : [])]);
}
