// Finds the data for a job in the kept index, which a rebuild has set aside. Skips data that may have changed on the
// chain.
import { parseInterface } from '#model/contract-interface.ts';
import { isFailure } from '#model/failure.ts';
import type { DocumentKey } from '#model/metadata.ts';
import { unpackCode } from '#model/packed-code.ts';
import type { TokenGetter } from '#model/token.ts';
import type { ReportedContract } from '#source/stacks-api/api-responses.ts';
import { canonicalBlocksAt, lowestOrphan } from '#store/chain/blocks.ts';
import { toPackedCode } from '#store/chain/code-columns.ts';
import { isNotifiedAbove } from '#store/chain/notifications.ts';
import { readKnownToApi } from '#store/contracts/reports.ts';
import type { EarlierIndex } from '#store/earlier-index.ts';
import type { StoreReader } from '#store/index-database.ts';
import { hasDocumentOf } from '#store/tokens/documents.ts';
import { readTokenKey, wereValuesRead } from '#store/tokens/tokens.ts';

type Kept = EarlierIndex | undefined;

/** Returns a token's document from the kept index, unless this index has a document from the same URI to refresh. */
export async function takeDocument(store: StoreReader, kept: Kept, key: DocumentKey, uri: string) {
  if (kept === undefined || (await hasDocumentOf(store, key, uri))) return undefined;
  const token = await readUnnotified(store, kept, key.tokenId);
  return token && kept.document(token, key.locale, uri);
}

/** Returns the copy of an image from the kept index. */
export async function takeImage(store: StoreReader, kept: Kept, tokenId: number, uri: string) {
  if (kept === undefined) return undefined;
  const token = await readUnnotified(store, kept, tokenId);
  return token && kept.image(uri);
}

/**
 * Returns a token's values from the kept index. Returns no values if this index has read some, or if the values may
 * come from another branch.
 */
export async function takeValues(
  store: StoreReader,
  kept: Kept,
  tokenId: number,
  getters: readonly TokenGetter[],
): Promise<ReturnType<EarlierIndex['values']>> {
  if (kept === undefined || (await wereValuesRead(store, tokenId))) return [];
  const token = await readUnnotified(store, kept, tokenId);
  const values = token === undefined ? [] : kept.values(token);
  const wanted = values.filter(({ reading }) => getters.includes(reading.getter));
  if (wanted.length === 0) return [];
  const forkHeight = await findFork(store, kept);
  return wanted.some(({ reading }) => (reading.height ?? 0) >= forkHeight) ? [] : wanted;
}

const forkHeights = new WeakMap<EarlierIndex, Promise<number>>();

/** Returns the lowest height at which the canonical chain may differ between the indexes; Infinity if they agree. */
function findFork(store: StoreReader, kept: EarlierIndex): Promise<number> {
  const find = async () => {
    const { height = -1, indexBlockHash } = kept.tip ?? {};
    const [block] = height < 0 ? [] : await canonicalBlocksAt(store, [height]);
    if (block?.indexBlockHash !== indexBlockHash) return -1;
    return (await lowestOrphan(store, height)) ?? Number.POSITIVE_INFINITY;
  };
  // The result stays valid for the run, because archives are replayed before values are read.
  const known = forkHeights.get(kept) ?? find();
  forkHeights.set(kept, known);
  return known;
}

/** Returns a deploy that an API reported, from the kept index. Skips it if this index has a report of the contract. */
export async function takeContract(store: StoreReader, kept: Kept, contractId: string) {
  if (kept === undefined || (await readKnownToApi(store, [contractId])).has(contractId)) return undefined;
  const row = kept.contract(contractId);
  const code = row && readEarlierCode(row);
  if (row === undefined || code === undefined) return undefined;
  const contract: ReportedContract = {
    contractId,
    txId: row.txId,
    blockHeight: row.block_height ?? 0,
    canonical: row.canonical === 1,
    clarityVersion: row.clarity_version ?? undefined,
    sourceCode: code.source,
    interface: row.interface_from === 'source' ? code.interface : undefined,
    interfaceFailure: undefined,
  };
  return { contract, tipHeight: row.tip_height ?? undefined };
}

/** Returns the key of a token; undefined if blocks above the kept index's tip notify about the contract. */
async function readUnnotified(store: StoreReader, kept: EarlierIndex, tokenId: number) {
  const token = await readTokenKey(store, tokenId);
  const isNotified = token && (await isNotifiedAbove(store, token.contractId, kept.tip?.height ?? -1));
  return isNotified ? undefined : token;
}

/** Unpacks code; undefined if the code is damaged. */
function readEarlierCode(row: Parameters<typeof toPackedCode>[0]) {
  try {
    const { source, interfaceJson } = unpackCode(toPackedCode(row));
    if (interfaceJson === undefined) return { source, interface: undefined };
    const parsed = parseInterface(JSON.parse(interfaceJson));
    return isFailure(parsed) ? undefined : { source, interface: parsed.interface };
  } catch {
    return undefined;
  }
}
