// Route metadata/v1/status/<principal>: where each value of a token is from, and why one is missing.
import type { FailureCode } from '#model/failure.ts';
import { isLocale } from '#model/locale.ts';
import { PRINCIPAL_PATTERN } from '#model/principal.ts';
import type { Reading, TokenGetter } from '#model/token.ts';
import { DEFAULT_LOCALE, type StoredDocument } from '#store/documents.ts';
import { type Described, fillPath, type Page, type Route, type Zod } from './route.ts';
import { type TokenFacts, tokens } from './tokens.ts';

const failureSchema = (z: Zod) => z.strictObject({ code: z.string(), message: z.string() });

const valueSchema = (z: Zod) =>
  z.strictObject({
    read_from: z
      .enum(['node', 'token-list', 'clarity-vm', 'events'])
      .optional()
      .describe(
        "node: the getter, called at the tip; token-list: an API's list of tokens; clarity-vm: the deployed source, as it is right after the deploy; events: mints less burns up to the tip",
      ),
    height: z.int().optional().describe('Block height of the tip at which a node was asked'),
    whole_contract: z
      .boolean()
      .optional()
      .describe('false where the VM ran the contract only in part, since the rest needs state that is not there'),
    none: z.literal(true).optional().describe('Where the contract itself answers that it has none'),
    failure: failureSchema(z).optional(),
    will_be_read_again: z.literal(true).optional().describe('Where a node is still to be asked'),
  });

const documentSchema = (z: Zod) =>
  z.strictObject({
    state: z.enum(['read', 'failed', 'pending']),
    failure: failureSchema(z).optional(),
    will_be_tried_again: z.boolean(),
    warnings: z.array(z.string()).optional().describe('What was dropped while it was read'),
    image: z
      .strictObject({ copied: z.boolean(), failure: failureSchema(z).optional() })
      .optional()
      .describe('Our copy of the image that the document names'),
  });

const schema = (z: Zod) =>
  z.strictObject({
    state: z.enum(['queued', 'complete', 'partial', 'error']),
    failure: failureSchema(z).optional(),
    values: z.strictObject({
      name: valueSchema(z),
      symbol: valueSchema(z),
      decimals: valueSchema(z),
      total_supply: valueSchema(z),
      token_uri: valueSchema(z),
    }),
    document: documentSchema(z).optional(),
    locales: z.record(z.string(), documentSchema(z)).optional(),
  });

type Status = Described<typeof schema>;
type DocumentStatus = Described<typeof documentSchema>;

export const tokenStatus: Route<TokenFacts> = {
  id: 'token-status',
  path: 'metadata/v1/status/{principal}',
  summary: 'Where each value of a token is from, and why one is missing',
  parameters: [{ name: 'principal', pattern: PRINCIPAL_PATTERN }],
  variants: [],
  ownErrors: [],
  schema,
  notFound: { status: 404, body: { error: 'Token not found' } },
  badRequest: {
    status: 400,
    body: { error: 'Bad Request', message: 'principal must be <contract address>.<contract name>' },
  },
  aboutTokens: true,
  subject: tokens,
  render,
};

function render(facts: TokenFacts): Page[] {
  const { token } = facts;
  const [documents, locales] = documentStatuses(facts);
  const status: Status = {
    state: token.state,
    ...(token.failure === undefined ? {} : { failure: token.failure }),
    values: {
      name: valueStatus(facts, 'get-name'),
      symbol: valueStatus(facts, 'get-symbol'),
      decimals: valueStatus(facts, 'get-decimals'),
      total_supply: supplyStatus(facts),
      token_uri: valueStatus(facts, 'get-token-uri'),
    },
    ...(documents === undefined ? {} : { document: documents }),
    ...(Object.keys(locales).length === 0 ? {} : { locales }),
  };
  const path = fillPath(tokenStatus, { principal: facts.contract.contractId });
  return [{ kind: 'answer', path, body: JSON.stringify(status) }];
}

function valueStatus({ token, pending }: TokenFacts, getter: TokenGetter): Status['values']['name'] {
  const reading = token.readings.find((candidate) => candidate.getter === getter);
  const isPending = pending.some((work) => work.kind === 'read-values' && work.getters.includes(getter));
  return {
    ...(reading === undefined ? {} : describeReading(reading)),
    ...(isPending ? { will_be_read_again: true } : {}),
  };
}

function describeReading({ source, height, partial, value, failure }: Reading): Status['values']['name'] {
  if (failure !== undefined) return { failure: { code: failure.code, message: failure.message } };
  return {
    read_from: source === 'vm' ? 'clarity-vm' : source,
    ...(height === undefined ? {} : { height }),
    ...(source === 'vm' ? { whole_contract: partial !== true } : {}),
    ...(value === undefined ? { none: true } : {}),
  };
}

function supplyStatus(facts: TokenFacts): Status['values']['total_supply'] {
  const status = valueStatus(facts, 'get-total-supply');
  if (facts.token.supplyAssets === undefined || status.read_from !== undefined) return status;
  if (facts.supply !== undefined) return { ...status, read_from: 'events' };
  const code: FailureCode = 'supply-out-of-range';
  return {
    ...status,
    failure: { code, message: 'More was burned than minted, or more minted than there can be, in the indexed events.' },
  };
}

/** Of the default document and of each locale, those included that have no document yet. */
function documentStatuses({
  documents,
  pending,
  images,
}: TokenFacts): [DocumentStatus | undefined, Record<string, DocumentStatus>] {
  const fetches = new Set(pending.filter((work) => work.kind === 'fetch-document').map((work) => work.locale));
  const stored = new Map(documents.map((document) => [document.locale, document]));
  const of = (locale: string): DocumentStatus => documentStatus(stored.get(locale), fetches.has(locale), images);
  const isKnown = stored.has(DEFAULT_LOCALE) || fetches.has(DEFAULT_LOCALE);
  const locales = [...new Set([...stored.keys(), ...fetches])].filter((locale) => locale !== DEFAULT_LOCALE).sort();
  return [
    isKnown ? of(DEFAULT_LOCALE) : undefined,
    // A code that cannot be served was kept in quotes.
    Object.fromEntries(
      locales.map((locale) => [isLocale(locale) ? locale : locale.replace(/^"(.*)"$/s, '$1'), of(locale)]),
    ),
  ];
}

function documentStatus(
  document: StoredDocument | undefined,
  isPending: boolean,
  images: TokenFacts['images'],
): DocumentStatus {
  const uri = document?.document?.image;
  const image = uri === undefined ? undefined : images.get(uri);
  const warnings = document?.warnings ?? [];
  return {
    state: document?.document !== undefined ? 'read' : document?.failure !== undefined ? 'failed' : 'pending',
    ...(document?.failure === undefined ? {} : { failure: document.failure }),
    will_be_tried_again: isPending,
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
    ...(uri === undefined
      ? {}
      : {
          image: {
            copied: image?.copy !== undefined,
            ...(image?.failure === undefined ? {} : { failure: image.failure }),
          },
        }),
  };
}
