// Answers as a Stacks API and the node behind it do, for the contracts that it is given.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { json as readJson } from 'node:stream/consumers';
import { hashOf } from './observer-lines.ts';

/** What a call of a getter gives: a serialized Clarity value, why Clarity refuses it, or a status with a text. */
export type CallResult =
  | { readonly result: string }
  | { readonly cause: string }
  | { readonly status: number; readonly text: string };

export interface LiveContract {
  readonly contractId: string;
  readonly sourceCode: string;
  /** Undefined where neither tells it; the API then says null. */
  readonly abi: unknown;
  readonly canonical?: boolean;
  readonly txId?: string;
  readonly blockHeight?: number;
  readonly clarityVersion?: number;
  /** What the token list says of it; undefined if it is not in it. */
  readonly listed?: Readonly<Record<string, unknown>>;
  /** What the API answers about the token; without it, 404. */
  readonly token?: { readonly status: number; readonly body: unknown };
  /** The values (hex) of the assets that were minted, by the name of the asset. */
  readonly mints?: Readonly<Record<string, readonly string[]>>;
  /** `args`: serialized Clarity values, hex. */
  call?(functionName: string, args: readonly string[]): CallResult | Promise<CallResult>;
}

export interface LiveChain {
  readonly contracts: ReadonlyMap<string, LiveContract>;
  readonly tipHeight: number;
  readonly networkId: number;
  /** Whether the API leaves the interface to the node. */
  readonly hidesAbi?: boolean;
}

export function chainOf(contracts: readonly LiveContract[], more: Partial<LiveChain> = {}): LiveChain {
  return {
    contracts: new Map(contracts.map((contract) => [contract.contractId, contract])),
    tipHeight: 200_000,
    networkId: 1,
    ...more,
  };
}

/** Paths are as the API's, which proxies the node's `/v2`. */
export function chainListener(chain: LiveChain): RequestListener {
  return (request, response) => void answer(chain, request, response);
}

async function answer(chain: LiveChain, request: IncomingMessage, response: ServerResponse): Promise<void> {
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
  if (url.pathname === '/extended/v1/tokens/nft/mints') return json(response, 200, mintList(chain, url.searchParams));
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
  const answer = (await contract.call?.(name, args as string[])) ?? {
    cause: `Unchecked(UndefinedFunction("${name}"))`,
  };
  if ('status' in answer) return plain(response, answer.status, answer.text);
  json(response, 200, { okay: 'result' in answer, ...answer });
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

/** As the public API's serializer: what is null becomes "" and 0. */
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

function mintList({ contracts }: LiveChain, query: URLSearchParams) {
  const [contractId = '', asset = ''] = (query.get('asset_identifier') ?? '').split('::');
  const limit = Math.min(Number(query.get('limit') ?? 50), 200);
  const offset = Number(query.get('offset') ?? 0);
  const mints = contracts.get(contractId)?.mints?.[asset] ?? [];
  const results = mints.slice(offset, offset + limit).map((hex) => ({ recipient: '', value: { hex, repr: '' } }));
  return { limit, offset, total: mints.length, results };
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function plain(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain' });
  response.end(text);
}
