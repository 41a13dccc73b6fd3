// Overlays a localized document on the default one (SIP-016, "Localization").
import type { MetadataDocument } from '#model/metadata.ts';

/**
 * Texts fall back to the default's; attributes, where there are any, replace the default's entirely; properties overlay
 * key by key. Both inputs stay as they are. `sip` and `localization` are the default document's.
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
