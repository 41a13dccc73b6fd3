// Asks a node for its tip, for the interface and source of a contract, and for what getters answer at its tip.
import { decodeValue } from '#clarity/decode-value.ts';
import { type ContractInterface, parseInterface } from '#model/contract-interface.ts';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { splitContractId } from '#model/principal.ts';
import type { GetterResult, TokenGetter } from '#model/token.ts';
import type { JsonClient } from '#net/json-client.ts';
import { failedResult, readGetterResult, refusedResult } from '#standards/read-getter-result.ts';
import { isDeeperThan } from '#text/json-depth.ts';

/** The largest interface of a token on mainnet has 29 KB. */
const MAX_INTERFACE_BYTES = 1_000_000;
/** A transaction is at most 2 MB, part of which JSON escapes; mainnet's largest source has 416 KB. */
export const MAX_SOURCE_BYTES = 5_000_000;
/** A Clarity value is at most 1 MiB, sent as hex. */
const MAX_VALUE_BYTES = 2_200_000;
/** A cause is a text, or an error nested a few levels deep. */
const MAX_CAUSE_DEPTH = 32;

export interface NodeTip {
  readonly chainId: number | undefined;
  readonly height: number | undefined;
}

/** `GET /v2/info`. */
export async function readTip(client: JsonClient): Promise<NodeTip | Failure> {
  const answer = await client.get('/v2/info');
  if (isFailure(answer)) return answer;
  if (answer.status === 404) return { chainId: undefined, height: undefined };
  if (answer.status !== 200 || typeof answer.json !== 'object' || answer.json === null)
    return {
      ...fail('source-invalid', `${client.baseUrl} answers /v2/info in an unknown format. Is it a node or an API?`),
      retryable: false,
    };
  const { network_id: chainId, stacks_tip_height: height } = answer.json as Record<string, unknown>;
  const wholeOf = (value: unknown) => (Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined);
  return { chainId: wholeOf(chainId), height: wholeOf(height) };
}

/** `GET /v2/contracts/interface/…`. Undefined if the node has no such contract. */
export async function readInterface(
  client: JsonClient,
  contractId: string,
): Promise<ContractInterface | Failure | undefined> {
  const { address, name } = splitContractId(contractId);
  const answer = await client.get(`/v2/contracts/interface/${address}/${name}`, { maxBytes: MAX_INTERFACE_BYTES });
  if (isFailure(answer)) return answer;
  if (answer.status !== 200) return undefined;
  const parsed = parseInterface(answer.json);
  return isFailure(parsed) ? parsed : parsed.interface;
}

/** `GET /v2/contracts/source/…`. Undefined if the node has no such contract. */
export async function readSource(client: JsonClient, contractId: string): Promise<string | Failure | undefined> {
  const { address, name } = splitContractId(contractId);
  const answer = await client.get(`/v2/contracts/source/${address}/${name}?proof=0`, { maxBytes: MAX_SOURCE_BYTES });
  if (isFailure(answer)) return answer;
  if (answer.status !== 200) return undefined;
  const { source } = (answer.json ?? {}) as { source?: unknown };
  return typeof source === 'string'
    ? source
    : fail('source-invalid', `The node's answer for ${contractId} has no source.`);
}

/** Returns the getter's result, or why the node could not be called. A call that Clarity refuses is also an answer. */
export async function callGetter(
  client: JsonClient,
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

/** The last token id of a SIP-009 collection; undefined if its getter returns none. */
export async function readLastNumber(client: JsonClient, contractId: string): Promise<bigint | undefined | Failure> {
  const called = await callReadOnly(client, contractId, 'get-last-token-id', []);
  if (isFailure(called)) return called;
  const value = 'refusal' in called ? undefined : decodeValue(called.hex);
  if (value === undefined || isFailure(value) || value.type !== 'ok') return undefined;
  return value.value.type === 'uint' ? value.value.value : undefined;
}

/** `POST /v2/contracts/call-read/…`. `args`: uints. */
async function callReadOnly(client: JsonClient, contractId: string, functionName: string, args: readonly string[]) {
  const { address, name } = splitContractId(contractId);
  const path = `/v2/contracts/call-read/${address}/${name}/${functionName}`;
  const body = { sender: address, arguments: args.map(encodeUint) };
  const answer = await client.post(path, body, { maxBytes: MAX_VALUE_BYTES });
  if (isFailure(answer)) return answer;
  // The call exceeds the node's cost limit.
  if (answer.status === 400) return { refusal: answer.text };
  if (answer.status === 404) return behind(contractId);
  const { okay, result, cause } = (answer.json ?? {}) as { okay?: unknown; result?: unknown; cause?: unknown };
  if (okay === false) {
    const why = describeCause(cause);
    return /^Unchecked\(NoSuchContract/.test(why) ? behind(contractId) : { refusal: why };
  }
  if (okay !== true || typeof result !== 'string')
    return fail(
      'source-invalid',
      `The node's answer of ${functionName} for ${contractId} has neither a result nor a cause.`,
    );
  return { hex: result };
}

/** A serialized uint: type 1 of SIP-005, and 16 bytes. */
function encodeUint(number: string): string {
  return `0x01${BigInt(number).toString(16).padStart(32, '0')}`;
}

function describeCause(cause: unknown): string {
  if (typeof cause === 'string') return cause;
  if (cause === undefined || isDeeperThan(cause, MAX_CAUSE_DEPTH)) return 'the node does not say why';
  return JSON.stringify(cause);
}

/** Failure for a contract that exists but is not known to the node yet: this is not an answer of the getter. */
function behind(contractId: string): Failure {
  return fail('source-invalid', `The node does not have ${contractId}: is it behind the chain's tip?`);
}
