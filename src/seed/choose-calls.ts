// Chooses the transactions of a payload that a seed needs: an index ignores calls that cannot write a variable.
import QuickLRU from 'quick-lru';
import { namesOfCallee } from '#clarity/packed-calls.ts';
import { findWritingFunctionsOf, type Writing } from '#clarity/writing-functions.ts';
import type { CutPayload, CutTransaction } from '#source/observer/cut-payload.ts';
import { readSources } from '#store/chain/deploys.ts';
import type { StoreReader } from '#store/index-database.ts';

/** The minimum number of functions, and of contracts, to remember. */
const MAX_FUNCTIONS = 100_000;
const MAX_CONTRACTS = 1_000;

export function openCallChooser(store: StoreReader) {
  const needed = new QuickLRU<string, boolean>({ maxSize: MAX_FUNCTIONS });
  const contracts = new QuickLRU<string, ReadonlyMap<string, Writing>>({ maxSize: MAX_CONTRACTS });
  return choose;

  async function choose({ transactions }: CutPayload): Promise<CutTransaction[]> {
    const chosen: CutTransaction[] = [];
    for (const transaction of transactions) {
      const { callee, events } = transaction;
      if (callee === undefined || events !== '') chosen.push(transaction);
      else if (needed.get(callee) ?? (await mayWrite(callee))) chosen.push(transaction);
    }
    return chosen;
  }

  /** True for a callee that an index records, since it may write a variable. A contract without known code may. */
  async function mayWrite(callee: string): Promise<boolean> {
    const { contractId, functionName } = namesOfCallee(callee);
    const functions = contracts.get(contractId) ?? findWritingFunctionsOf(await readSources(store, contractId, 'all'));
    if (functions !== undefined) contracts.set(contractId, functions);
    const isNeeded = functions === undefined || functions.has(functionName);
    needed.set(callee, isNeeded);
    return isNeeded;
  }
}
