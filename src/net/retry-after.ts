// Parses the Retry-After header (RFC 9110, 10.2.3): seconds, or an HTTP date.

/** A server that asks for more than this is asked again after it anyway: limits are by the minute or the hour. */
const MAX_SECONDS = 60 * 60;

/** Seconds from `now` (ms since the epoch), at least 0; undefined if the header says nothing that can be understood. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  // An HTTP date begins with a day; Date.parse would make one of many other texts.
  const isDate = /^[A-Z][a-z]{2}/.test(text);
  const seconds = /^\d+$/.test(text) ? Number(text) : isDate ? (Date.parse(text) - now) / 1000 : Number.NaN;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), MAX_SECONDS);
}
