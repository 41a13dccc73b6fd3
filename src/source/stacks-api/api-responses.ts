// Requests data from an API: single contracts, and pages of the list of fungible tokens.
import { type ContractInterface, parseInterface } from '#model/contract-interface.ts';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { isContractId } from '#model/principal.ts';
import { exceededLength, type GetterResult, isSupply, type TokenGetter } from '#model/token.ts';
import type { ServerClient } from '#net/server-client.ts';
import { parseJson } from '#text/parse-json.ts';

export interface ReportedContract {
  readonly contractId: string;
  /** Lower-case hex with a 0x prefix. */
  readonly txId: string;
  readonly canonical: boolean;
  readonly blockHeight: number;
  readonly clarityVersion: number | undefined;
  readonly sourceCode: string | undefined;
  readonly interface: ContractInterface | undefined;
  readonly interfaceFailure: Failure | undefined;
}

/** Reads a contract: `GET /extended/v1/contract/…`. Returns undefined if it does not exist. */
export async function readContract(
  client: ServerClient,
  contractId: string,
): Promise<ReportedContract | Failure | undefined> {
  const response = await client.getJson(`/extended/v1/contract/${contractId}`);
  if (isFailure(response)) return response;
  if (response.status === 404) return undefined;
  const invalid = (problem: string) => fail('source-invalid', `The API's response about ${contractId} ${problem}.`);
  if (response.status !== 200) return invalid(`has status ${response.status}`);
  const body = (response.json ?? {}) as Record<string, unknown>;
  const { tx_id: txId, canonical, block_height: height, clarity_version: version, source_code: source, abi } = body;
  if (body.contract_id !== undefined && body.contract_id !== contractId) return invalid('is about another contract');
  if (typeof txId !== 'string' || !/^0x[0-9a-f]{64}$/i.test(txId)) return invalid('lacks a transaction id');
  if (typeof canonical !== 'boolean') return invalid('lacks the flag canonical');
  if (!isWithin(height, 0, Number.MAX_SAFE_INTEGER)) return invalid('lacks a block height');
  const parsed = parseAbi(abi);
  return {
    contractId,
    txId: txId.toLowerCase(),
    canonical,
    blockHeight: height,
    // The version is a byte in the transaction.
    clarityVersion: isWithin(version, 1, 255) ? version : undefined,
    sourceCode: typeof source === 'string' ? source : undefined,
    interface: isFailure(parsed) ? undefined : parsed,
    interfaceFailure: isFailure(parsed) ? parsed : undefined,
  };
}

/** Parses an interface, which may be JSON text, `null` or missing. */
function parseAbi(abi: unknown): ContractInterface | Failure | undefined {
  const json = typeof abi === 'string' ? parseJson(abi) : (abi ?? null);
  if (json === undefined) return fail('interface-invalid', 'The contract interface is invalid: it is not JSON.');
  if (json === null) return undefined;
  const parsed = parseInterface(json);
  return isFailure(parsed) ? parsed : parsed.interface;
}

/** The number of tokens per page, which is the maximum of the public API. */
const PAGE_TOKENS = 60;
/**
 * The maximum length of a list. Real lists are shorter. Reading ends here if the total is wrong or the list is endless.
 */
const MAX_TOKENS = 1_000_000;

export interface ListedToken {
  readonly contractId: string;
  /** Omits the values "" and 0, which the list may contain instead of null, and texts that are too long. */
  readonly results: readonly GetterResult[];
}

export interface TokenPage {
  readonly tokens: readonly ListedToken[];
  /** Positions, from 0, of items in the list that lack a contract. */
  readonly unreadable: readonly number[];
  /**
   * Offset of the next page; undefined for the last page. Only one page is queued at a time, since the server decides
   * the number of pages.
   */
  readonly next: number | undefined;
}

/** Reads a page of fungible tokens: `GET /metadata/v1/ft?limit=60&offset=…`. */
export async function listTokens(client: ServerClient, offset: number): Promise<TokenPage | Failure> {
  const path = `/metadata/v1/ft?limit=${PAGE_TOKENS}`;
  const response = await client.getJson(`${path}&offset=${offset}`);
  if (isFailure(response)) return response;
  const { results, total, offset: returned } = (response.json ?? {}) as Record<string, unknown>;
  // A static host returns the first page for any offset.
  if (Number.isSafeInteger(returned) && returned !== offset)
    return fail(
      'not-an-api',
      `${client.baseUrl}${path} returned the page at offset ${returned} instead of ${offset}, as a static site does. ` +
        'Pass the URL of a Stacks API.',
    );
  if (response.status !== 200 || !Array.isArray(results)) {
    const problem = `did not return the list of tokens at /metadata/v1/ft (status ${response.status})`;
    return fail('not-an-api', `${client.baseUrl} ${problem}. Pass the URL of a Stacks API that has one.`);
  }
  const items = results.map(readItem);
  const tokens = items.filter((item) => item !== undefined);
  const unreadable = items.flatMap((item, index) => (item === undefined ? [offset + index] : []));
  // A server may return fewer or more items than requested.
  const step = results.length;
  // Ignores a total that is too low for this page.
  const end = isWithin(total, offset + 1, MAX_TOKENS) ? total : MAX_TOKENS;
  const isLast = step === 0 || offset + step >= end;
  return { tokens, unreadable, next: isLast ? undefined : offset + step };
}

function readItem(item: unknown): ListedToken | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const token = item as Record<string, unknown>;
  const asset = token.asset_identifier;
  const contractId = token.contract_principal || (typeof asset === 'string' ? asset.split('::')[0] : undefined);
  if (typeof contractId !== 'string' || !isContractId(contractId)) return undefined;
  return {
    contractId,
    results: [
      ...resultOf('get-name', token.name),
      ...resultOf('get-symbol', token.symbol),
      ...resultOf('get-decimals', token.decimals),
      ...resultOf('get-total-supply', token.total_supply),
      ...resultOf('get-token-uri', token.token_uri),
    ],
  };
}

function resultOf(getter: TokenGetter, value: unknown): GetterResult[] {
  const isNumber = getter === 'get-decimals' || getter === 'get-total-supply';
  const text = isNumber && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== 'string' || text === '' || exceededLength(getter, text) !== undefined) return [];
  if (isNumber && !/^[1-9]\d{0,38}$/.test(text)) return [];
  if (getter === 'get-decimals' && Number(text) > Number.MAX_SAFE_INTEGER) return [];
  if (getter === 'get-total-supply' && !isSupply(BigInt(text))) return [];
  return [{ getter, value: text }];
}

function isWithin(value: unknown, min: number, max: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
}
