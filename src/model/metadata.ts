// Metadata documents of SIP-016, in the form in which they are stored and served.

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** A SIP-016 attribute. 0, false and "" are valid values. */
export interface Attribute {
  readonly trait_type: string;
  readonly display_type?: string;
  readonly value: string | number | boolean;
}

export interface Localization {
  readonly uri: string;
  readonly default?: string;
  readonly locales: readonly string[];
}

/** A metadata document in normal form. Missing fields are undefined, never null or a placeholder. */
export interface MetadataDocument {
  readonly sip?: number;
  readonly name?: string;
  readonly description?: string;
  /** The image URI of the document, with the token id filled in. */
  readonly image?: string;
  readonly attributes?: readonly Attribute[];
  readonly properties?: { readonly [key: string]: JsonValue };
  readonly localization?: Localization;
}

export interface DocumentKey {
  readonly tokenId: number;
  readonly locale: string;
}
