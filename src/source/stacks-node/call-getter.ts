// Calls a getter of a token or a collection at a node's tip: `POST /v2/contracts/call-read/…`.
import { decodeValue } from '#clarity/decode-value.ts';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { splitContractId } from '#model/principal.ts';
import type { GetterAnswer, TokenGetter } from '#model/token.ts';
import type { JsonClient } from '#net/json-client.ts';
import { failedAnswer, readGetterAnswer, refusedAnswer } from '#standards/read-getter-answer.ts';
import { isDeeperThan } from '#text/json-depth.ts';

/** A Clarity value is at most 1 MiB, sent as hex. */
const MAX_VALUE_BYTES = 2_200_000;
/** A cause is a text, or an error nested a few levels deep. */
const MAX_CAUSE_DEPTH = 32;

/** Returns the getter's result, or why the node could not be called. A call that Clarity refuses is also an answer. */
export async function callGetter(
  client: JsonClient,
  contractId: string,
  getter: TokenGetter,
  tokenNumber?: string,
): Promise<GetterAnswer | Failure> {
  const called = await callReadOnly(client, contractId, getter, tokenNumber === undefined ? [] : [tokenNumber]);
  if (isFailure(called)) return called;
  if ('refusal' in called) return refusedAnswer(getter, called.refusal);
  const value = decodeValue(called.hex);
  return isFailure(value) ? failedAnswer(getter, value.code, value.message) : readGetterAnswer(getter, value);
}

/** The last token id of a SIP-009 collection; undefined if its getter returns none. */
export async function readLastNumber(client: JsonClient, contractId: string): Promise<bigint | undefined | Failure> {
  const called = await callReadOnly(client, contractId, 'get-last-token-id', []);
  if (isFailure(called)) return called;
  const value = 'refusal' in called ? undefined : decodeValue(called.hex);
  if (value === undefined || isFailure(value) || value.type !== 'ok') return undefined;
  return value.value.type === 'uint' ? value.value.value : undefined;
}

/** `args`: uints. */
async function callReadOnly(
  client: JsonClient,
  contractId: string,
  functionName: string,
  args: readonly string[],
): Promise<{ readonly hex: string } | { readonly refusal: string } | Failure> {
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
