// Requests responses from another API, and compares each field with the response that a build of the index has.
import { isDeepStrictEqual } from 'node:util';
import { runAhead } from '#concurrency/run-ahead.ts';
import { chainIdOf, formatChainId, MAINNET_CHAIN_ID } from '#model/chain.ts';
import { type Failure, type FailureCode, FailureError, fail, isFailure, type Reason, stop } from '#model/failure.ts';
import { isTemporary } from '#model/temporary.ts';
import type { HttpResponse } from '#net/send-request.ts';
import type { ServerClient } from '#net/server-client.ts';
import type { TokenStatus } from '#routes/token-status.ts';
import type { StoreReader } from '#store/index-database.ts';
import { readInfo } from '#store/index-info.ts';
import { readSummary } from '#store/status/summary.ts';
import { isDeeperThan, parseJson } from '#text/parse-json.ts';
import { type Choice, type Question, readOwnResponses } from './questions.ts';

export interface Comparison {
  /** Block heights of the tips; undefined if unknown. */
  readonly tip: { readonly ours: number | undefined; readonly theirs: number | undefined };
  readonly responses: readonly ComparedResponse[];
  readonly failures: readonly (Reason & { readonly path: string; readonly isTemporary: boolean })[];
}

export interface CompareOptions {
  readonly reader: ServerClient;
  /** The maximum number of responses to compare. */
  readonly maxResponses: number;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  onRead?(done: number, total: number): void;
}

/** Paths at which an API or a site returns the height of its tip, and its chain id or a contract of its chain. */
const TIPS = ['v2/info', 'metadata/v1/'];
interface Tip {
  readonly network_id?: unknown;
  readonly stacks_tip_height?: unknown;
  readonly chain_tip?: { readonly block_height?: unknown };
  readonly newest_contracts?: readonly { readonly contract_id?: unknown }[];
}

export async function compareApi(
  store: StoreReader,
  choices: readonly Choice[],
  { reader, maxResponses, concurrency, signal, onRead }: CompareOptions,
): Promise<Comparison> {
  const theirTip = await readTheirTip(reader);
  if (isFailure(theirTip)) throw new FailureError({ ...theirTip, message: `${reader.baseUrl}: ${theirTip.message}` });
  const { height, ...theirChain } = theirTip;
  const { chainId } = await readInfo(store);
  if (chainId !== undefined) checkChain(chainId, theirChain, reader.host);
  const tip = { ours: (await readSummary(store)).tip?.height, theirs: height };
  const responses: ComparedResponse[] = [];
  const failures: Comparison['failures'][number][] = [];
  const results = runAhead(readOwnResponses(store, choices, maxResponses), concurrency, async (question) => ({
    question,
    theirs: await request(reader, question.path),
  }));
  let done = 0;
  for await (const { question, theirs } of results) {
    if (signal.aborted) throw stop('interrupted', 'The comparison was interrupted. Run the command again.');
    const { path } = question;
    if (isFailure(theirs))
      failures.push({ path, code: theirs.code, message: theirs.message, isTemporary: isTemporary(theirs) });
    else responses.push(compareResponses(question, theirs));
    onRead?.(++done, Math.min(maxResponses, choices.length));
  }
  return { tip, responses, failures };
}

/** Returns true if the tip of the index is higher than the tip of the API. */
export function isNewer({ ours, theirs }: Comparison['tip']): boolean {
  return ours !== undefined && theirs !== undefined && ours > theirs;
}

/** Reads the tip of an API or a site. Returns a failure if the server cannot be reached or has no tip. */
async function readTheirTip(reader: ServerClient): Promise<(Tip & { readonly height?: number }) | Failure> {
  let failure: Failure | undefined;
  let known: Tip | undefined;
  for (const path of TIPS) {
    const response = await request(reader, path);
    if (isFailure(response)) {
      if (response.code !== 'source-invalid') failure ??= response;
      if (UNREACHED.has(response.code)) break;
    } else if (response.status === 200) {
      known = (response.body ?? {}) as Tip;
      const height = known.stacks_tip_height ?? known.chain_tip?.block_height;
      if (typeof height === 'number') return { ...known, height };
    }
  }
  const other = `It has neither ${TIPS.join(' nor ')}. Use the URL of a Stacks API or of a site of stxpress.`;
  return known ?? failure ?? fail('not-an-api', other);
}

/** Codes of failures that every request to the same server would have. */
const UNREACHED: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'connection-failed',
  'host-not-found',
  'tls-error',
  'timeout',
  'source-down',
  'host-held',
]);

/** Compares the chains. A site has no chain id, so a contract tells its chain. Throws FailureError `other-chain`. */
function checkChain(chainId: number, { network_id: id, newest_contracts: newest }: Tip, host: string): void {
  const contractId = String(newest?.[0]?.contract_id ?? '');
  const isMainnet = chainIdOf(contractId) === MAINNET_CHAIN_ID;
  const isOtherNet = contractId !== '' && isMainnet !== (chainId === MAINNET_CHAIN_ID);
  if (typeof id === 'number' ? id === chainId : !isOtherNet) return;
  const named = `contracts of ${isMainnet ? 'mainnet' : 'a test chain'}, such as ${contractId}`;
  const theirs = typeof id === 'number' ? `chain ${formatChainId(id)}` : named;
  throw stop(
    'other-chain',
    `${host} serves ${theirs}, but the index has chain ${formatChainId(chainId)}. ` +
      `Name a server of that chain, or another index with --db.`,
  );
}

