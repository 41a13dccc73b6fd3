// Decides what follows from tokens' readings once every getter has one: their states, and the documents their URIs name.
import { type Failure, fail, isFailure } from '#model/failure.ts';
import type { NewJob } from '#model/job.ts';
import { TOKEN_GETTERS, type TokenState } from '#model/token.ts';
import { fillTokenNumber } from '#sip-016/fill-template.ts';
import {
  DEFAULT_LOCALE,
  forgetDocuments,
  type NewDocument,
  readDocuments,
  type StoredDocument,
} from '#store/documents.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { insertJobs } from '#store/jobs.ts';
import { markValuesRead, readTokensById, type Token, writeState } from '#store/tokens.ts';
import { beginLocales, type DocumentPlan, planDocument } from './read-documents.ts';
import { storeDocuments } from './store-documents.ts';

/** Of tokens that a node or a token list was asked about. */
export async function settleReadValues(store: StoreWriter, tokenIds: readonly number[]): Promise<void> {
  if (tokenIds.length === 0) return;
  await markValuesRead(store, tokenIds, Date.now());
  await settleValues(store, tokenIds);
}

/** Tokens of which a getter is still to be read stay as they are. */
export async function settleValues(store: StoreWriter, tokenIds: readonly number[]): Promise<void> {
  const tokens = (await readTokensById(store, tokenIds)).filter(isRead);
  const stored = await readDocuments(
    store,
    tokens.map((token) => token.tokenId),
  );
  const documents: NewDocument[] = [];
  const jobs: NewJob[] = [];
  const states = new Map<TokenState, number[]>();
  for (const token of tokens) {
    const why = whyWithoutValues(token);
    if (why !== undefined) {
      await writeState(store, [token.tokenId], 'error', why);
      continue;
    }
    const known = stored.get(token.tokenId)?.find((document) => document.locale === DEFAULT_LOCALE);
    if (isAnswered(token) && known !== undefined && known.uri === uriOf(token)) continue;
    if (isAnswered(token) && uriOf(token) === undefined) await forgetDocuments(store, token.tokenId);
    const plan = planDocument(token, token.values.tokenUri);
    if ('job' in plan) jobs.push(plan.job);
    else documents.push(plan.document);
    if (changesState(token, known, plan)) states.set(plan.state, [...(states.get(plan.state) ?? []), token.tokenId]);
  }
  await storeDocuments(store, documents);
  await insertJobs(store, jobs);
  for (const [state, ids] of states) await writeState(store, ids, state);
  await beginAllLocales(store, tokens, documents);
}

function isRead({ readings, supplyAssets }: Token): boolean {
  const read = new Set(readings.map((reading) => reading.getter));
  if (supplyAssets !== undefined) read.add('get-total-supply');
  return TOKEN_GETTERS.every((getter) => read.has(getter));
}

function whyWithoutValues({ values, supplyAssets, readings }: Token): Failure | undefined {
  if (Object.keys(values).length > 0 || supplyAssets !== undefined) return undefined;
  const reasons = readings.flatMap(({ failure }) => failure?.message.replace(/\.$/, '') ?? []).join('; ');
  return fail('no-value', reasons === '' ? undefined : `No on-chain value could be read: ${reasons}.`);
}

function isAnswered({ state }: Token): boolean {
  return state === 'complete' || state === 'partial';
}

function uriOf({ values: { tokenUri }, tokenNumber }: Token): string | undefined {
  return tokenUri === undefined ? undefined : fillTokenNumber(tokenUri, tokenNumber);
}

/** What is answered stays so until another document is read; a document that failed keeps the one that was read before. */
function changesState(token: Token, known: StoredDocument | undefined, { state }: DocumentPlan): boolean {
  if (!isAnswered(token) || state === 'complete') return true;
  return state === 'partial' && (uriOf(token) === undefined || known?.document === undefined);
}

async function beginAllLocales(
  store: StoreWriter,
  tokens: readonly Token[],
  documents: readonly NewDocument[],
): Promise<void> {
  for (const { tokenId, result } of documents) {
    if (isFailure(result) || result.document.localization === undefined) continue;
    const token = tokens.find((candidate) => candidate.tokenId === tokenId);
    if (token !== undefined) await beginLocales(store, token, result.document.localization);
  }
}
