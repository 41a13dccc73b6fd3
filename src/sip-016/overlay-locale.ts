// Overlays a localized document on the default one (SIP-016, "Localization").
import type { MetadataDocument } from '#model/metadata.ts';

/**
 * Returns the localized document. Uses the default for missing texts and attributes, merges properties, and keeps the
 * default's `sip` and `localization`.
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
