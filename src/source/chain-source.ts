// Combines a node, and optionally an API, into one source of the chain's current state.
import { type Failure, isFailure } from '#model/failure.ts';
import type { JsonClient } from '#net/json-client.ts';
import { type ReportedContract, readContract } from './stacks-api/api-responses.ts';
import { type NodeTip, readInterface, readSource, readTip } from './stacks-node/node-responses.ts';

/** Contracts come from the API, values from the node. */
export type Service = 'contracts' | 'values';

/** Fresh enough, although blocks come every few seconds: a height is only the minimum at which a value was read. */
const TIP_MAX_AGE_MS = 60_000;
const LOW_TIP_MAX_AGE_MS = 500;

interface Clients {
  /** Provides contracts and the token list; without it, only values of known contracts can be read. */
  readonly api: JsonClient | undefined;
  /** Provides `/v2`: a node, or an API, which proxies one. */
  readonly node: JsonClient;
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

    /** Why the server for contracts or for values was given up for this run. */
    downBecauseOf(what: Service): Failure | undefined {
      return what === 'contracts' ? api?.downBecauseOf : node.downBecauseOf;
    },

    /** Waits for the tips of the node and of another API. `onError` gets the first failure of each. */
    async reach(onError: (failure: Failure) => void): Promise<Readonly<Record<Service, NodeTip | Failure>>> {
      const [values, contracts] = await Promise.all([
        waitForTip(node, onError),
        api === undefined || api === node ? undefined : waitForTipOfApi(api, onError),
      ]);
      if (!isFailure(values)) [known, readAt] = [values, performance.now()];
      return { values, contracts: contracts ?? values };
    },

    /** The tip of the last minute, of the last half second if it is lower; an older one if the node does not answer. */
    async tip(atLeast = 0): Promise<NodeTip | Failure> {
      const maxAgeMs = (known?.height ?? atLeast) < atLeast ? LOW_TIP_MAX_AGE_MS : TIP_MAX_AGE_MS;
      if (known !== undefined && performance.now() - readAt < maxAgeMs) return known;
      // Concurrent calls get the previous tip.
      readAt = performance.now();
      const tip = await readTip(node);
      if (isFailure(tip)) return known ?? tip;
      known = tip;
      return tip;
    },

    /** Undefined if the contract does not exist. Needs an API. */
    async readContract(contractId: string): Promise<ReportedContract | Failure | undefined> {
      if (api === undefined) throw new Error('only an API knows deploys');
      const contract = await readContract(api, contractId);
      if (contract === undefined || isFailure(contract)) return contract;
      const sourceCode = contract.sourceCode ?? (await readSource(node, contractId));
      if (isFailure(sourceCode)) return sourceCode;
      // A node has interfaces of canonical contracts only.
      if (contract.interface !== undefined || !contract.canonical) return { ...contract, sourceCode };
      const ofNode = await readInterface(node, contractId);
      // An invalid interface from the API is reported unless the node has one.
      if (ofNode === undefined) return { ...contract, sourceCode };
      if (!isFailure(ofNode)) return { ...contract, sourceCode, interface: ofNode, interfaceFailure: undefined };
      if (ofNode.retryable) return ofNode;
      return { ...contract, sourceCode, interfaceFailure: contract.interfaceFailure ?? ofNode };
    },
  };
}

/** An API beside a node need not proxy one: any answer other than a tip means that it does not. */
async function waitForTipOfApi(client: JsonClient, onError: (failure: Failure) => void): Promise<NodeTip | Failure> {
  const tip = await readTip(client);
  if (isFailure(tip) && tip.code !== 'source-invalid') return waitForTip(client, onError);
  return isFailure(tip) ? { chainId: undefined, height: undefined } : tip;
}

async function waitForTip(client: JsonClient, onError: (failure: Failure) => void): Promise<NodeTip | Failure> {
  for (let attempt = 1; ; attempt++) {
    // The client delays these attempts, and gives up the server in the end.
    const tip = await readTip(client);
    if (!isFailure(tip)) return tip;
    if (client.downBecauseOf !== undefined) return client.downBecauseOf;
    if (!tip.retryable || tip.code === 'source-down' || tip.code === 'host-held') return tip;
    if (attempt === 1) onError(tip);
  }
}
