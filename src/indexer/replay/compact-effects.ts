// Copies effects for a cache. In V8, a name is a slice of the source and would keep the whole source in memory.

import QuickLRU from 'quick-lru';
import type { CalledFunction, FunctionEffects, Guard } from '#clarity/effects.ts';
import { variableOf } from './transitive-effects.ts';

export const NONE: ReadonlySet<string> = new Set();

/** The maximum number of names to share. Many names occur in most contracts. */
const MAX_NAMES = 10_000;

const names = new QuickLRU<string, string>({ maxSize: MAX_NAMES });

/** Returns an equal string that does not keep the source in memory. */
function compactName(name: string): string {
  let known = names.get(name);
  if (known === undefined) {
    known = Buffer.from(name).toString();
    names.set(known, known);
  }
  return known;
}

/** Returns effects whose names of state are variables of the contract. Equal variables are the same string. */
export function compactEffects(contractId: string, effects: Iterable<readonly [string, FunctionEffects]>) {
  const variables = new Map<string, string>();
  const toVariable = (name: string) => {
    let known = variables.get(name);
    if (known === undefined) {
      known = variableOf(contractId, compactName(name));
      variables.set(name, known);
    }
    return known;
  };
  const compactGuard = ({ reads, calls }: Guard): Guard => ({
    reads: compact(reads, toVariable),
    calls: calls.map(compactCall),
  });
  return Array.from(effects, ([name, { isPublic, reads, guards, writes, calls, contractIds }]) => {
    const compacted: FunctionEffects = {
      isPublic,
      reads: compact(reads, toVariable),
      guards: guards.map(compactGuard),
      writes: compact(writes, toVariable),
      calls: calls.map(compactCall),
      contractIds: compact(contractIds, compactName),
    };
    return [compactName(name), compacted] as const;
  });
}

function compactCall({ contractId, functionName, role }: CalledFunction): CalledFunction {
  return {
    contractId: contractId === undefined ? undefined : compactName(contractId),
    functionName: compactName(functionName),
    role,
  };
}

function compact(texts: ReadonlySet<string>, copy: (text: string) => string): ReadonlySet<string> {
  return texts.size === 0 ? NONE : new Set(Array.from(texts, copy));
}
