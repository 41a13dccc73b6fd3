// Defines curated facts about contracts, which come from the operator's overlay.

import type { infer as ZodInfer, z } from 'zod';
import { PRINCIPAL_PATTERN } from '#model/principal.ts';

const MAX_TEXT = 200;
const MAX_ITEMS = 20;

/** The schema of a file of an overlay, and of the same facts in responses. */
export const curatedSchema = (zod: typeof z) => {
  const text = zod.string().trim().min(1).max(MAX_TEXT);
  const link = zod
    .string()
    .max(2_000)
    .regex(/^https:\/\/[^\s"<>]+$/);
  return zod.strictObject({
    source: text.describe('The list or the person behind the facts'),
    verified_by: zod
      .array(text)
      .min(1)
      .max(MAX_ITEMS)
      .optional()
      .describe('People or organisations that checked the contract'),
    links: zod
      .record(zod.string().regex(/^[a-z][a-z0-9_]{0,30}$/), link)
      .refine((links) => Object.keys(links).length <= MAX_ITEMS, `has more than ${MAX_ITEMS} links`)
      .optional()
      .describe('HTTPS URLs by name, such as website'),
    coingecko_id: zod
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,100}$/)
      .optional(),
    deprecated: zod.literal(true).optional(),
    replaced_by: zod.string().regex(PRINCIPAL_PATTERN).optional().describe('Contract id of the replacement'),
  });
};

export type CuratedFacts = ZodInfer<ReturnType<typeof curatedSchema>>;

/** The curated facts, by contract id. */
export type Overlay = ReadonlyMap<string, CuratedFacts>;
