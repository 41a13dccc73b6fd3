// Parses the URL in a flag. The scheme must be http or https, without a query or credentials.
import { stop } from '#model/failure.ts';

/** The URLs of an API, which may need a key. */
const API_URLS: readonly string[] = ['--api-url', 'The URL of the API'];

/**
 * Returns the URL without a slash at its end. Throws FailureError `usage` for an invalid URL. `flag`: the URL's name in
 * messages. `example`: a valid URL.
 */
export function readUrl(flag: string, text: string, example: string): string {
  const url = URL.parse(text);
  const remedy = API_URLS.includes(flag) ? 'Use --api-key for a key.' : 'Leave it out.';
  // The message omits the URL, which may contain a secret.
  if (url === null ? text.includes('@') : url.username !== '' || url.password !== '')
    throw stop('usage', `${flag} contains a user name or password. ${remedy}`);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw stop(
      'usage',
      `${flag} is ${JSON.stringify(text)}. Use an http or https URL without a query, such as ${example}`,
    );
  }
  return url.href.replace(/\/+$/, '');
}
