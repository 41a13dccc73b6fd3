// Copies effects for a cache. In V8, a name is a slice of the source and would keep the whole source in memory.

import QuickLRU from 'quick-lru';
import type { CalledFunction, FunctionEffects } from '#clarity/function-effects.ts';
import { NONE } from './sum-effects.ts';

/** The maximum number of names to share. Many names occur in most contracts. */
const MAX_NAMES = 10_000;

const names = new QuickLRU<string, string>({ maxSize: MAX_NAMES });

/** Returns an equal string that does not keep the source in memory. */
export function compactName(name: string): string {
  let known = names.get(name);
  if (known === undefined) {
    known = Buffer.from(name).toString();
    names.set(known, known);
  }
  return known;
}

export function compactEffects({
  reads,
  writes,
  contractIds,
  calls,
  guards,
  isPublic,
}: FunctionEffects): FunctionEffects {
  return {
    isPublic,
    reads: compactNames(reads),
    writes: compactNames(writes),
    contractIds: compactNames(contractIds),
    calls: calls.map(compactCall),
    guards: guards.map((guard) => ({ reads: compactNames(guard.reads), calls: guard.calls.map(compactCall) })),
  };
}

function compactCall({ contractId, functionName, role }: CalledFunction): CalledFunction {
  return {
    contractId: contractId === undefined ? undefined : compactName(contractId),
    functionName: compactName(functionName),
    role,
  };
}

function compactNames(texts: ReadonlySet<string>): ReadonlySet<string> {
  return texts.size === 0 ? NONE : new Set([...texts].map(compactName));
}
