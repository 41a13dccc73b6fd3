// Asks an API for a contract: `GET /extended/v1/contract/…`.
import { type ContractInterface, parseInterface } from '#model/contract-interface.ts';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import type { JsonClient } from '#net/json-client.ts';
import { MAX_SOURCE_BYTES } from '../stacks-node/read-code.ts';

/** A contract as an API reports it. */
export interface ReportedContract {
  readonly contractId: string;
  /** Lower-case hex with a 0x prefix. */
  readonly txId: string;
  readonly canonical: boolean;
  readonly blockHeight: number;
  readonly clarityVersion: number | undefined;
  /** Undefined if the API leaves it out. */
  readonly sourceCode: string | undefined;
  readonly interface: ContractInterface | undefined;
  /** Why its interface cannot be read. */
  readonly interfaceFailure: Failure | undefined;
}

/** Undefined if the contract does not exist. */
export async function readContract(
  client: JsonClient,
  contractId: string,
): Promise<ReportedContract | Failure | undefined> {
  const answer = await client.get(`/extended/v1/contract/${contractId}`, { maxBytes: MAX_SOURCE_BYTES });
  if (isFailure(answer)) return answer;
  if (answer.status === 404) return undefined;
  const invalid = (what: string) => fail('source-invalid', `The API's answer about ${contractId} ${what}.`);
  if (answer.status !== 200) return invalid(`has status ${answer.status}`);
  const body = (answer.json ?? {}) as Record<string, unknown>;
  const { tx_id: txId, canonical, block_height: height, clarity_version: version, source_code: source, abi } = body;
  if (body.contract_id !== undefined && body.contract_id !== contractId) return invalid('is about another contract');
  if (typeof txId !== 'string' || !/^0x[0-9a-f]{64}$/i.test(txId)) return invalid('has no transaction id');
  if (typeof canonical !== 'boolean') return invalid('does not say whether it is canonical');
  if (!Number.isSafeInteger(height) || (height as number) < 0) return invalid('has no block height');
  const parsed = parseAbi(abi);
  return {
    contractId,
    txId: txId.toLowerCase(),
    canonical,
    blockHeight: height as number,
    // Must fit in a byte of the transaction.
    clarityVersion: isByte(version) ? version : undefined,
    sourceCode: typeof source === 'string' ? source : undefined,
    interface: isFailure(parsed) ? undefined : parsed,
    interfaceFailure: isFailure(parsed) ? parsed : undefined,
  };
}

function isByte(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) < 256;
}

/** The interface may be JSON text, `null`, or missing. */
function parseAbi(abi: unknown): ContractInterface | Failure | undefined {
  let json = abi;
  try {
    if (typeof abi === 'string') json = JSON.parse(abi);
  } catch {
    return fail('interface-invalid', 'The contract interface is refused: it is not JSON.');
  }
  if (json === null || json === undefined) return undefined;
  const parsed = parseInterface(json);
  return isFailure(parsed) ? parsed : parsed.interface;
}
