// Tests that handling text from third parties in headers, URIs and bodies takes time linear in the text's length.
import { expect, test } from 'vitest';
import { addressLiteralOf, isLocalName, isPublicAddress } from '#net/address-guard.ts';
import { decodeBody } from '#net/decode-body.ts';
import { explainNetworkError } from '#net/network-error.ts';
import { parseRetryAfter } from '#net/send-request.ts';
import { escapeControls } from '#text/escape-controls.ts';
import { isHtmlPage } from '#text/html-page.ts';
import { measureJson } from '#text/json-cost.ts';
import { parseJson } from '#text/parse-json.ts';
import { excerpt, quote, shorten } from '#text/quote.ts';
import { findContent } from '#uri/find-content.ts';
import { readDataUri } from '#uri/read-data-uri.ts';
import { resolveUri } from '#uri/resolve-uri.ts';

const REPEATS = 100_000;
const MAX_MICROSECONDS = 1_000_000;
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  decodeBody: (text) => decodeBody(Buffer.from('x'), text, 10).catch(() => undefined),
  parseRetryAfter: (text) => parseRetryAfter(text, 0),
  explainNetworkError: (text) =>
    explainNetworkError(Object.assign(new Error(text), { name: 'HTTPParserError' }), 'h', true),
  addressLiteralOf,
  isLocalName,
  isPublicAddress,
  escapeControls,
  isHtmlPage,
  measureJson,
  parseJson,
  quote,
  excerpt: (text) => excerpt(text, 200),
  shorten: (text) => shorten(text, 200),
  findContent,
  resolveUri,
  readDataUri: (text) => readDataUri(`data:${text},${text}`),
  'readDataUri, base64': (text) => readDataUri(`data:;base64,${text}`),
};
const PARTS = [
  ...['gzip,', 'gzip', ',', ' ', '\t', '\n', '1', 'Mon, ', '(', ')', '()', '.', 'local.', ':', '0.', '::', '[', ']'],
  ...[
    '<',
    '<!--',
    '-->',
    '<?',
    '?>',
    '<!doctype',
    '{',
    '"',
    "'",
    '\\',
    '/*',
    '*/',
    '//',
    '[],',
    '\0',
    '\u2028',
    '%',
    '%4',
    '%41',
  ],
  ...['=', 'A', 'a=', ';', ';base64', '-', '_', '#', '?', 'ipfs:', 'https:', '\ud800'],
];

test.each(Object.entries(READERS))('%s takes linear time', async (_, read) => {
  for (const part of PARTS)
    for (const [head, tail] of [
      ['', ''],
      ['{"', 'x'],
      ['Mon', '='],
      ['', '<'],
    ] as const) {
      const text = head + part.repeat(REPEATS) + tail;
      const start = process.cpuUsage();
      await read(text);
      const { user, system } = process.cpuUsage(start);
      expect(user + system, JSON.stringify(part)).toBeLessThan(MAX_MICROSECONDS);
    }
});
