// Finds what each function of a contract reads, writes and calls: takes a source, returns effects by function name.

import { ContractScope } from './contract-scope.ts';
import { EffectsReader, type FunctionEffects } from './function-effects.ts';
import { definedName, type Expression, headOf, itemsOf } from './parse-source.ts';
import { DEPLOY } from './state-names.ts';

const NOTHING: ReadonlySet<string> = new Set();
/** Name of what the functions of a vast source do together. */
const ALL = '$all';

/** Effects by function name, including {@link DEPLOY}. */
export function readEffects(source: string, contractId: string): Map<string, FunctionEffects> {
  const scope = new ContractScope(source, contractId);
  const ofDeploy = new EffectsReader(scope).read(scope.others, 'dropped', false);
  return new Map([
    [DEPLOY, ofDeploy],
    ...(scope.isVast ? [[ALL, readAll(scope, ofDeploy)] as const] : []),
    ...scope.functions.flatMap((one): [string, FunctionEffects][] => {
      const name = definedName(one);
      const isPublic = headOf(one) === 'define-public';
      const read = () => new EffectsReader(scope).read(bodyOf(one), 'result', isPublic);
      return name === undefined ? [] : [[name, scope.isVast ? doesAll(contractId, isPublic) : read()]];
    }),
  ]);
}

/** Of a vast source: each function may do what any of them does, and pass any contract that the source names. */
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

function doesAll(contractId: string, isPublic: boolean): FunctionEffects {
  const calls = [{ contractId, functionName: ALL, role: 'result' as const }];
  return { isPublic, reads: NOTHING, guards: [], writes: NOTHING, calls, contractIds: NOTHING };
}

function bodyOf(definition: Expression): readonly Expression[] {
  return itemsOf(definition).slice(2);
}
