// Reads and writes the object that describes the published site. A local record with the generation in this object
// matches the target.
import { hash } from 'node:crypto';
import type { Headers } from '#serving/headers.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { readOwn, SITE_KEY, writeOwn } from './own-objects.ts';
import type { Target } from './target.ts';

export interface PublishedSite {
  /** Undefined if the index of the site has no chain id. */
  readonly chainId: number | undefined;
  /** The token of the publisher that wrote the files last, or is writing them. */
  readonly generation: string;
  /** The {@link headerRules} of the publisher with the token `generation`. */
  readonly headerRules: string;
}

/** Returns the hash of the rules for content types and caching. If it changes, all objects are uploaded again. */
export function headerRules(): string {
  const sent = (headers: Headers | undefined) => [headers?.['Content-Type'], headers?.['Cache-Control']];
  const { headers, rules } = SITE_RULES;
  const all = [sent(headers.response), sent(headers.error), rules.map((rule) => [rule.match, sent(rule.headers)])];
  return hash('sha256', JSON.stringify(all), 'hex');
}

/** Reads the published site; undefined if the target has no site, or one that only an earlier version published. */
export function readSite(target: Target): Promise<PublishedSite | undefined> {
  return readOwn(target, SITE_KEY, (body) => {
    const { chainId, generation, headerRules } = JSON.parse(body.toString()) as Partial<PublishedSite>;
    if (typeof generation !== 'string' || typeof headerRules !== 'string') return undefined;
    return { chainId, generation, headerRules };
  });
}

export async function writeSite(target: Target, site: PublishedSite): Promise<void> {
  await writeOwn(target, SITE_KEY, Buffer.from(JSON.stringify(site)));
}
