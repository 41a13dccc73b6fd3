// Reads a contract's interface and source from a node: `GET /v2/contracts/interface/…` and `…/source/…`.
import { type ContractInterface, parseInterface } from '#model/contract-interface.ts';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { splitContractId } from '#model/principal.ts';
import type { JsonClient } from '#net/json-client.ts';

/** The largest interface of a token on mainnet has 29 KB. */
const MAX_INTERFACE_BYTES = 1_000_000;
/** A transaction is at most 2 MB, part of which JSON escapes; mainnet's largest source has 416 KB. */
export const MAX_SOURCE_BYTES = 5_000_000;

/** Undefined if the node has no such contract. */
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

/** Undefined if the node has no such contract. */
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
