// Requests from a node its tip, the interface and source of a contract, and the results of getters at its tip.
import { decodeValue, encodeUint } from '#clarity/decode-value.ts';
import { type ContractInterface, parseInterface } from '#model/contract-interface.ts';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { splitContractId } from '#model/principal.ts';
import type { GetterResult, TokenGetter } from '#model/token.ts';
import type { ServerClient } from '#net/server-client.ts';
import { failedResult, readGetterResult, refusedResult } from '#standards/read-getter-result.ts';
import { isDeeperThan } from '#text/parse-json.ts';

/** The maximum nesting of the `cause` of a rejected call, which is a string or an error with a few levels. */
const MAX_CAUSE_DEPTH = 32;

export interface NodeTip {
  readonly chainId: number | undefined;
  readonly height: number | undefined;
}

/** Reads the tip: `GET /v2/info`. */
export async function readTip(client: ServerClient): Promise<NodeTip | Failure> {
  const response = await client.getJson('/v2/info');
  if (isFailure(response)) return response;
  if (response.status === 404) return { chainId: undefined, height: undefined };
  if (response.status !== 200 || typeof response.json !== 'object' || response.json === null)
    return fail(
      'not-an-api',
      `${client.baseUrl} returned /v2/info in an unknown format. Check that it is a node or an API.`,
    );
  const { network_id: chainId, stacks_tip_height: height } = response.json as Record<string, unknown>;
  const wholeOf = (value: unknown) => (Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined);
  return { chainId: wholeOf(chainId), height: wholeOf(height) };
}

/**
 * Reads the interface of a contract: `GET /v2/contracts/interface/…`. Returns undefined if the node does not have the
 * contract.
 */
export async function readInterface(
  client: ServerClient,
  contractId: string,
): Promise<ContractInterface | Failure | undefined> {
  const { address, name } = splitContractId(contractId);
  const response = await client.getJson(`/v2/contracts/interface/${address}/${name}`);
  if (isFailure(response)) return response;
  if (response.status !== 200) return undefined;
  const parsed = parseInterface(response.json);
  return isFailure(parsed) ? parsed : parsed.interface;
}

/**
 * Reads the source of a contract: `GET /v2/contracts/source/…`. Returns undefined if the node does not have the
 * contract.
 */
export async function readSource(client: ServerClient, contractId: string): Promise<string | Failure | undefined> {
  const { address, name } = splitContractId(contractId);
  const response = await client.getJson(`/v2/contracts/source/${address}/${name}?proof=0`);
  if (isFailure(response)) return response;
  if (response.status !== 200) return undefined;
  const { source } = (response.json ?? {}) as { source?: unknown };
  return typeof source === 'string'
    ? source
    : fail('source-invalid', `The node's response for ${contractId} lacks the source.`);
}

/**
 * Returns the result of a getter, or a failure if the node could not be called. If Clarity rejects the call, the result
 * has the error.
 */
export async function callGetter(
  client: ServerClient,
  contractId: string,
  getter: TokenGetter,
  tokenNumber?: string,
): Promise<GetterResult | Failure> {
  const called = await callReadOnly(client, contractId, getter, tokenNumber === undefined ? [] : [tokenNumber]);
  if (isFailure(called)) return called;
  if ('refusal' in called) return refusedResult(getter, called.refusal);
  const value = decodeValue(called.hex);
  return isFailure(value) ? failedResult(getter, value.code, value.message) : readGetterResult(getter, value);
}

/** Returns the last token id of a SIP-009 collection; undefined if its getter does not return one. */
export async function readLastNumber(client: ServerClient, contractId: string): Promise<bigint | undefined | Failure> {
  const called = await callReadOnly(client, contractId, 'get-last-token-id', []);
  if (isFailure(called)) return called;
  const value = 'refusal' in called ? undefined : decodeValue(called.hex);
  if (value === undefined || isFailure(value) || value.type !== 'ok') return undefined;
  return value.value.type === 'uint' ? value.value.value : undefined;
}

/** Calls a read-only function: `POST /v2/contracts/call-read/…`. `args` are uints. */
async function callReadOnly(client: ServerClient, contractId: string, functionName: string, args: readonly string[]) {
  const { address, name } = splitContractId(contractId);
  const path = `/v2/contracts/call-read/${address}/${name}/${functionName}`;
  const body = { sender: address, arguments: args.map((number) => `0x${encodeUint(number).toString('hex')}`) };
  const response = await client.postJson(path, body);
  if (isFailure(response)) return response;
  // Status 400 means that the call exceeds the node's cost limit.
  if (response.status === 400) return { refusal: response.text };
  if (response.status === 404) return notSynchronized(contractId);
  const { okay, result, cause } = (response.json ?? {}) as { okay?: unknown; result?: unknown; cause?: unknown };
  if (okay === false) {
    const description = describeCause(cause);
    return /^Unchecked\(NoSuchContract/.test(description) ? notSynchronized(contractId) : { refusal: description };
  }
  if (okay !== true || typeof result !== 'string')
    return fail(
      'source-invalid',
      `The node's response to ${functionName} of ${contractId} has neither a result nor a cause.`,
    );
  return { hex: result };
}

function describeCause(cause: unknown): string {
  if (typeof cause === 'string') return cause;
  if (cause === undefined || isDeeperThan(cause, MAX_CAUSE_DEPTH)) return 'the node gave no reason';
  return JSON.stringify(cause);
}

/** Returns the failure for a contract that the node does not know yet. This failure is not a result of the getter. */
function notSynchronized(contractId: string): Failure {
  return fail('source-invalid', `The node does not have ${contractId}. It may not have reached the chain's tip yet.`);
}
