// Parses a metadata document, which is an object in JSON or JSON5. The package json5 (MIT, without dependencies) is the
// reference parser.
import JSON5 from 'json5';
import { type Failure, fail } from '#model/failure.ts';
import type { JsonValue } from '#model/metadata.ts';
import { isHtmlPage } from '#text/html-page.ts';
import { hasMoreValuesThan, isDeeperThan, parseJson } from '#text/parse-json.ts';

export type JsonObject = { [key: string]: JsonValue };

/** A parsed document. Without this wrapper, a document with the keys of a Failure would be mistaken for a Failure. */
export interface ParsedDocument {
  readonly json: JsonObject;
}

/**
 * The maximum nesting of objects and lists in a document. It protects code that recurses, such as rendering; real
 * documents have about five levels.
 */
const MAX_DEPTH = 63;
/** The maximum number of values in a document. Real documents have tens or hundreds. */
const MAX_VALUES = 20_000;
/** The maximum length of JSON5, since its parser is much slower and takes more memory than `JSON.parse`. */
const MAX_JSON5_LENGTH = 100_000;

/**
 * Matches line separators and paragraph separators, about which json5 prints warnings. Also matches escape sequences,
 * to skip them.
 */
const SEPARATORS_AND_ESCAPES = /\\.|[\u2028\u2029]/gs;

/** Lower-case keys of error messages: of Kubo and other gateways, of API frameworks, and of RFC 9457. */
const ERROR_KEYS: ReadonlySet<string> = new Set(
  'error errors message msg code status statuscode statustext success ok type title detail details instance path timestamp requestid reason'.split(
    ' ',
  ),
);

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** Parses a document. Removes NUL characters, which real documents contain and databases reject. */
export function parseDocument(bytes: Uint8Array): ParsedDocument | Failure {
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    return fail('not-text');
  }
  if (text.trim() === '') return fail('empty-document');
  const value = parseJson(text) ?? (text.length > MAX_JSON5_LENGTH ? undefined : parseJson5(text));
  if (value === undefined) return fail(isHtmlPage(text) ? 'html-page' : 'not-json');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail('not-an-object');
  if (isDeeperThan(value, MAX_DEPTH)) return fail('too-deep');
  if (hasMoreValuesThan(value, MAX_VALUES)) return fail('too-many-values');
  if (isError(value)) return fail('error-document');
  return { json: clean(value) as JsonObject };
}

/**
 * True if a document is an error message of a gateway or an API. All its keys are typical of errors, and at least one
 * occurs only in errors.
 */
function isError(value: object): boolean {
  const keys = Object.keys(value);
  const isErrorKey = (key: string) => ERROR_KEYS.has(key.toLowerCase().replaceAll('_', ''));
  return (
    keys.length <= ERROR_KEYS.size &&
    keys.every(isErrorKey) &&
    keys.some((key) => /^(error|errors|message)$/i.test(key))
  );
}

/** Parses JSON5, such as text with comments, trailing commas or single quotes. Returns undefined for invalid text. */
function parseJson5(text: string): unknown {
  const escaped = (found: string) => (found.startsWith('\\') ? found : `\\u${found.charCodeAt(0).toString(16)}`);
  try {
    return JSON5.parse(text.replace(SEPARATORS_AND_ESCAPES, escaped));
  } catch {
    return undefined;
  }
}

/** Removes NUL characters, replaces unpaired surrogates, and drops the numbers NaN and Infinity, which JSON lacks. */
function clean(value: unknown): JsonValue | undefined {
  if (typeof value === 'string') return stripNul(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (Array.isArray(value)) return value.map(clean).filter((item) => item !== undefined);
  if (typeof value !== 'object' || value === null) return value as boolean | null;
  const entries = Object.entries(value).map(([key, item]) => [stripNul(key), clean(item)] as const);
  // With `fromEntries`, the key `__proto__` is an ordinary key.
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined)) as JsonObject;
}

function stripNul(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
