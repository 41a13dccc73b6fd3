// Converts a parsed document into the fields of SIP-016 for one token. Fills in the token id, and drops invalid parts
// with a warning. Warns about numbers that JSON readers round.
import { type Failure, fail } from '#model/failure.ts';
import { isLocale } from '#model/locale.ts';
import type { Attribute, JsonValue, Localization, MetadataDocument } from '#model/metadata.ts';
import { NO_NUMBER } from '#model/token.ts';
import { fillTokenNumber, fillValues } from './fill-template.ts';
import type { JsonObject } from './parse-document.ts';

export interface NormalizedDocument {
  readonly document: MetadataDocument;
  readonly warnings: readonly string[];
}

/**
 * The fields that may contain the image; the first that is present is used. SIP-016 defines `image`, and real documents
 * have the other ones.
 */
const IMAGE_FIELDS = ['image', 'imageUrl', 'image_url', 'image_uri', 'image_canonical_uri'] as const;
/** The maximum number of locales of a token, since each takes a request and a file. Known tokens have fewer. */
const MAX_LOCALES = 100;
/**
 * The maximum number of bytes that the locales of a token add. It limits two sums: of the copies of the default
 * document in localized responses, and of the localized documents.
 */
const MAX_LOCALIZED_BYTES = 500_000;
/** The maximum number of warnings about a document; this many suffice to find its faults. */
const MAX_WARNINGS = 50;

/** Converts a document. `tokenNumber` is the token id, or {@link NO_NUMBER} for a fungible token. */
export function normalizeDocument(json: JsonObject, tokenNumber: string): NormalizedDocument {
  const warnings: string[] = [];
  const warn = (warning: string) => {
    if (warnings.length < MAX_WARNINGS) warnings.push(warning);
  };
  const drop = (part: string) => {
    warn(`${part} was dropped`);
    return undefined;
  };

  const read = <Value extends JsonValue>(key: string, is: (value: JsonValue) => value is Value, what: string) => {
    const value = json[key];
    return value === undefined || is(value) ? value : drop(`${key}, which is not ${what},`);
  };
  const readText = (key: string) => read(key, isText, 'a text');
  const readImage = (): string | undefined => {
    for (const field of IMAGE_FIELDS) {
      const value = readText(field)?.trim();
      if (value) return fillTokenNumber(value, tokenNumber);
    }
    const data = [properties?.image_data, json.image_data].find((value) => typeof value === 'string' && value !== '');
    return typeof data === 'string'
      ? toImageUri(tokenNumber === NO_NUMBER ? data : fillValues(data, tokenNumber))
      : undefined;
  };

  // The warnings have the order of these lines.
  const attributes = readAttributes(json.attributes, drop);
  const properties = read('properties', isObject, 'an object');
  const localization = readLocalization(json.localization, drop);
  const sip = read('sip', isWholeNumber, 'a whole number');
  const texts = { name: readText('name'), description: readText('description'), image: readImage() };
  const document = withoutAbsent({ sip, ...texts, attributes, properties, localization });
  for (const number of numbersIn(document))
    if (Math.abs(number) > Number.MAX_SAFE_INTEGER) warn(`the number ${number} may have lost digits`);
  return { document: tokenNumber === NO_NUMBER ? document : fillDocument(document, tokenNumber), warnings };
}

/**
 * Fills in the token id (SIP-016, "JSON scheme of Metadata"), except in host names of URIs that are fetched. `image` is
 * already filled in.
 */
function fillDocument({ image, localization, ...fields }: MetadataDocument, tokenNumber: string): MetadataDocument {
  return withoutAbsent({
    ...fillValues(fields, tokenNumber),
    image,
    localization: localization && {
      ...fillValues(localization, tokenNumber),
      uri: fillTokenNumber(localization.uri, tokenNumber),
    },
  });
}

/**
 * Returns `image_data` as a URI. It is the text of an SVG (SIP-016, "Graphical representation"); in some real
 * documents, it is already a URI.
 */
