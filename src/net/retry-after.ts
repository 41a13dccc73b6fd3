// Parses the Retry-After header (RFC 9110, 10.2.3): seconds, or an HTTP date.

/** Upper limit for what a server asks for: rate limits are per minute or per hour. */
const MAX_SECONDS = 60 * 60;

/** Seconds from `now` (ms since the epoch), at least 0; undefined if the header is not understood. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  // An HTTP date begins with a day name; Date.parse accepts many other texts.
  const isDate = /^[A-Z][a-z]{2}/.test(text);
  const seconds = /^\d+$/.test(text) ? Number(text) : isDate ? (Date.parse(text) - now) / 1000 : Number.NaN;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), MAX_SECONDS);
}
