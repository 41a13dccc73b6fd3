// Defines curated facts about contracts, which come from the operator's overlay.

import type { infer as ZodInfer, z } from 'zod';
import { PRINCIPAL_PATTERN } from '#model/principal.ts';

const MAX_TEXT = 200;
const MAX_ITEMS = 20;

/** Descriptions of allowed values, with examples, for errors. */
const ALLOWED = {
  facts:
    'an object with source, and with verified_by, links, coingecko_id, deprecated or replaced_by, such as ' +
    '{"source": "Example list", "verified_by": ["Example Foundation"]}',
  text: `a text of 1 to ${MAX_TEXT} characters, such as "Example Foundation"`,
  texts: `a list of 1 to ${MAX_ITEMS} texts, such as ["Example Foundation"]`,
  link: 'an HTTPS URL of at most 2,000 characters, such as "https://example.com/docs"',
  links:
    `at most ${MAX_ITEMS} URLs by name, such as {"website": "https://example.com"}. A name has lower-case letters, ` +
    'digits and underscores, begins with a letter, and has at most 31 characters',
  coin: 'the id in the URL of the coin at CoinGecko, such as "sbtc"',
  true: 'true, or omit this member',
  contract: 'a contract id, such as "SP000000000000000000002Q6VF78.pox"',
};

/** The schema of a file of an overlay, and of the same facts in responses. */
export const curatedSchema = (zod: typeof z) => {
  const text = zod.string(ALLOWED.text).trim().min(1).max(MAX_TEXT);
  const link = zod
    .string(ALLOWED.link)
    .max(2_000)
    .regex(/^https:\/\/[^\s"<>]+$/);
  return zod.strictObject(
    {
      source: text.describe('The list or the person that the facts come from'),
      verified_by: zod
        .array(text, ALLOWED.texts)
        .min(1)
        .max(MAX_ITEMS)
        .optional()
        .describe('People or organisations that checked the contract'),
      links: zod
        .record(zod.string().regex(/^[a-z][a-z0-9_]{0,30}$/), link, ALLOWED.links)
        .refine((links) => Object.keys(links).length <= MAX_ITEMS, ALLOWED.links)
        .optional()
        .describe('HTTPS URLs by name, such as website'),
      coingecko_id: zod
        .string(ALLOWED.coin)
        .regex(/^[a-z0-9][a-z0-9-]{0,100}$/)
        .optional(),
      deprecated: zod.literal(true, ALLOWED.true).optional(),
      replaced_by: zod
        .string(ALLOWED.contract)
        .regex(PRINCIPAL_PATTERN)
        .optional()
        .describe('Contract id of the replacement'),
    },
    ALLOWED.facts,
  );
};

export type CuratedFacts = ZodInfer<ReturnType<typeof curatedSchema>>;

/** The curated facts, by contract id. */
export type Overlay = ReadonlyMap<string, CuratedFacts>;
