// Combines a localized document with the default document (SIP-016, "Localization").
import type { MetadataDocument } from '#model/metadata.ts';

/**
 * Returns the localized document. The default document supplies missing texts, attributes and properties. It always
 * supplies `sip` and `localization`.
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