const MAX_DEPTH = 500;
const COMPARED_STATUSES: ReadonlySet<number> = new Set([200, 404, 422]);

async function request(reader: ServerClient, path: string): Promise<{ status: number; body: unknown } | Failure> {
  const response = await reader.get(`/${path}`, { answers: COMPARED_STATUSES, check: checkResponse });
  return isFailure(response)
    ? response
    : { status: response.status, body: response.status === 200 ? parseJson(response.body.toString()) : undefined };
}

function checkResponse(response: HttpResponse): Failure | undefined {
  const { status } = response;
  if (status !== 200) return undefined;
  const body = parseJson(response.body.toString());
  // Comparing and printing values is recursive, so deep values could overflow the stack.
  if (isDeeperThan(body, MAX_DEPTH))
    return { ...fail('source-invalid', 'The server returned JSON that is nested too deeply.'), retryable: false };
  if (body !== undefined) return undefined;
  // A retry may help, since the response may have been cut off.
  return { ...fail('source-invalid', 'The server returned something that is not JSON.'), retryable: true };
}

/** Verdicts in ascending order of severity. */
export const VERDICTS = ['same', 'theirs-missing', 'ours-missing', 'differ'] as const;
export type Verdict = (typeof VERDICTS)[number];

interface ComparedField {
  readonly field: string;
  readonly verdict: Verdict;
  readonly ours?: unknown;
  readonly theirs?: unknown;
  /** The reason why the index lacks the value. */
  readonly reason?: string | undefined;
}

export interface ComparedResponse {
  readonly path: string;
  readonly route: string;
  /** The most severe verdict of the fields. */
  readonly verdict: Verdict;
  readonly reason?: string | undefined;
  readonly compared: number;
  /** The fields whose verdict is not `same`. */
  readonly fields: readonly ComparedField[];
}

type Json = Readonly<Record<string, unknown>>;

/** Fields with URIs of image copies. They are not compared, since each server has different URIs. */
const IMAGE_COPIES: ReadonlySet<string> = new Set([
  'image_uri',
  'image_thumbnail_uri',
  'metadata.cached_image',
  'metadata.cached_thumbnail_image',
]);
const FROM_DOCUMENT = /^(?:metadata\b|description$|image_)/;

function compareResponses(
  question: Question,
  theirs: { readonly status: number; readonly body: unknown },
): ComparedResponse {
  const { path, route, ours } = question;
  const uncompared = (verdict: Verdict, reason?: string) => {
    return { path, route: route.id, verdict, reason, compared: 0, fields: [] };
  };
  const [hasOurs, hasTheirs] = [ours?.status === 200, theirs.status === 200];
  if (!hasOurs && !hasTheirs) return uncompared('same');
  if (!hasTheirs) return uncompared('theirs-missing');
  if (!hasOurs) return uncompared('ours-missing', whyNoResponse(question));
  const [ourFields, theirFields] = [fieldsOf(ours?.body), fieldsOf(theirs.body)];
  const names = [...new Set([...ourFields.keys(), ...theirFields.keys()])].filter((name) => !IMAGE_COPIES.has(name));
  const compared = names.map((name) => compareField(name, ourFields.get(name), theirFields.get(name), question));
  const fields = compared.filter(({ verdict }) => verdict !== 'same');
  const verdict = VERDICTS.findLast((verdict) => compared.some((field) => field.verdict === verdict)) ?? 'same';
  return { path, route: route.id, verdict, compared: compared.length, fields };
}

function compareField(field: string, ours: unknown, theirs: unknown, question: Question): ComparedField {
  if (isDeepStrictEqual(ours, theirs)) return { field, verdict: 'same' };
  if (theirs === undefined) return { field, verdict: 'theirs-missing', ours };
  if (ours === undefined) return { field, verdict: 'ours-missing', theirs, reason: whyMissing(field, question) };
  return { field, verdict: 'differ', ours, theirs };
}

/** Returns the members of a response and of its `metadata`, with parsed interfaces; omits null and empty values. */
function fieldsOf(body: unknown): Map<string, unknown> {
  const members = Object.entries((body ?? {}) as Json).flatMap(([name, value]): [string, unknown][] => {
    if (name === 'abi' && typeof value === 'string') return [[name, parseJson(value) ?? value]];
    if (name !== 'metadata' || typeof value !== 'object' || value === null) return [[name, value]];
    return Object.entries(value).map(([key, content]) => [`metadata.${key}`, content]);
  });
  return new Map(members.filter(([, value]) => value !== undefined && value !== null && value !== ''));
}

function whyMissing(field: string, { status }: Question): string {
  const values = status?.values as Readonly<Record<string, TokenStatus['values']['name']>> | undefined;
  const value = values?.[field];
  if (value?.failure !== undefined) return value.failure.message;
  if (value?.none === true) return 'The contract returns none.';
  if (!FROM_DOCUMENT.test(field)) return 'The index does not have this field.';
  const document = status !== undefined && 'document' in status ? status.document : undefined;
  if (document?.failure !== undefined) return document.failure.message;
  if (document?.state === 'pending') return 'The document has not been fetched yet.';
  return document?.state === 'read' ? 'The document does not have this field.' : 'The index has no document.';
}

function whyNoResponse({ ours, status, failure }: Question): string {
  const { error, message } = (ours?.body ?? {}) as { error?: string; message?: string };
  return message ?? status?.failure?.message ?? error ?? failure ?? 'The index does not have the contract.';
}
