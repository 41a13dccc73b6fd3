// Responds to requests like a Stacks API with its node, on a chain with a list of contracts.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { json as readJson } from 'node:stream/consumers';
import { hashOf } from './transactions.ts';

/**
 * The result of calling a getter: a serialized Clarity value in hex, the reason why Clarity rejects the call, or an
 * HTTP error.
 */
export type CallResult =
  | { readonly result: string }
  | { readonly cause: string }
  | { readonly status: number; readonly text: string };

export interface LiveContract {
  readonly contractId: string;
  readonly sourceCode: string;
  /** The interface. If undefined, the node does not return an interface, and the API returns null. */
  readonly abi: unknown;
  readonly canonical?: boolean;
  readonly txId?: string;
  readonly blockHeight?: number;
  readonly clarityVersion?: number;
  /** The contract's entry in the API's token list; undefined if the list does not contain the contract. */
  readonly listed?: Readonly<Record<string, unknown>>;
  /** The API's response to a request for the token, by default status 404. */
  readonly token?: { readonly status: number; readonly body: unknown };
  /** Calls a read-only function. `args` are the serialized arguments in hex. */
  call?(functionName: string, args: readonly string[]): CallResult | Promise<CallResult>;
}

export interface LiveChain {
  readonly contracts: ReadonlyMap<string, LiveContract>;
  readonly tipHeight: number;
  readonly networkId: number;
  /** True if the API does not return interfaces, but the node does. */
  readonly hidesAbi?: boolean;
}

export function chainOf(contracts: readonly LiveContract[], fields: Partial<LiveChain> = {}): LiveChain {
  return {
    contracts: new Map(contracts.map((contract) => [contract.contractId, contract])),
    tipHeight: 200_000,
    networkId: 1,
    ...fields,
  };
}

/** Returns a listener that responds like the API. It responds like the node to paths that begin with `/v2`. */
export function chainListener(chain: LiveChain): RequestListener {
  return (request, response) => void handle(chain, request, response);
}

async function handle(chain: LiveChain, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://loopback');
  const parts = url.pathname.split('/').slice(1).map(decodeURIComponent);
  const route = parts.slice(0, 3).join('/');
  if (route === 'v2/info') {
    const info = { network_id: chain.networkId, stacks_tip_height: chain.tipHeight, peer_version: 402653199 };
    return json(response, 200, info);
  }
  if (route === 'metadata/v1/ft' && parts.length > 3) {
    const token = chain.contracts.get(parts[3] ?? '')?.token;
    return json(response, token?.status ?? 404, token?.body ?? { error: 'Token not found' });
  }
  if (route === 'metadata/v1/ft') return json(response, 200, tokenList(chain, url.searchParams));
  if (route === 'extended/v1/contract') {
    const contract = chain.contracts.get(parts[3] ?? '');
    return contract === undefined
      ? json(response, 404, { error: 'cannot find contract by ID' })
      : json(response, 200, contractInfo(chain, contract));
  }
  const contract = chain.contracts.get(`${parts[3]}.${parts[4]}`);
  if (contract === undefined) return plain(response, 404, 'No contract found');
  if (route === 'v2/contracts/interface') {
    if (contract.abi === undefined) return plain(response, 404, 'No contract interface data found');
    return json(response, 200, contract.abi);
  }
  if (route === 'v2/contracts/source')
    return json(response, 200, { source: contract.sourceCode, publish_height: contract.blockHeight ?? 1 });
  if (route === 'v2/contracts/call-read' && request.method === 'POST')
    return call(contract, parts[5] ?? '', request, response);
  plain(response, 404, 'Not found');
}

async function call(
  contract: LiveContract,
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { sender, arguments: args } = (await readJson(request)) as { sender?: string; arguments?: unknown[] };
  if (typeof sender !== 'string' || !Array.isArray(args)) return plain(response, 400, 'Failed to parse body');
  const result = (await contract.call?.(name, args as string[])) ?? {
    cause: `Unchecked(UndefinedFunction("${name}"))`,
  };
  if ('status' in result) return plain(response, result.status, result.text);
  json(response, 200, { okay: 'result' in result, ...result });
}

function contractInfo({ hidesAbi }: LiveChain, contract: LiveContract) {
  return {
    tx_id: contract.txId ?? hashOf(contract.contractId),
    canonical: contract.canonical ?? true,
    contract_id: contract.contractId,
    block_height: contract.blockHeight ?? 1,
    clarity_version: contract.clarityVersion ?? 2,
    source_code: contract.sourceCode,
    abi: hidesAbi || contract.abi === undefined ? null : JSON.stringify(contract.abi),
  };
}

/** Returns a page of the token list. Returns "" or 0 instead of null, like the public API. */
function tokenList({ contracts }: LiveChain, query: URLSearchParams) {
  const limit = Math.min(Number(query.get('limit') ?? 20), 60);
  const offset = Number(query.get('offset') ?? 0);
  const tokens = [...contracts.values()].filter((contract) => contract.listed !== undefined);
  const results = tokens.slice(offset, offset + limit).map(({ contractId, listed = {} }) => ({
    name: listed.name ?? '',
    symbol: listed.symbol ?? '',
    decimals: listed.decimals ?? 0,
    total_supply: listed.total_supply ?? '0',
    token_uri: listed.token_uri ?? '',
    description: '',
    image_uri: '',
    tx_id: hashOf(contractId),
    sender_address: contractId.split('.')[0],
    contract_principal: contractId,
  }));
  return { limit, offset, total: tokens.length, results };
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function plain(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain' });
  response.end(text);
}
