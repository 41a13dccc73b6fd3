// Tests the parsing of metadata documents from servers, and the resulting fields, locales and overlays.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isFailure } from '#model/failure.ts';
import { isLocale } from '#model/locale.ts';
import { fillLocale, fillTokenNumber, hasLocalePlaceholder } from '#sip-016/fill-template.ts';
import { normalizeDocument, servableLocales } from '#sip-016/normalize-document.ts';
import { overlayLocale } from '#sip-016/overlay-locale.ts';
import { parseDocument } from '#sip-016/parse-document.ts';
import { isDeeperThan } from '#text/parse-json.ts';
import { jsonEdit } from './edits.ts';
import { fuzz } from './fuzz.ts';
import { sizeOf } from './size-of.ts';

/** The largest number in Clarity. */
const TOKEN_NUMBER = String(2n ** 128n - 1n);
/**
 * The maximum size of a parsed document per byte of input: replacing `{id}` by {@link TOKEN_NUMBER} makes 39 characters
 * of 4.
 */
const GROWTH = 10;
const MAX_LOCALES = 100;
/** The maximum length of a list or message, excluding quoted input. */
const MAX_SENTENCE_LENGTH = 10_000;
const MAX_DEPTH = 70;

const text = fc.constantFrom('Token', '', 'ipfs://a/{id}.png', 'data:,{}', 'zh_Hans_CN', 'en', '€😀');
const imageKey = fc.constantFrom('image', 'imageUrl', 'image_url', 'image_uri', 'image_canonical_uri');
const members = fc.record({
  sip: fc.constantFrom<unknown>(16, 9, '16', 1.5),
  name: text,
  description: text,
  attributes: fc.array(
    fc.record(
      { trait_type: text, value: fc.constantFrom(0, false, '', 'x', 1e21, null), display_type: text },
      { requiredKeys: ['trait_type', 'value'] },
    ),
    { maxLength: 4 },
  ),
  properties: fc.jsonValue({ maxDepth: 3 }),
  localization: fc.record({
    uri: fc.constantFrom('ipfs://a/{locale}.json', 'data:,{"name":"{LOCALE}"}', 'none'),
    default: fc.constant('en'),
    locales: fc.array(fc.constantFrom('en', 'fr', 'pt-BR', '../x', ''), { maxLength: 5 }),
  }),
});
/** Documents in JSON, and in JSON5 with a comment. */
const document = fc.tuple(members, imageKey, text, fc.nat(2)).map(([more, key, image, style]) => {
  const json = JSON.stringify({ ...more, [key]: image });
  return Buffer.from(style === 0 ? json.replace(/\}$/, ', /* c */ }') : json);
});

fuzz({
  name: 'metadata-document',
  inputs: 2_000,
  valid: document,
  edit: jsonEdit,
  tokens: ['//', '/*', "'", 'Infinity', '-NaN', '0x1', '+.5', '\\u0000', '\\ud800', '__proto__', '{locale}', '{id}'],
  read: (input) => {
    const parsed = parseDocument(input);
    if (isFailure(parsed)) {
      assert.ok(parsed.message.length <= MAX_SENTENCE_LENGTH);
      return false;
    }
    assert.ok(!isDeeperThan(parsed.json, MAX_DEPTH));
    const text = JSON.stringify(parsed.json);
    assert.ok(!/\\u(0000|d[89a-f])/i.test(text.replaceAll('\\\\', '')), 'databases refuse this text');
    const { document: normal, warnings } = normalizeDocument(parsed.json, TOKEN_NUMBER);
    assert.ok(sizeOf(normal) <= GROWTH * input.length + MAX_SENTENCE_LENGTH);
    assert.ok(sizeOf(warnings) <= GROWTH * input.length + MAX_SENTENCE_LENGTH, 'the warnings are too large');
    JSON.stringify(overlayLocale(normal, normal));
    if (normal.localization !== undefined) {
      const { locales, failures } = servableLocales(normal.localization);
      assert.ok(locales.length <= MAX_LOCALES && failures.size <= MAX_LOCALES + 1);
      assert.ok(locales.every(isLocale));
      for (const locale of locales.slice(0, 3)) {
        const uri = fillTokenNumber(fillLocale(normal.localization.uri, locale), TOKEN_NUMBER);
        assert.equal(hasLocalePlaceholder(uri), false);
      }
    }
    return true;
  },
});
