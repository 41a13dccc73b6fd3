// Combines a localized document with the default document (SIP-016, "Localization").
import type { MetadataDocument } from '#model/metadata.ts';

/**
 * Returns the localized document, completed with the default one: its missing texts and attributes, and its properties.
 * `sip` and `localization` always come from the default document.
 */
export function overlayLocale(base: MetadataDocument, localized: MetadataDocument): MetadataDocument {
  const { sip, localization, attributes = [], properties, ...texts } = localized;
  return {
    ...base,
    ...texts,
    ...(attributes.length === 0 ? {} : { attributes }),
    ...(properties === undefined ? {} : { properties: { ...base.properties, ...properties } }),
  };
}
