// Reads a page of an API's list of fungible tokens: `GET /metadata/v1/ft?limit=60&offset=…`.
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { isContractId } from '#model/principal.ts';
import { type GetterAnswer, isSupply, type TokenGetter } from '#model/token.ts';
import type { JsonClient } from '#net/json-client.ts';

/** Maximum page size of the public API. */
const PAGE_TOKENS = 60;
/** Allows a document of 50 KB for each token. */
const MAX_PAGE_BYTES = 3_000_000;

export interface ListedToken {
  readonly contractId: string;
  /** Leaves out "" and 0, which the list also gives for null. */
  readonly answers: readonly GetterAnswer[];
}

export interface TokenPage {
  readonly tokens: readonly ListedToken[];
  /** Positions in the list, from 0, of items without a contract. */
  readonly unreadable: readonly number[];
  /** Offsets of further pages: the first page gives all others; in a list without a total, each page gives the next. */
  readonly next: readonly number[];
}

/** More than can exist: a larger total is wrong, and a list that continues beyond it never ends. */
const MAX_TOKENS = 1_000_000;

export async function listTokens(client: JsonClient, offset: number): Promise<TokenPage | Failure> {
  const path = `/metadata/v1/ft?limit=${PAGE_TOKENS}&offset=${offset}`;
  const answer = await client.get(path, { maxBytes: MAX_PAGE_BYTES });
  if (isFailure(answer)) return answer;
  const { results, total, limit } = (answer.json ?? {}) as { results?: unknown; total?: unknown; limit?: unknown };
  if (answer.status !== 200 || !Array.isArray(results))
    return fail(
      'source-invalid',
      `${client.baseUrl} has no list of tokens at /metadata/v1/ft (status ${answer.status}).`,
    );
  const items = results.map(readItem);
  const tokens = items.filter((item) => item !== undefined);
  const unreadable = items.flatMap((item, index) => (item === undefined ? [offset + index] : []));
  const step = isWithin(limit, 1, PAGE_TOKENS) ? limit : PAGE_TOKENS;
  const end = isWithin(total, 0, MAX_TOKENS) ? total : 0;
  const next: number[] = [];
  if (offset === 0) for (let at = step; at < end; at += step) next.push(at);
  if (end === 0 && results.length >= step && offset < MAX_TOKENS) next.push(offset + step);
  return { tokens, unreadable, next };
}

function readItem(item: unknown): ListedToken | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const token = item as Record<string, unknown>;
  const asset = token.asset_identifier;
  const contractId = token.contract_principal || (typeof asset === 'string' ? asset.split('::')[0] : undefined);
  if (typeof contractId !== 'string' || !isContractId(contractId)) return undefined;
  return {
    contractId,
    answers: [
      ...answerOf('get-name', token.name),
      ...answerOf('get-symbol', token.symbol),
      ...answerOf('get-decimals', token.decimals),
      ...answerOf('get-total-supply', token.total_supply),
      ...answerOf('get-token-uri', token.token_uri),
    ],
  };
}

function answerOf(getter: TokenGetter, value: unknown): GetterAnswer[] {
  const isNumber = getter === 'get-decimals' || getter === 'get-total-supply';
  const text = isNumber && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== 'string' || text === '') return [];
  if (isNumber && !/^[1-9]\d{0,38}$/.test(text)) return [];
  if (getter === 'get-decimals' && Number(text) > Number.MAX_SAFE_INTEGER) return [];
  if (getter === 'get-total-supply' && !isSupply(BigInt(text))) return [];
  return [{ getter, value: text }];
}

function isWithin(value: unknown, least: number, most: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
}
