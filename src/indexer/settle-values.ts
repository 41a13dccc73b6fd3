// Decides what follows from a token's readings as soon as every getter has one: its state, and the document that its URI names.
import { fail } from '#model/failure.ts';
import { TOKEN_GETTERS, type TokenState } from '#model/token.ts';
import { fillTokenNumber } from '#sip-016/fill-template.ts';
import { DEFAULT_LOCALE, forgetDocuments, readDocuments, type StoredDocument } from '#store/documents.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { readTokensById, type Token, writeState } from '#store/tokens.ts';
import { beginDocument } from './read-documents.ts';

/** Tokens of which a getter is still to be read stay as they are. */
export async function settleValues(store: StoreWriter, tokenIds: readonly number[]): Promise<void> {
  const tokens = (await readTokensById(store, tokenIds)).filter(isRead);
  const documents = await readDocuments(
    store,
    tokens.map((token) => token.tokenId),
  );
  const states = new Map<TokenState, number[]>();
  for (const token of tokens) {
    const state = await settle(store, token, documents.get(token.tokenId) ?? []);
    if (state !== undefined) states.set(state, [...(states.get(state) ?? []), token.tokenId]);
  }
  for (const [state, ids] of states) await writeState(store, ids, state);
}

function isRead({ readings, supplyAssets }: Token): boolean {
  const read = new Set(readings.map((reading) => reading.getter));
  if (supplyAssets !== undefined) read.add('get-total-supply');
  return TOKEN_GETTERS.every((getter) => read.has(getter));
}

/** Returns the state to write, if it changes. */
async function settle(
  store: StoreWriter,
  token: Token,
  documents: readonly StoredDocument[],
): Promise<TokenState | undefined> {
  const { tokenUri } = token.values;
  if (Object.keys(token.values).length === 0 && token.supplyAssets === undefined) {
    const why = token.readings.flatMap(({ failure }) => failure?.message.replace(/\.$/, '') ?? []).join('; ');
    const failure = fail('no-value', why === '' ? undefined : `No on-chain value could be read: ${why}.`);
    await writeState(store, [token.tokenId], 'error', failure);
    return undefined;
  }
  const isAnswered = token.state === 'complete' || token.state === 'partial';
  const known = documents.find((document) => document.locale === DEFAULT_LOCALE);
  const uri = tokenUri === undefined ? undefined : fillTokenNumber(tokenUri, token.tokenNumber);
  // A document that failed keeps the URI of the one that was read before.
  if (isAnswered && known !== undefined && known.uri === uri) return undefined;
  if (isAnswered && uri === undefined) await forgetDocuments(store, token.tokenId);
  const state = await beginDocument(store, token, tokenUri);
  // What is answered stays so until another document is read.
  const keeps = state === 'queued' || (state === 'partial' && uri !== undefined && known?.document !== undefined);
  return isAnswered && keeps ? undefined : state;
}
