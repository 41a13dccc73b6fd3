// Overlays a localized document on the default one (SIP-016, "Localization").
import type { MetadataDocument } from '#model/metadata.ts';

/**
 * Merges two documents into a new one. Texts fall back to the default's; attributes, if present, replace the default's
 * entirely; properties merge by key. `sip` and `localization` are always the default document's.
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
