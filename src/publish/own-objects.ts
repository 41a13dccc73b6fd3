// Reads and writes the objects in which publishers store their state in a target, and defines their keys.
import { type FailureError, stop } from '#model/failure.ts';
import type { Target } from './target.ts';

export const STATE_FOLDER = '.stxpress/';
/** The key of the lock, which is written before all other objects and removed last. */
export const LOCK_KEY = `${STATE_FOLDER}publishing.zst`;
/** The key of the object with the chain of the published site and the generation of its files. */
export const SITE_KEY = `${STATE_FOLDER}site.json`;
/** The key of the list of published files with their hashes. */
export const LIST_KEY = `${STATE_FOLDER}files.zst`;

const OUTSIDE = /(?:^|\/)\.{0,2}(?:\/|$)|\0/;

/** True if a path leads out of the target: a forged list or lock must not remove files there. */
export function isOutside(path: string): boolean {
  return OUTSIDE.test(path);
}

/**
 * Reads and parses an object; undefined if it is missing. Throws `target-foreign` if `parse` throws or returns
 * undefined.
 */
export async function readOwn<Content>(
  target: Target,
  key: string,
  parse: (body: Buffer) => Content | undefined | Promise<Content | undefined>,
): Promise<Content | undefined> {
  const body = await target.read(key);
  if (body === undefined) return undefined;
  const content = await (async () => parse(body))().catch(() => undefined);
  if (content === undefined) throw foreignObject(target, key);
  return content;
}

export function foreignObject(target: Target, key: string): FailureError {
  return stop('target-foreign', `${target.name} has a ${key} that stxpress did not write. Remove it.`);
}

export function writeOwn(
  target: Target,
  key: string,
  body: Uint8Array,
  options?: { readonly onlyIfNew: boolean },
): Promise<'written' | 'exists'> {
  const type = key.endsWith('.json') ? 'application/json' : 'application/zstd';
  return target.write({ key, body, headers: { 'Content-Type': type, 'Cache-Control': 'no-store' } }, options);
}
