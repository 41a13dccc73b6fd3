// Decides which calls a seed needs: those that an index records, because their function may write a variable.
import QuickLRU from 'quick-lru';
import { namesOfCallee } from '#clarity/packed-calls.ts';
import { findWritingFunctionsOf, type Writing } from '#clarity/writing-functions.ts';
import { readSources } from '#store/chain/deploys.ts';
import type { StoreReader } from '#store/index-database.ts';

/** The minimum number of functions, and of contracts, to remember. */
const MAX_FUNCTIONS = 100_000;
const MAX_CONTRACTS = 1_000;

/** Returns a function that is true for a callee (clarity/packed-calls.ts) whose calls are needed. */
export function openCallChooser(store: StoreReader) {
  const needed = new QuickLRU<string, boolean>({ maxSize: MAX_FUNCTIONS });
  const contracts = new QuickLRU<string, ReadonlyMap<string, Writing>>({ maxSize: MAX_CONTRACTS });
  return { known: (callee: string) => needed.get(callee), find };

  async function find(callee: string): Promise<boolean> {
    const { contractId, functionName } = namesOfCallee(callee);
    const functions = contracts.get(contractId) ?? findWritingFunctionsOf(await readSources(store, contractId, 'all'));
    if (functions !== undefined) contracts.set(contractId, functions);
    // A contract whose source is unknown may write anything.
    const isNeeded = functions === undefined || functions.has(functionName);
    needed.set(callee, isNeeded);
    return isNeeded;
  }
}
