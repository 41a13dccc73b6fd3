// Overlays a localized document on the default one (SIP-016, "Localization").
import type { MetadataDocument } from '#model/metadata.ts';

/**
 * Merges two documents into a new one. Texts fall back to the default's; attributes, if present, replace the default's
 * entirely; properties merge by key. `sip` and `localization` are always the default document's.
 */
export function overlayLocale(base: MetadataDocument, localized: MetadataDocument): MetadataDocument {
  const { name, description, image, attributes, properties } = localized;
  return {
    ...base,
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(image === undefined ? {} : { image }),
    ...(attributes === undefined || attributes.length === 0 ? {} : { attributes }),
    ...(properties === undefined ? {} : { properties: { ...base.properties, ...properties } }),
  };
}
