// A node, and the API that it may come with, as one source of what the living chain says.
import { type Failure, isFailure } from '#model/failure.ts';
import type { GetterAnswer, TokenGetter } from '#model/token.ts';
import type { JsonClient } from '#net/json-client.ts';
import { listTokens, type TokenPage } from './stacks-api/list-tokens.ts';
import { type ReportedContract, readContract } from './stacks-api/read-contract.ts';
import { callGetter } from './stacks-node/call-getter.ts';
import { readInterface, readSource } from './stacks-node/read-code.ts';
import { type NodeTip, readTip } from './stacks-node/read-tip.ts';

/** The tip of the server that answers values, and of the one that answers contracts, or why there is none. */
export interface Reached {
  readonly values: NodeTip | Failure;
  readonly contracts: NodeTip | Failure;
}

export interface ChainSourceOptions {
  /** Answers contract info and the token list; without it, only values of contracts that are known already are read. */
  readonly api: JsonClient | undefined;
  /** Answers `/v2`: a node, or the API, which proxies one. */
  readonly node: JsonClient;
}

/** A chain grows by a block every few seconds, and a height says no more than "not before". */
const TIP_MAX_AGE_MS = 60_000;

export class ChainSource {
  readonly #api: JsonClient | undefined;
  readonly #node: JsonClient;
  #tip: NodeTip | undefined;
  #tipReadAt = 0;

  constructor({ api, node }: ChainSourceOptions) {
    this.#api = api;
    this.#node = node;
  }

  get hasApi(): boolean {
    return this.#api !== undefined;
  }

  /** Why the server that answers contract info, or values, was given up for this run. */
  downBecauseOf(what: 'contracts' | 'values'): Failure | undefined {
    return what === 'contracts' ? this.#api?.downBecauseOf : this.#node.downBecauseOf;
  }

  /**
   * Waits until the servers tell their tips, or are given up: of the node, and of the API if it is another server.
   * `onTrouble` hears of the first failure of each.
   */
  async reach(onTrouble: (failure: Failure) => void): Promise<Reached> {
    const [node, api] = await Promise.all([
      waitForTip(this.#node, onTrouble),
      this.#api === undefined || this.#api === this.#node ? undefined : waitForTipOfApi(this.#api, onTrouble),
    ]);
    if (!isFailure(node)) {
      this.#tip = node;
      this.#tipReadAt = performance.now();
    }
    return { values: node, contracts: api ?? node };
  }

  /** The tip as it was a minute ago at most, or as it was last told. */
  async tip(): Promise<NodeTip | Failure> {
    if (this.#tip !== undefined && performance.now() - this.#tipReadAt < TIP_MAX_AGE_MS) return this.#tip;
    // Whoever comes meanwhile takes the last one.
    this.#tipReadAt = performance.now();
    const tip = await readTip(this.#node);
    if (isFailure(tip)) return this.#tip ?? tip;
    this.#tip = tip;
    return tip;
  }

  /** Undefined where there is no such contract. Only of an API. */
  async readContract(contractId: string): Promise<ReportedContract | Failure | undefined> {
    if (this.#api === undefined) throw new Error('a node says nothing about deploys');
    const contract = await readContract(this.#api, contractId);
    if (contract === undefined || isFailure(contract)) return contract;
    const sourceCode = contract.sourceCode ?? (await readSource(this.#node, contractId));
    if (isFailure(sourceCode)) return sourceCode;
    // A node knows the interfaces of what is canonical.
    if (contract.interface !== undefined || !contract.canonical) return { ...contract, sourceCode };
    const ofNode = await readInterface(this.#node, contractId);
    if (isFailure(ofNode)) {
      return ofNode.retryable
        ? ofNode
        : { ...contract, sourceCode, interfaceFailure: contract.interfaceFailure ?? ofNode };
    }
    return { ...contract, sourceCode, interface: ofNode, interfaceFailure: undefined };
  }

  /** Only of an API. */
  async listTokens(offset: number): Promise<TokenPage | Failure> {
    if (this.#api === undefined) throw new Error('a node has no list of tokens');
    return listTokens(this.#api, offset);
  }

  callGetter(contractId: string, getter: TokenGetter): Promise<GetterAnswer | Failure> {
    return callGetter(this.#node, contractId, getter);
  }
}

/** Beside a node, an API need not proxy one: what is no tip is none, and one that is not itself shows that with all it answers. */
async function waitForTipOfApi(client: JsonClient, onTrouble: (failure: Failure) => void): Promise<NodeTip | Failure> {
  const tip = await readTip(client);
  if (isFailure(tip) && tip.code !== 'source-invalid') return waitForTip(client, onTrouble);
  return isFailure(tip) ? { chainId: undefined, height: undefined } : tip;
}

async function waitForTip(client: JsonClient, onTrouble: (failure: Failure) => void): Promise<NodeTip | Failure> {
  for (let attempt = 1; ; attempt++) {
    // The client holds back a server that fails, and gives it up.
    const tip = await readTip(client);
    if (!isFailure(tip)) return tip;
    if (client.downBecauseOf !== undefined) return client.downBecauseOf;
    if (!tip.retryable || tip.code === 'source-down' || tip.code === 'host-held') return tip;
    if (attempt === 1) onTrouble(tip);
  }
}
