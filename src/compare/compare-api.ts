// Asks another API for what an index answers, and compares field by field: each says which one lacks what.
import { isDeepStrictEqual } from 'node:util';
import { runAhead } from '#concurrency/run-ahead.ts';
import { chainIdOf, formatChainId, MAINNET_CHAIN_ID } from '#model/chain.ts';
import { type Failure, type FailureCode, FailureError, fail, isFailure, type Reason, stop } from '#model/failure.ts';
import type { PoliteReader } from '#net/polite-reader.ts';
import type { HttpResponse } from '#net/send-request.ts';
import type { TokenStatus } from '#routes/token-status.ts';
import type { StoreReader } from '#store/index-database.ts';
import { readInfo } from '#store/index-info.ts';
import { readSummary } from '#store/status/summary.ts';
import { isDeeperThan } from '#text/json-depth.ts';
import { parseJson } from '#text/parse-json.ts';
import { type Choice, ownAnswers, type Question } from './questions.ts';

export interface Comparison {
  /** Heights of the tips; undefined if one is not known. */
  readonly tip: { readonly ours: number | undefined; readonly theirs: number | undefined };
  readonly answers: readonly ComparedAnswer[];
  readonly failures: readonly (Reason & { readonly path: string })[];
}

export interface CompareOptions {
  readonly reader: PoliteReader;
  /** How many answers are compared, or read of parts that differ. */
  readonly most: number;
  readonly concurrency: number;
  onRead?(done: number, total: number): void;
}

/** Where an API says how far its chain goes, and which it is: by its id, or by a contract. */
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
  { reader, most, concurrency, onRead }: CompareOptions,
): Promise<Comparison> {
  const said = await readTheirTip(reader);
  if (isFailure(said)) throw new FailureError({ ...said, message: `${reader.baseUrl}: ${said.message}` });
  const { height, ...their } = said;
  const { chainId } = await readInfo(store);
  if (chainId !== undefined) checkChain(chainId, their, reader.host);
  const tip = { ours: (await readSummary(store)).tip?.height, theirs: height };
  const answers: ComparedAnswer[] = [];
  const failures: Comparison['failures'][number][] = [];
  const results = runAhead(ownAnswers(store, choices, most), concurrency, async (question) => ({
    question,
    theirs: await ask(reader, question.path),
  }));
  let done = 0;
  for await (const { question, theirs } of results) {
    const { path } = question;
    if (isFailure(theirs)) failures.push({ path, code: theirs.code, message: theirs.message });
    else answers.push(compareAnswers(question, theirs, tip));
    onRead?.(++done, Math.min(most, choices.length));
  }
  return { tip, answers, failures };
}

/** True if the index is at a higher block than the API. */
export function isNewer({ ours, theirs }: Comparison['tip']): boolean {
  return ours !== undefined && theirs !== undefined && ours > theirs;
}

/** Returns a failure if the server cannot be reached, or lacks the paths that every API and site has. */
export async function readTheirTip(reader: PoliteReader): Promise<(Tip & { readonly height?: number }) | Failure> {
  let failure: Failure | undefined;
  let known: Tip | undefined;
  for (const path of TIPS) {
    const answer = await ask(reader, path);
    if (isFailure(answer)) {
      failure ??= answer;
      if (UNREACHED.has(answer.code)) break;
    } else if (answer.status === 200) {
      known = (answer.body ?? {}) as Tip;
      const height = known.stacks_tip_height ?? known.chain_tip?.block_height;
      if (typeof height === 'number') return { ...known, height };
    }
  }
  const other = `It has neither ${TIPS.join(' nor ')}. Name a Stacks API or a site of stxpress.`;
  return known ?? failure ?? { ...fail('source-invalid', other), retryable: false };
}

/** Other requests would end with these too. */
const UNREACHED: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'connection-failed',
  'host-not-found',
  'tls-error',
  'timeout',
  'source-down',
  'host-held',
]);

/** A site has no id of its chain, but contracts of mainnet or not. Throws FailureError `other-chain`. */
export function checkChain(
  own: number,
  { network_id: id, newest_contracts: newest }: Tip,
  host: string,
  ours = 'index',
): void {
  const contractId = String(newest?.[0]?.contract_id ?? '');
  const isOtherNet = contractId !== '' && (chainIdOf(contractId) === MAINNET_CHAIN_ID) !== (own === MAINNET_CHAIN_ID);
  if (typeof id === 'number' ? id === own : !isOtherNet) return;
  const theirs = typeof id === 'number' ? `chain ${formatChainId(id)}` : `the chain of ${contractId}`;
  throw stop(
    'other-chain',
    `${host} serves ${theirs}, and the ${ours} has chain ${formatChainId(own)}. ` +
      `Name a server of that chain, or another ${ours} with ${ours === 'index' ? '--db' : '--out'}.`,
  );
}

const MAX_DEPTH = 500;
const ANSWERS: ReadonlySet<number> = new Set([200, 404, 422]);

async function ask(reader: PoliteReader, path: string): Promise<{ status: number; body: unknown } | Failure> {
  const answer = await reader.read(path, checkAnswer);
  return isFailure(answer)
    ? answer
    : { status: answer.status, body: answer.status === 200 ? parseJson(answer.body.toString()) : undefined };
}

