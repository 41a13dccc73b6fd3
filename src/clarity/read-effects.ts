// Finds the effects of each function in the source of a contract: the state that it reads and writes, and the functions
// that it calls.

import { DEPLOY } from './builtins.ts';
import { ContractScope } from './contract-scope.ts';
import { EffectsReader, type FunctionEffects } from './function-effects.ts';
import { definedName, type Expression, headOf, itemsOf } from './parse-source.ts';

const NOTHING: ReadonlySet<string> = new Set();
/** The name that stands for all functions of an oversized source together. */
const ALL = '$all';

/**
 * Returns the effects of each function by its name. {@link DEPLOY} is the name of the code that runs during the deploy.
 */
export function readEffects(source: string, contractId: string): Map<string, FunctionEffects> {
  const scope = new ContractScope(source, contractId);
  const deployEffects = new EffectsReader(scope).read(scope.deployCode, 'dropped', false);
  return new Map([
    [DEPLOY, deployEffects],
    ...(scope.isOversized ? [[ALL, readAll(scope, deployEffects)] as const] : []),
    ...scope.functions.flatMap((definition): [string, FunctionEffects][] => {
      const name = definedName(definition);
      const isPublic = headOf(definition) === 'define-public';
      const read = () => new EffectsReader(scope).read(bodyOf(definition), 'result', isPublic);
      return name === undefined ? [] : [[name, scope.isOversized ? callsAll(contractId, isPublic) : read()]];
    }),
  ]);
}

/**
 * Returns the effects of all functions of an oversized source together. Any of its functions may have all of these
 * effects, and may pass any contract that the source names.
 */
function readAll(scope: ContractScope, { contractIds }: FunctionEffects): FunctionEffects {
  const all = new EffectsReader(scope).read(scope.functions.flatMap(bodyOf), 'value', false);
  const parts = [all, ...all.guards];
  const calls = parts.flatMap((part) => part.calls).filter((call) => call.contractId !== scope.contractId);
  return {
    ...all,
    reads: new Set(parts.flatMap(({ reads }) => [...reads])),
    calls: calls.map((call) => ({ ...call, role: 'value' })),
    guards: [],
    contractIds: all.contractIds.union(contractIds),
  };
}

/** Returns the effects of a function whose only effect is that it calls {@link ALL}. */
function callsAll(contractId: string, isPublic: boolean): FunctionEffects {
  const calls = [{ contractId, functionName: ALL, role: 'result' as const }];
  return { isPublic, reads: NOTHING, guards: [], writes: NOTHING, calls, contractIds: NOTHING };
}

function bodyOf(definition: Expression): readonly Expression[] {
  return itemsOf(definition).slice(2);
}
