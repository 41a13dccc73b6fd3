// Overlays a localized document on the default one (SIP-016, "Localization").
import type { MetadataDocument } from '#model/metadata.ts';

/** Texts and attributes fall back to the default's, properties merge; `sip` and `localization` stay. */
export function overlayLocale(base: MetadataDocument, localized: MetadataDocument): MetadataDocument {
  const { sip, localization, attributes = [], properties, ...texts } = localized;
  return {
    ...base,
    ...texts,
    ...(attributes.length === 0 ? {} : { attributes }),
    ...(properties === undefined ? {} : { properties: { ...base.properties, ...properties } }),
  };
}