function checkAnswer(response: HttpResponse): Failure | undefined {
  const { status } = response;
  if (!ANSWERS.has(status)) return fail(`http-${status}`, `It answers with status ${status}.`);
  if (status !== 200) return undefined;
  const body = parseJson(response.body.toString());
  // Comparing and writing values recurse.
  if (isDeeperThan(body, MAX_DEPTH))
    return { ...fail('source-invalid', 'It answers with JSON that is nested too deeply.'), retryable: false };
  if (body !== undefined) return undefined;
  // It may be whole the next time.
  return { ...fail('source-invalid', 'It answers with something that is not JSON.'), retryable: true };
}

/** From the least to the gravest. */
export const VERDICTS = ['same', 'ours-newer', 'theirs-missing', 'ours-missing', 'differ'] as const;
export type Verdict = (typeof VERDICTS)[number];

interface ComparedField {
  readonly field: string;
  readonly verdict: Verdict;
  readonly ours?: unknown;
  readonly theirs?: unknown;
  /** Why ours is missing. */
  readonly reason?: string | undefined;
}

export interface ComparedAnswer {
  readonly path: string;
  readonly route: string;
  /** The gravest of its fields. */
  readonly verdict: Verdict;
  readonly reason?: string | undefined;
  /** How many fields were compared. */
  readonly compared: number;
  /** Those that are not the same. */
  readonly fields: readonly ComparedField[];
}

type Json = Readonly<Record<string, unknown>>;

/** Names of the copies that each server keeps of an image. */
const OWN_COPIES: ReadonlySet<string> = new Set([
  'image_uri',
  'image_thumbnail_uri',
  'metadata.cached_image',
  'metadata.cached_thumbnail_image',
]);
const FROM_DOCUMENT = /^(?:metadata\b|description$|image_)/;

function compareAnswers(
  question: Question,
  theirs: { readonly status: number; readonly body: unknown },
  tip: Comparison['tip'],
): ComparedAnswer {
  const { path, route, own } = question;
  const whole = (verdict: Verdict, reason?: string) => {
    return { path, route: route.id, verdict, reason, compared: 0, fields: [] };
  };
  const [hasOwn, hasTheirs] = [own?.status === 200, theirs.status === 200];
  if (!hasOwn && !hasTheirs) return whole('same');
  if (!hasTheirs) return whole('theirs-missing');
  if (!hasOwn) return whole('ours-missing', whyNoAnswer(question));
  const [ours, others] = [fieldsOf(own?.body), fieldsOf(theirs.body)];
  const names = [...new Set([...ours.keys(), ...others.keys()])].filter((name) => !OWN_COPIES.has(name));
  const compared = names.map((field) => compareField(field, ours.get(field), others.get(field), question, tip));
  const fields = compared.filter(({ verdict }) => verdict !== 'same');
  const verdict = VERDICTS.findLast((one) => compared.some((field) => field.verdict === one)) ?? 'same';
  return { path, route: route.id, verdict, compared: compared.length, fields };
}

function compareField(
  field: string,
  ours: unknown,
  theirs: unknown,
  question: Question,
  tip: Comparison['tip'],
): ComparedField {
  if (isDeepStrictEqual(ours, theirs)) return { field, verdict: 'same' };
  if (theirs === undefined) return { field, verdict: 'theirs-missing', ours };
  if (ours === undefined) return { field, verdict: 'ours-missing', theirs, reason: whyMissing(field, question) };
  return { field, verdict: isProvenAbove(tip, field, question) ? 'ours-newer' : 'differ', ours, theirs };
}

/** Members, and those of `metadata`; an interface as what it says, not as its text. Null or empty is none. */
function fieldsOf(body: unknown): Map<string, unknown> {
  const members = Object.entries((body ?? {}) as Json).flatMap(([name, value]): [string, unknown][] => {
    if (name === 'abi' && typeof value === 'string') return [[name, parseJson(value) ?? value]];
    if (name !== 'metadata' || typeof value !== 'object' || value === null) return [[name, value]];
    return Object.entries(value).map(([own, one]) => [`metadata.${own}`, one]);
  });
  return new Map(members.filter(([, value]) => value !== undefined && value !== null && value !== ''));
}

function readingOf(field: string, { status }: Question): TokenStatus['values']['name'] | undefined {
  return (status?.values as Readonly<Record<string, TokenStatus['values']['name']>> | undefined)?.[field];
}

/** True if the value is known to be that at a block above the tip of the other API. */
function isProvenAbove(tip: Comparison['tip'], field: string, question: Question): boolean {
  const value = readingOf(field, question);
  if (!isNewer(tip) || value?.failure !== undefined) return false;
  // A node may have been called before the rest was indexed; what is replayed or summed is that at our tip.
  if (value?.read_from === 'node') return (value.height ?? 0) > (tip.theirs ?? 0);
  return value?.read_from === 'clarity-vm' || value?.read_from === 'events';
}

function whyMissing(field: string, question: Question): string {
  const { status } = question;
  const value = readingOf(field, question);
  if (value?.failure !== undefined) return value.failure.message;
  if (value?.none === true) return 'The contract returns none.';
  if (!FROM_DOCUMENT.test(field)) return 'This field is not known to the index.';
  const document = status !== undefined && 'document' in status ? status.document : undefined;
  if (document?.failure !== undefined) return document.failure.message;
  if (document?.state === 'pending') return 'The document has not been fetched yet.';
  return document?.state === 'read' ? 'The document that was read has no such field.' : 'The index has no document.';
}

function whyNoAnswer({ own, status, failure }: Question): string {
  const { error, message } = (own?.body ?? {}) as { error?: string; message?: string };
  return message ?? status?.failure?.message ?? error ?? failure ?? 'The index does not have it.';
}
