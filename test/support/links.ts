// Reads the links of a page, and finds the files that they lead to.
import { planResponse } from '#serving/plan-response.ts';
import { SITE_RULES } from '#site/site-rules.ts';

/** Returns the URLs that a page loads or links to, without data: URIs. */
export function references(html: string): string[] {
  return [...html.matchAll(/(?:href|src|action)="([^"]*)"/g)]
    .map(([, reference = '']) => reference)
    .filter((reference) => !reference.startsWith('data:'));
}

/** Returns the file of the build that a URL on a page leads to. Undefined for a URL of another site. */
export function fileBehind(reference: string, at: string, files: ReadonlyMap<string, string>): string | undefined {
  const host = 'https://tokens.example.org';
  const url = new URL(reference, host + at);
  if (url.origin !== host) return undefined;
  const [first] = planResponse(url.pathname, url.searchParams, SITE_RULES);
  return first?.status === 200 && files.has(first.file) ? first.file : undefined;
}
