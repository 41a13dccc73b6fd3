// The objects that publishers keep for themselves: their keys, reading and writing. Earlier versions published shards of
// a site, each with objects in a folder of its own.
import { stop } from '#model/failure.ts';
import type { Target } from './target.ts';

export const STATE_FOLDER = '.stxpress/';
const OWN_KEY =
  /^\.stxpress\/(?:shard-\d+-of-\d+\/)?(?:(publish(?:ed\.json|ing\.zst))|published-[0-9a-f]{64}\.zst|.*\.part)$/;

/** Returns the folders that hold the objects of shards. */
export function shardFolders(keys: readonly string[]): string[] {
  return [...new Set(keys.flatMap((key) => /^\.stxpress\/shard-\d+-of-\d+\//.exec(key) ?? []))].sort();
}

/** The key of the lock, which names who is at work. It is written before all else. */
export function lockKey(folder = STATE_FOLDER): string {
  return `${folder}publishing.zst`;
}

/** The key of the object that names the parts. */
export function snapshotKey(folder = STATE_FOLDER): string {
  return `${folder}published.json`;
}

/** `hash`: SHA-256 of its bytes, hex. */
export function partKey(hash: string): string {
  return `${STATE_FOLDER}published-${hash}.zst`;
}

export function isOwnKey(key: string): boolean {
  return OWN_KEY.test(key);
}

/** True if a publisher is or was there. */
export function hasPublisher(keys: readonly string[]): boolean {
  return keys.some((key) => OWN_KEY.exec(key)?.[1] !== undefined);
}

/** Undefined where there is none. Throws FailureError `target-foreign` where `parse` throws, or gives undefined. */
export async function readOwn<Content>(
  target: Target,
  key: string,
  parse: (body: Buffer) => Content | undefined | Promise<Content | undefined>,
): Promise<Content | undefined> {
  const body = await target.read(key);
  if (body === undefined) return undefined;
  const content = await (async () => parse(body))().catch(() => undefined);
  if (content === undefined)
    throw stop('target-foreign', `${target.name} has a ${key} that stxpress did not write. Remove it.`);
  return content;
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