function toImageUri(imageData: string): string {
  const data = imageData.trim();
  return data.startsWith('<') ? `data:image/svg+xml;base64,${Buffer.from(data).toString('base64')}` : data;
}

/**
 * Returns the locales to serve, starting with the default locale. Also returns failures for locales that are invalid,
 * repeated, or beyond the limit. `documentBytes` is the size of the stored document.
 */
export function servableLocales({ default: defaultLocale, locales: declared }: Localization, documentBytes = 0) {
  const maxLocales = Math.min(MAX_LOCALES, Math.floor(MAX_LOCALIZED_BYTES / Math.max(documentBytes, 1)));
  const tooMany = `The document declares more than ${maxLocales} locales, the maximum for a document of its size.`;
  const locales: string[] = [];
  const failures = new Map<string, Failure>();
  const folded = new Set<string>();
  for (const locale of new Set(defaultLocale === undefined ? declared : [defaultLocale, ...declared])) {
    const failure = !isLocale(locale)
      ? fail('locale-invalid', `The document declares the locale ${quote(locale)}, which is not a valid locale code.`)
      : folded.has(locale.toLowerCase())
        ? fail('locale-repeated', `The document declares ${quote(locale)} and a locale that differs only in case.`)
        : undefined;
    if (failure !== undefined) {
      if (failures.size < MAX_LOCALES) failures.set(quote(locale), failure);
      continue;
    }
    folded.add(locale.toLowerCase());
    if (locales.length < maxLocales) locales.push(locale);
    else failures.set(quote(locale), fail('too-many-locales', tooMany));
    if (folded.size > MAX_LOCALES) break;
  }
  return { locales, failures };
}

/** Returns the maximum size of a localized document and its URI, in bytes, for a token with `count` locales. */
export function bytesPerLocale(count: number): number {
  return Math.floor(MAX_LOCALIZED_BYTES / Math.max(count, 1));
}

function quote(locale: string): string {
  return JSON.stringify(locale.slice(0, 60));
}

function readAttributes(value: JsonValue | undefined, drop: (what: string) => undefined): Attribute[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) return drop('attributes, which is not a list,');
  return value.flatMap((item, index): Attribute[] => {
    const at = `attributes[${index}]`;
    if (!isObject(item) || typeof item.trait_type !== 'string') {
      drop(`${at}, which has no trait_type,`);
      return [];
    }
    if (typeof item.value !== 'string' && typeof item.value !== 'number' && typeof item.value !== 'boolean') {
      drop(`${at}, whose value is not a text, number or boolean,`);
      return [];
    }
    if (item.display_type !== undefined && typeof item.display_type !== 'string') drop(`${at}.display_type`);
    const display = typeof item.display_type === 'string' ? { display_type: item.display_type } : {};
    return [{ trait_type: item.trait_type, ...display, value: item.value }];
  });
}

function readLocalization(value: JsonValue | undefined, drop: (what: string) => undefined): Localization | undefined {
  if (value === undefined) return undefined;
  if (!isObject(value) || typeof value.uri !== 'string' || !Array.isArray(value.locales)) {
    return drop('localization, which lacks uri or locales,');
  }
  const locales = value.locales.filter((locale) => typeof locale === 'string');
  if (locales.length < value.locales.length) drop('a locale that is not a text');
  if (value.default !== undefined && typeof value.default !== 'string')
    drop('localization.default, which is not a text,');
  const byDefault = typeof value.default === 'string' ? { default: value.default } : {};
  return { uri: value.uri, ...byDefault, locales };
}

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isText = (value: JsonValue) => typeof value === 'string';

function isWholeNumber(value: JsonValue): value is number {
  return Number.isSafeInteger(value);
}

function withoutAbsent(document: { [K in keyof MetadataDocument]: MetadataDocument[K] | undefined }): MetadataDocument {
  return Object.fromEntries(Object.entries(document).filter(([, value]) => value !== undefined)) as MetadataDocument;
}
