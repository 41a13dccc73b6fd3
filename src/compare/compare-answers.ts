// Compares an answer of another API with that of the index, field by field, and says of each which one lacks what.

import { isDeepStrictEqual } from 'node:util';
import type { TokenStatus } from '#routes/token-status.ts';
import { parseJson } from '#text/parse-json.ts';
import type { Question } from './questions.ts';

/** From the least to the gravest. */
export const VERDICTS = ['same', 'ours-newer', 'theirs-missing', 'ours-missing', 'differ'] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface ComparedField {
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

/** `isNewer`: true if the index is at the tip of the other one, or further. */
export function compareAnswers(
  question: Question,
  theirs: { readonly status: number; readonly body: unknown },
  isNewer: boolean,
): ComparedAnswer {
  const { path, route, own } = question;
  const whole = (verdict: Verdict, reason?: string) => ({
    path,
    route: route.id,
    verdict,
    reason,
    compared: 0,
    fields: [],
  });
  const [hasOwn, hasTheirs] = [own?.status === 200, theirs.status === 200];
  if (!hasOwn && !hasTheirs) return whole('same');
  if (!hasTheirs) return whole('theirs-missing');
  if (!hasOwn) return whole('ours-missing', whyNoAnswer(question));
  const [ours, others] = [fieldsOf(own?.body), fieldsOf(theirs.body)];
  const names = [...new Set([...ours.keys(), ...others.keys()])].filter((name) => !OWN_COPIES.has(name));
  const compared = names.map((field) => compareField(field, ours.get(field), others.get(field), question, isNewer));
  const fields = compared.filter(({ verdict }) => verdict !== 'same');
  const verdict = VERDICTS.findLast((one) => compared.some((field) => field.verdict === one)) ?? 'same';
  return { path, route: route.id, verdict, compared: compared.length, fields };
}

function compareField(
  field: string,
  ours: unknown,
  theirs: unknown,
  question: Question,
  isNewer: boolean,
): ComparedField {
  if (isDeepStrictEqual(ours, theirs)) return { field, verdict: 'same' };
  if (theirs === undefined) return { field, verdict: 'theirs-missing', ours };
  if (ours === undefined) return { field, verdict: 'ours-missing', theirs, reason: whyMissing(field, question) };
  return { field, verdict: isNewer && isProven(field, question) ? 'ours-newer' : 'differ', ours, theirs };
}

/** The members, and those of `metadata`; an interface as what it says, not as its text. What is null or empty is none. */
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

/** True if the value is known to be that at the tip of the index. */
function isProven(field: string, question: Question): boolean {
  const value = readingOf(field, question);
  return value?.read_from !== undefined && value.read_from !== 'token-list' && value.failure === undefined;
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
