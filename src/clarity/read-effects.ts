// Finds the effects of each function in the source of a contract: the state that it reads and writes, and the functions
// that it calls.

import { DEPLOY } from './builtins.ts';
import { ContractScope } from './contract-scope.ts';
import { type FunctionEffects, useOfConstant } from './effects.ts';
import { EffectsReader } from './function-effects.ts';
import { definedName, headOf, itemsOf } from './parse-source.ts';

const NOTHING: ReadonlySet<string> = new Set();

/**
 * Returns the effects of each function by its name. {@link DEPLOY} is the name of the code that runs during the deploy.
 * Constants that name contracts count as functions ({@link useOfConstant}), so that the size of the result is linear in
 * the size of the source.
 */
export function readEffects(source: string, contractId: string): Map<string, FunctionEffects> {
  const scope = new ContractScope(source, contractId);
  const effects = new Map([[DEPLOY, new EffectsReader(scope).read(scope.deployCode, 'dropped', false)]]);
  for (const [name, { contractIds, constants }] of scope.naming) {
    const calls = Array.from(constants, (used) => useOfConstant(contractId, used));
    const { functionName } = useOfConstant(contractId, name);
    effects.set(functionName, { isPublic: false, reads: NOTHING, guards: [], writes: NOTHING, calls, contractIds });
  }
  for (const definition of scope.functions) {
    const name = definedName(definition);
    const read = () =>
      new EffectsReader(scope).read(itemsOf(definition).slice(2), 'result', headOf(definition) === 'define-public');
    if (name !== undefined) effects.set(name, read());
  }
  return effects;
}
