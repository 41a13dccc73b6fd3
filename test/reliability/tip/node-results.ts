// Reads the values of tokens at the present tip as a node returns them, and stores them in an index.

import { unpackCode } from '#model/packed-code.ts';
import { isCollectionStandard, TOKEN_GETTERS, type TokenGetter } from '#model/token.ts';
import { sharedGetters } from '#standards/shared-getters.ts';
import { readTip } from '#store/chain/blocks.ts';
import { readCode } from '#store/chain/code-columns.ts';
import { readHighestGap } from '#store/chain/gaps.ts';
import { type ServedContract, servedContracts } from '#store/contracts/contracts.ts';
import type { Store } from '#store/index-database.ts';
import { type NewReading, writeReadings } from '#store/tokens/readings.ts';
import { readTokens } from '#store/tokens/tokens.ts';
import { dropOtherSupplies, markUntrackedUnproven } from '#store/tokens/unproven-readings.ts';
import type { Program } from './program.ts';
import type { SimnetChain } from './simnet-chain.ts';
import { readTruths, type Value } from './truths.ts';

export interface NodeResponses {
  readonly height: number;
  readonly values: readonly Pick<Value, 'contractId' | 'getter' | 'truth'>[];
}

export function readNode(chain: SimnetChain, programs: readonly Program[]): NodeResponses {
  const values = readTruths(chain, programs, new Set(chain.blocks.flatMap(({ contracts }) => contracts)));
  const canonical = chain.blocks.filter(({ isOrphan }) => !isOrphan);
  return { values, height: Math.max(...canonical.map(({ height }) => height)) };
}

/** Stores values as the jobs that read nodes would. For collections, stores only values that all tokens share. */
export async function storeResults(store: Store, { height, values }: NodeResponses): Promise<void> {
  const contracts = (await Array.fromAsync(servedContracts(store))).flat();
  const deployIds = contracts.map(({ deployId }) => deployId);
  const tokens = await readTokens(store, deployIds);
  const returned = Map.groupBy(values, ({ contractId }) => contractId);
  const readings = new Map<string, NewReading>();
  for (const contract of contracts) {
    const token = tokens.get(contract.deployId);
    // The index does not ask nodes about contracts that exist only in orphaned blocks, so these have no token here.
    if (token === undefined) continue;
    const { tokenId } = token;
    const getters: ReadonlySet<string> = await gettersOf(store, contract);
    for (const { getter, truth } of returned.get(contract.contractId) ?? [])
      if (truth.kind === 'text' && getters.has(getter)) {
        const reading = { getter: getter as TokenGetter, value: truth.text };
        readings.set(`${tokenId} ${getter}`, { ...reading, tokenId, source: 'node', height });
      }
  }
  const contractIds = contracts.map(({ contractId }) => contractId);
  await store.transaction().execute(async (writer) => {
    await writeReadings(writer, [...readings.values()]);
    const below = (await readTip(writer))?.height ?? 0;
    await dropOtherSupplies(writer, contractIds, { below }, await readHighestGap(writer, { canonical: true }));
    await markUntrackedUnproven(writer);
  });
}

async function gettersOf(store: Store, { deployId, standard }: ServedContract): Promise<ReadonlySet<string>> {
  if (!isCollectionStandard(standard)) return new Set(TOKEN_GETTERS);
  const packed = (await readCode(store, [deployId])).get(deployId);
  return packed === undefined ? new Set() : sharedGetters(standard, unpackCode(packed).source);
}
