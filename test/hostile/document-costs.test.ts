// Checks that the time to read a hostile document grows linearly with its size.
import { expect, test } from 'vitest';
import { isFailure } from '#model/failure.ts';
import { normalizeDocument, servableLocales } from '#sip-016/normalize-document.ts';
import { parseDocument } from '#sip-016/parse-document.ts';
import { expectLinear } from '../support/linear-time.ts';

const LENGTH = 250_000;
const LARGEST_ID = `${2n ** 128n - 1n}`;

/** Repeats `part` until the text has this length. */
const fill = (part: string, length: number) => part.repeat(length / part.length);
/** Returns JSON names of equal lengths. They are so few that the document is not refused for its number of values. */
const names = (count: number, length: number) =>
  Array.from({ length: count }, (_, at) => JSON.stringify(`${at}`.padStart(Math.floor(length / count) - 3, 'x')));
const localized = (locales: readonly string[]) => `{"localization":{"uri":"x/{locale}","locales":[${locales}]}}`;

const DOCUMENTS: Readonly<Record<string, (length: number) => string>> = {
  'a JSON text': (length) => `{"name":"${fill('a', length)}"}`,
  'JSON escapes': (length) => `{"name":"${fill('\\u0041', length)}"}`,
  'NUL characters': (length) => `{"name":"${fill('\\u0000', length)}"}`,
  'unpaired surrogates': (length) => `{"name":"${fill('\\ud800', length)}"}`,
  'placeholders of the token id': (length) => `{"name":"${fill('{id}', length)}"}`,
  'blanks before an image': (length) => `{"image":"${fill(' ', length)}a"}`,
  'slashes in an image': (length) => `{"image":"https:${fill('/ ', length)}"}`,
  'an SVG in image_data': (length) => `{"image_data":"<svg>${fill('a', length)}"}`,
  'keys of errors': (length) => `{${names(5_000, length).map((key) => `${key}:1`)}}`,
  'a localization with 15,000 locales': (length) => localized(names(15_000, length)),
  'a localization with 10 long locales': (length) => localized(names(10, length)),
  'locales that differ only in case': (length) =>
    localized(names(10, length).flatMap((locale) => [locale, locale.toUpperCase()])),
  'opening brackets': (length) => fill('[', length),
  'closing brackets': (length) => fill(']', length),
  'mixed quotes': (length) => fill(`"'`, length),
  'an unclosed comment of HTML': (length) => `<!--${fill('-', length)}`,
  'a JSON5 text': (length) => `{name:'${fill('a', length)}'}`,
  'JSON5 escapes': (length) => `{name:'${fill('\\u0041', length)}'}`,
  'JSON5 line continuations': (length) => `{name:'${fill('\\\n', length)}'}`,
  'JSON5 line separators': (length) => `{name:'${fill('\u2028', length / 3)}'}`,
  'JSON5 backslashes': (length) => `{name:'${fill('\\', length)}'}`,
  'JSON5 line comments': (length) => `{name:'a'${fill('//a\n', length)}}`,
  'JSON5 block comments': (length) => `{name:'a'${fill('/**/', length)}}`,
  'JSON5 spaces': (length) => `{name:'a'${fill('\u00a0', length / 2)}}`,
  'a JSON5 key': (length) => `{${fill('k', length)}:1}`,
  'a JSON5 key of escapes': (length) => `{${fill('\\u0041', length)}:1}`,
  'a JSON5 number': (length) => `{sip:${fill('9', length)}}`,
  'a hexadecimal JSON5 number': (length) => `{sip:0x${fill('f', length)}}`,
  'an unclosed JSON5 text': (length) => `{name:'${fill('a', length)}`,
  'an unclosed JSON5 comment': (length) => `{name:'a'/*${fill('*', length)}`,
  'slashes that begin no JSON5 comment': (length) => `{name:'a'${fill('/ ', length)}`,
  'a JSON5 error at the end': (length) => `{name:'a'${fill('\n', length)}!}`,
};

function read(text: string): void {
  const bytes = Buffer.from(text);
  const parsed = parseDocument(bytes);
  if (isFailure(parsed)) return;
  const { localization } = normalizeDocument(parsed.json, LARGEST_ID).document;
  if (localization !== undefined) servableLocales(localization, bytes.length);
}

test.each(Object.entries(DOCUMENTS))('reads %s in time that is linear in its size', (_, make) => {
  const [short, long] = [make(LENGTH), make(4 * LENGTH)];
  expect(long.length).toBeGreaterThan(3.8 * short.length);
  expectLinear((length) => read(length === LENGTH ? short : long), LENGTH);
});
