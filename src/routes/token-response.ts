// Makes the response for a fungible token from the stored values and documents.

import { IMAGE_FOLDER, imageFile, thumbnailFile } from '#layout/image-files.ts';
import type { MetadataDocument } from '#model/metadata.ts';
import { fillTokenNumber } from '#sip-016/fill-template.ts';
import type { DocumentSummary } from '#store/tokens/documents.ts';
import type { NamedImage } from '#store/tokens/images.ts';
import type { Token } from '#store/tokens/tokens.ts';
import type { Described, Zod } from './route.ts';
import type { RenderOptions } from './subject.ts';
import { assetOf, type TokenFacts, type TokenValues } from './tokens.ts';

export const metadataSchema = (z: Zod) =>
  z.strictObject({
    sip: z.int(),
    name: z.string().optional(),
    description: z.string().optional(),
    image: z.string().optional().describe('The original image URI'),
    cached_image: z.string().optional().describe('Copy of the image on this site'),
    cached_thumbnail_image: z.string().optional().describe('Thumbnail of the image on this site'),
    attributes: z
      .array(
        z.strictObject({
          trait_type: z.string(),
          display_type: z.string().optional(),
          value: z.union([z.string(), z.number(), z.boolean()]),
        }),
      )
      .optional(),
    // Properties may be any JSON. A more exact schema would be recursive, and clients generated from it would not
    // compile.
    properties: z.record(z.string(), z.unknown()).optional(),
    localization: z
      .strictObject({ uri: z.string(), default: z.string().optional(), locales: z.array(z.string()) })
      .optional(),
  });

export const tokenResponseSchema = (z: Zod) =>
  z.strictObject({
    name: z.string().optional(),
    symbol: z.string().optional(),
    decimals: z.int().nonnegative().optional(),
    total_supply: z.string().regex(/^\d+$/).optional().describe('In the smallest unit'),
    token_uri: z.string().optional(),
    description: z.string().optional(),
    image_uri: z.string().optional(),
    image_thumbnail_uri: z.string().optional(),
    image_canonical_uri: z.string().optional(),
    tx_id: z.string().regex(/^0x[0-9a-f]{64}$/),
    sender_address: z.string(),
    asset_identifier: z.string(),
    metadata: metadataSchema(z).optional(),
  });

export type TokenResponse = Described<typeof tokenResponseSchema>;

export interface ShownDocument {
  readonly document: MetadataDocument;
  readonly image: NamedImage | undefined;
}

const DEFAULT_SIP = 16;

/**
 * Makes the response, with its keys in the order of the public API. `shown` is the default document or a localized one.
 */
export function composeTokenResponse(
  facts: TokenFacts,
  shown: ShownDocument | undefined,
  options: RenderOptions,
): TokenResponse {
  const { document, image } = shown ?? {};
  const summary = { description: document?.description, imageUri: document?.image, image };
  return { ...composeTokenSummary(facts, summary, options), metadata: composeShown(shown, options) };
}

/** Makes the part of the response that is also in lists. */
export function composeTokenSummary(
  facts: TokenValues,
  document: Omit<DocumentSummary, 'name'> | undefined,
  options: RenderOptions,
): Omit<TokenResponse, 'metadata'> {
  const { contract, token, code } = facts;
  const { image, thumbnail } = imageUris(document?.image, options);
  const { name, symbol, decimals } = token.values;
  return {
    name,
    symbol,
    decimals,
    total_supply: shownSupply(facts),
    token_uri: shownUri(token),
    description: document?.description,
    image_uri: image,
    image_thumbnail_uri: thumbnail,
    image_canonical_uri: document?.imageUri,
    tx_id: contract.txId,
    sender_address: contract.senderAddress,
    asset_identifier: `${contract.contractId}::${assetOf(code)}`,
  };
}

/**
 * Returns the supply that a node or a token list reported. Without it, returns the sum of an archive's events, which
 * may be older.
 */
export function shownSupply({ token, supply }: TokenValues): string | undefined {
  return token.values.totalSupply ?? supply?.toString();
}

export function shownUri({ tokenNumber, values: { tokenUri } }: Token): string | undefined {
  return tokenUri === undefined ? undefined : fillTokenNumber(tokenUri, tokenNumber);
}

export function composeShown(shown: ShownDocument | undefined, options: RenderOptions): TokenResponse['metadata'] {
  if (shown === undefined) return undefined;
  const { sip, name, description, image, attributes, properties, localization } = shown.document;
  const copies = imageUris(shown.image, options);
  return {
    sip: sip ?? DEFAULT_SIP,
    name,
    description,
    image,
    cached_image: copies.image,
    cached_thumbnail_image: copies.thumbnail,
    attributes: attributes?.map((attribute) => ({ ...attribute })),
    properties: properties && { ...properties },
    localization: localization && { ...localization, locales: [...localization.locales] },
  };
}

export function imageUris(
  named: NamedImage | undefined,
  { publicUrl }: RenderOptions,
): { image?: string; thumbnail?: string } {
  const copy = named?.copy;
  if (copy === undefined) return {};
  return {
    image: `${publicUrl}/${IMAGE_FOLDER}/${imageFile(copy.sha256, copy.extension)}`,
    thumbnail: `${publicUrl}/${IMAGE_FOLDER}/${thumbnailFile(copy.sha256)}`,
  };
}
