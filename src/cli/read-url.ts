// Parses the URL in a flag. The scheme must be http or https, without a query or credentials.
import { stop } from '#model/failure.ts';

const INSTEAD: Readonly<Record<string, string>> = { '--api-url': 'Use --api-key for a key.' };

/**
 * Returns the URL without a slash at its end. Throws FailureError `usage` for an invalid URL. `example`: a valid URL.
 */
export function readUrl(flag: string, text: string, example: string): string {
  const url = URL.parse(text);
  // The message omits the URL, which may contain a secret.
  if (url === null ? text.includes('@') : url.username !== '' || url.password !== '')
    throw stop('usage', `${flag} contains a user name or password. ${INSTEAD[flag] ?? 'Leave it out.'}`);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw stop(
      'usage',
      `${flag} is ${JSON.stringify(text)}. Use an http or https URL without a query, such as ${example}`,
    );
  }
  return url.href.replace(/\/+$/, '');
}
