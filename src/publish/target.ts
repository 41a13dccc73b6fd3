// Defines the interface of a publish target, which stores objects with headers by key, and the two objects in which
// publishers store their state there.

import { hash } from 'node:crypto';
import { type FailureError, stop } from '#model/failure.ts';
import type { Reporter } from '#model/reporter.ts';
import type { ObjectHeaders } from '#serving/handle-request.ts';
import type { Headers } from '#serving/headers.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { parseJson } from '#text/parse-json.ts';
import type { PlannedChange } from './published-record.ts';

export interface TargetObject {
  /** The key, relative to the prefix of the target, without a leading slash. */
  readonly key: string;
  readonly body: Uint8Array;
  /** SHA-256 of the body, hex, if known. */
  readonly sha256?: string | undefined;
  readonly headers: ObjectHeaders;
}

export interface ListedObject {
  readonly key: string;
  readonly bytes: number;
  /** The ETag without its quotes. It is the MD5 of the body, unless the storage encrypts or joins objects. */
  readonly tag: string;
}

/**
 * A publish target. Its functions retry failed requests. They throw FailureError, which is retryable if a later publish
 * may succeed.
 */
export interface Target extends AsyncDisposable {
  readonly name: string;
  /** Returns the bytes of an object; undefined if it is missing. */
  read(key: string): Promise<Buffer | undefined>;
  /** Writes a complete object or none. */
  write(object: TargetObject): Promise<void>;
  /** Removes an object, which may be missing. */
  remove(key: string): Promise<void>;
  /** Yields all objects, in groups. */
  list(): AsyncGenerator<readonly ListedObject[]>;
}

export interface PublishOptions {
  readonly out: string;
  readonly target: Target;
  readonly concurrency: number;
  readonly maxDeletes: number;
  /**
   * True to replace a site of another chain, a site with more than twice as many files, and files that stxpress did not
   * write.
   */
  readonly replace: boolean;
  /** For a dry run: called with each file to upload or remove, instead of changing the target. */
  readonly onPlanned?: ((change: PlannedChange) => void) | undefined;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
}

/** The folder of the two objects of publishers. */
export const STATE_FOLDER = '.stxpress/';
/** The key of the object with the {@link PublishedState}. */
export const SITE_KEY = `${STATE_FOLDER}site.json`;
/** The key of the object with the generation of the publisher that began last. */
export const PUBLISHER_KEY = `${STATE_FOLDER}publisher`;

export interface PublishedState {
  /** Undefined if the index of the site has no chain id. */
  readonly chainId: number | undefined;
  /** Identifies the publish that wrote the files last, or is writing them. */
  readonly generation: string;
  /** The {@link headerRules} of all files; empty while files may have the headers of other rules. */
  readonly headerRules: string;
}

/** Returns the hash of the rules for content types and caching. If it changes, all objects are uploaded again. */
export function headerRules(): string {
  const sent = (headers: Headers | undefined) => [headers?.['Content-Type'], headers?.['Cache-Control']];
  const { headers, rules } = SITE_RULES;
  const all = [sent(headers.response), sent(headers.error), rules.map((rule) => [rule.match, sent(rule.headers)])];
  return hash('sha256', JSON.stringify(all), 'hex');
}

/** Reads the state; undefined if the target has no site. Throws `target-foreign` if stxpress did not write it. */
export async function readState(target: Target): Promise<PublishedState | undefined> {
  const body = await target.read(SITE_KEY);
  if (body === undefined) return undefined;
  const { chainId, generation, headerRules } = (parseJson(body.toString()) ?? {}) as Partial<PublishedState>;
  if (typeof generation !== 'string' || typeof headerRules !== 'string') throw foreignState(target);
  return { chainId, generation, headerRules };
}

function foreignState(target: Target): FailureError {
  return stop('target-foreign', `${target.name} has a ${SITE_KEY} that stxpress did not write. Remove it.`);
}

export function writeState(target: Target, state: PublishedState): Promise<void> {
  return writeOwn(target, SITE_KEY, 'application/json', JSON.stringify(state));
}

/** Returns the generation of the publisher that began last; undefined if none began. */
export async function readPublisher(target: Target): Promise<string | undefined> {
  return (await target.read(PUBLISHER_KEY))?.toString();
}

export function writePublisher(target: Target, generation: string): Promise<void> {
  return writeOwn(target, PUBLISHER_KEY, 'text/plain', generation);
}

function writeOwn(target: Target, key: string, type: string, text: string): Promise<void> {
  const headers = { 'Content-Type': type, 'Cache-Control': 'no-store' };
  return target.write({ key, body: Buffer.from(text), headers });
}
