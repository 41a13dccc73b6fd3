// Reads a page of an API's list of the mints of an asset: `GET /extended/v1/tokens/nft/mints?asset_identifier=…`.
import { type Failure, fail, isFailure } from '#model/failure.ts';
import type { JsonClient } from '#net/json-client.ts';
import { readAssetNumber } from '#standards/token-events.ts';

/** Maximum page size of the public API. */
const PAGE_MINTS = 200;
const MAX_PAGE_BYTES = 3_000_000;

export interface MintPage {
  /** Decimal token ids. */
  readonly tokenNumbers: readonly string[];
  /** Offset of the next page; undefined for the last page. */
  readonly next: number | undefined;
}

export async function listMints(
  client: JsonClient,
  assetIdentifier: string,
  offset: number,
): Promise<MintPage | Failure> {
  const asset = encodeURIComponent(assetIdentifier);
  const path = `/extended/v1/tokens/nft/mints?asset_identifier=${asset}&limit=${PAGE_MINTS}&offset=${offset}`;
  const answer = await client.get(path, { maxBytes: MAX_PAGE_BYTES });
  if (isFailure(answer)) return answer;
  const { results, total } = (answer.json ?? {}) as { results?: unknown; total?: unknown };
  if (answer.status !== 200 || !Array.isArray(results))
    return fail(
      'source-invalid',
      `${client.baseUrl} has no list of the mints of ${assetIdentifier} (${answer.status}).`,
    );
  const tokenNumbers = results.flatMap((mint) => {
    const { hex } = ((mint as { value?: unknown } | null)?.value ?? {}) as { hex?: unknown };
    return typeof hex === 'string' ? (readAssetNumber(hex)?.tokenNumber ?? []) : [];
  });
  const end = offset + results.length;
  const isLast = results.length === 0 || (Number.isSafeInteger(total) && end >= (total as number));
  return { tokenNumbers, next: isLast ? undefined : end };
}
