// Finds out from the code of a contract whether its deploy may call other contracts. Follows only code that may run
// during the deploy, and may wrongly return true.

import { BOOT_ADDRESSES } from '#model/principal.ts';
import { CALL, DEFINITIONS, FUNCTIONS } from './contract-scope.ts';
import { atomOf, definedName, type Expression, evaluatedOf, groupsIn, headOf } from './parse-source.ts';

const BOOT = [...BOOT_ADDRESSES].map((address) => `'${address}.`);

/** Returns true if the deploy may call a contract that is not a boot contract. */
export function callsAtDeploy(code: readonly Expression[]): boolean {
  const functions = Map.groupBy(
    code.filter((expression) => FUNCTIONS.has(headOf(expression) ?? '')),
    definedName,
  );
  const running = code.filter((expression) => !DEFINITIONS.has(headOf(expression) ?? ''));
  for (let next = running.pop(); next !== undefined; next = running.pop())
    for (const group of groupsIn([next])) {
      const contract = headOf(group) === CALL ? (atomOf(group.items[1]) ?? '') : undefined;
      if (contract !== undefined && !BOOT.some((start) => contract.startsWith(start))) return true;
      for (const item of evaluatedOf(group)) {
        const name = atomOf(item);
        if (name === undefined) continue;
        for (const definition of functions.get(name) ?? []) running.push(definition);
        functions.delete(name);
      }
    }
  return false;
}
