// Tracks whether a run's node and API are available: from the first successful request until the run gives them up.

import { areOtherChains } from '#model/chain.ts';
import { type Failure, isFailure } from '#model/failure.ts';
import { isTemporary } from '#model/temporary.ts';
import type { ChainSource, Service } from '#source/chain-source.ts';
import type { NodeTip } from '#source/stacks-node/node-responses.ts';
import type { Store } from '#store/index-database.ts';
import { readInfo, writeInfo } from '#store/index-info.ts';
import { otherChain } from '../chain/other-chain.ts';
import type { IndexOptions } from '../index-options.ts';
import { queueLookups } from '../queue/queue-lookups.ts';

export type SourceAccess = ReturnType<typeof openSourceAccess>;

const SERVICES = ['contracts', 'values'] as const satisfies Service[];

export function openSourceAccess(source: ChainSource) {
  let reached: Readonly<Record<Service, NodeTip | Failure>> | undefined;
  /** Returns the reason why a service cannot be used; undefined before it is reached, and while it is used. */
  const lossOf = (what: Service): Failure | undefined => {
    const tip = reached?.[what];
    return isFailure(tip) ? tip : source.downBecauseOf(what);
  };
  return {
    source,
    isAvailable: (what: Service) => reached !== undefined && lossOf(what) === undefined,
    /** Returns a reason that lasts until the operator changes something, if there is one. */
    lastingLoss: () => SERVICES.map(lossOf).find((failure) => failure !== undefined && !isTemporary(failure)),

    /** Queues the lookups of this run, and waits until the node and the API respond. Throws if their chain differs. */
    async reach(store: Store, options: IndexOptions): Promise<void> {
      // Queues lookups before the first request, so that the next run continues them if this run ends early.
      const forget = await queueLookups(store, options);
      const { reporter, patienceMs, signal } = options;
      const tips = await source.reach((failure) => {
        const { message } = failure;
        if (patienceMs > 0 && isTemporary(failure))
          reporter.info(`${message} Trying again for ${Math.round(patienceMs / 1000)} s.`);
      });
      if (signal.aborted) return;
      try {
        for (const [service, tip] of Object.entries(tips))
          if (!isFailure(tip)) await checkChain(store, nameOf(source, service as Service), tip.chainId);
      } catch (error) {
        await forget();
        throw error;
      }
      for (const tip of new Set(Object.values(tips))) {
        if (!isFailure(tip)) continue;
        const effect = isTemporary(tip) ? 'is left for a later run' : 'cannot be used';
        reporter.warn(`The node or API ${effect}: ${tip.message}`);
      }
      reached = tips;
    },

    reportLosses({ reporter }: IndexOptions): void {
      for (const what of SERVICES) {
        const why = reached !== undefined && !isFailure(reached[what]) ? source.downBecauseOf(what) : undefined;
        if (why !== undefined) reporter.warn(`Some ${what} are left for a later run: ${why.message}`);
      }
    },
  };
}

/** Returns the name of the server of a service, for messages. */
function nameOf({ api, node }: ChainSource, service: Service): string {
  return service === 'contracts' || node === api ? `The API at ${api?.host}` : `The node at ${node.host}`;
}

async function checkChain(store: Store, source: string, nodeChainId: number | undefined): Promise<void> {
  const { chainId, anyChainId: held } = await readInfo(store);
  if (nodeChainId === undefined || chainId === nodeChainId) return;
  if (held !== undefined && areOtherChains(held, nodeChainId)) throw otherChain(source, nodeChainId, held);
  if (chainId === undefined) await writeInfo(store, { chainId: nodeChainId });
}
