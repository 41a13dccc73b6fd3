// Reads a URL of a flag: http or https, without a query, credentials or a slash at its end.
import { stop } from '#model/failure.ts';

const INSTEAD: Readonly<Record<string, string>> = { '--api-url': 'A key is given with --api-key.' };

/** Throws FailureError `usage` for a text that is no such URL; `example` is one. */
export function readUrl(flag: string, text: string, example: string): string {
  const url = URL.parse(text);
  // Not shown: what is in it may be a secret.
  if (url === null ? text.includes('@') : url.username !== '' || url.password !== '')
    throw stop('usage', `${flag} carries a user name or password. ${INSTEAD[flag] ?? 'Leave it out.'}`);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw stop(
      'usage',
      `${flag} is ${JSON.stringify(text)}, and takes an http or https URL without a query, such as ${example}`,
    );
  }
  return url.href.replace(/\/+$/, '');
}
