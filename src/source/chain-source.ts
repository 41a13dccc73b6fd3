// Combines a node, and optionally an API, into one source of the chain's current state.
import { type Failure, isFailure } from '#model/failure.ts';
import { isTemporary } from '#model/temporary.ts';
import type { ServerClient } from '#net/server-client.ts';
import { type ReportedContract, readContract } from './stacks-api/api-responses.ts';
import { type NodeTip, readInterface, readSource, readTip } from './stacks-node/node-responses.ts';

/** The kinds of data: contracts come from the API, values from the node. */
export type Service = 'contracts' | 'values';

/** The maximum age of a tip. An old tip suffices, since it only gives the minimum height at which a value was read. */
const TIP_MAX_AGE_MS = 60_000;
const LOW_TIP_MAX_AGE_MS = 500;

interface Clients {
  /** The client for contracts and the token list. Without an API, only values of known contracts can be read. */
  readonly api: ServerClient | undefined;
  /** The client for paths below `/v2`: of a node, or of an API that forwards these requests to a node. */
  readonly node: ServerClient;
}

export type ChainSource = ReturnType<typeof openChainSource>;

export function openChainSource({ api, node }: Clients) {
  let known: NodeTip | undefined;
  let readAt = 0;
  return {
    api,
    node,
    async [Symbol.asyncDispose](): Promise<void> {
      for (const client of new Set([api, node])) await client?.[Symbol.asyncDispose]();
    },

    /**
     * Returns the reason why this run stopped using the server for contracts or for values; undefined while it uses the
     * server.
     */
    downBecauseOf(service: Service): Failure | undefined {
      return service === 'contracts' ? api?.downBecauseOf : node.downBecauseOf;
    },

    /** Waits until the node and the API return their tips. `onError` receives the first failure of each server. */
    async reach(onError: (failure: Failure) => void): Promise<Readonly<Record<Service, NodeTip | Failure>>> {
      const [values, contracts] = await Promise.all([
        waitForTip(node, onError),
        api === undefined || api === node ? undefined : waitForTipOfApi(api, onError),
      ]);
      if (!isFailure(values)) [known, readAt] = [values, performance.now()];
      return { values, contracts: contracts ?? values };
    },

    /**
     * Returns a tip that is at most a minute old. A tip below `atLeast` is at most half a second old. If the node does
     * not respond, returns the previous tip.
     */
    async tip(atLeast = 0): Promise<NodeTip | Failure> {
      const maxAgeMs = (known?.height ?? atLeast) < atLeast ? LOW_TIP_MAX_AGE_MS : TIP_MAX_AGE_MS;
      if (known !== undefined && performance.now() - readAt < maxAgeMs) return known;
      // Sets the time before the request, so that concurrent calls return the previous tip.
      readAt = performance.now();
      const tip = await readTip(node);
      if (isFailure(tip)) return known ?? tip;
      known = tip;
      return tip;
    },

    /** Reads a contract; undefined if it does not exist. Requires an API. */
    async readContract(contractId: string): Promise<ReportedContract | Failure | undefined> {
      if (api === undefined) throw new Error('reading contracts requires an API');
      const contract = await readContract(api, contractId);
      if (contract === undefined || isFailure(contract)) return contract;
      const sourceCode = contract.sourceCode ?? (await readSource(node, contractId));
      if (isFailure(sourceCode)) return sourceCode;
      // Nodes return interfaces only of canonical contracts.
      if (contract.interface !== undefined || !contract.canonical) return { ...contract, sourceCode };
      const nodeInterface = await readInterface(node, contractId);
      // Reports an invalid interface from the API only if the node does not have a valid one.
      if (nodeInterface === undefined) return { ...contract, sourceCode };
      if (!isFailure(nodeInterface))
        return { ...contract, sourceCode, interface: nodeInterface, interfaceFailure: undefined };
      if (nodeInterface.retryable) return nodeInterface;
      return { ...contract, sourceCode, interfaceFailure: contract.interfaceFailure ?? nodeInterface };
    },
  };
}

/**
 * Reads the tip of an API, which may lack `/v2` if it is used together with a node. Any response that is not a tip
 * means that the API lacks `/v2`.
 */
async function waitForTipOfApi(client: ServerClient, onError: (failure: Failure) => void): Promise<NodeTip | Failure> {
  const tip = await readTip(client);
  if (isFailure(tip) && tip.code !== 'not-an-api') return waitForTip(client, onError);
  return isFailure(tip) ? { chainId: undefined, height: undefined } : tip;
}

async function waitForTip(client: ServerClient, onError: (failure: Failure) => void): Promise<NodeTip | Failure> {
  for (let attempt = 1; ; attempt++) {
    // The client delays these attempts, and finally stops using the server.
    const tip = await readTip(client);
    if (!isFailure(tip)) return tip;
    if (client.downBecauseOf !== undefined) return client.downBecauseOf;
    // A failure that lasts is requested once more, since a server may return a wrong page for a moment.
    if ((!isTemporary(tip) && attempt > 1) || tip.code === 'source-down' || tip.code === 'host-held') return tip;
    if (attempt === 1) onError(tip);
  }
}
