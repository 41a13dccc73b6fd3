// Route metadata/v1/ft/<principal>: SIP-010 token metadata, localized by ?locale= (service specification 4.1).
import type { MetadataDocument } from '#model/metadata.ts';
import { PRINCIPAL_PATTERN } from '#model/principal.ts';
import { isSupply } from '#model/token.ts';
import { servableLocales } from '#sip-016/normalize-document.ts';
import { overlayLocale } from '#sip-016/overlay-locale.ts';
import { changedContracts, parseInterfaceJson, readCode, type ServedContract } from '#store/contracts.ts';
import { DEFAULT_LOCALE, readDocuments, type StoredDocument } from '#store/documents.ts';
import type { StoreReader } from '#store/index-database.ts';
import { readSupplies } from '#store/supplies.ts';
import { readTokens, type Token } from '#store/tokens.ts';
import { type Entry, type ErrorBody, fillPath, type Page, type Route } from './route.ts';
import { composeTokenAnswer, type TokenFacts, tokenAnswerSchema } from './token-answer.ts';

export const tokenMetadata: Route = {
  id: 'token-metadata',
  path: 'metadata/v1/ft/{principal}',
  summary: 'Fungible token metadata (SIP-010, SIP-016)',
  parameters: [{ name: 'principal', pattern: PRINCIPAL_PATTERN }],
  variants: [
    {
      name: 'locale',
      summary: 'A locale that the metadata document declares; the default one and the empty text answer as without it',
      otherwise: { status: 422, body: { error: 'Locale not found' } },
    },
  ],
  schema: tokenAnswerSchema,
  notFound: { status: 404, body: { error: 'Token not found' } },
  badRequest: {
    status: 400,
    body: { error: 'Bad Request', message: 'principal must be <contract address>.<contract name>' },
  },
  aboutTokens: true,

  async *changed(store, sinceRevision) {
    for await (const contracts of changedContracts(store, sinceRevision)) yield* renderPage(store, contracts);
  },
};

const IN_PROGRESS: ErrorBody = { error: 'Token metadata fetch in progress' };
const STATUS_NOT_READY = 422;

async function* renderPage(store: StoreReader, contracts: readonly ServedContract[]): AsyncGenerator<Entry> {
  const served = contracts.filter(
    (contract) => contract.standard === 'sip-010' && contract.canonical && contract.confirmed,
  );
  const deployIds = served.map((contract) => contract.deployId);
  const tokens = await readTokens(store, deployIds);
  const code = await readCode(store, deployIds);
  const documents = await readDocuments(
    store,
    [...tokens.values()].map((token) => token.tokenId),
  );
  const supplies = await readSupplies(
    store,
    [...tokens.values()].flatMap((token) => token.supplyAssets ?? []),
  );
  for (const contract of contracts) {
    const token = served.includes(contract) ? tokens.get(contract.deployId) : undefined;
    const contractInterface = parseInterfaceJson(code.get(contract.deployId));
    if (token === undefined || contractInterface === undefined) {
      yield { key: contract.contractId, pages: [] };
      continue;
    }
    const supply = token.supplyAssets?.reduce((sum, asset) => sum + (supplies.get(asset) ?? 0n), 0n);
    const facts: TokenFacts = {
      contract,
      contractInterface,
      token,
      supply: supply !== undefined && isSupply(supply) ? supply : undefined,
    };
    yield { key: contract.contractId, pages: pagesOf(facts, documents.get(token.tokenId) ?? []) };
  }
}

function pagesOf(facts: TokenFacts, documents: readonly StoredDocument[]): Page[] {
  const path = fillPath(tokenMetadata, { principal: facts.contract.contractId });
  const error = errorOf(facts.token);
  if (error !== undefined) return [{ kind: 'error', path, status: STATUS_NOT_READY, body: JSON.stringify(error) }];

  const byLocale = new Map(documents.map((document) => [document.locale, document.document]));
  const base = byLocale.get(DEFAULT_LOCALE);
  const answer = JSON.stringify(composeTokenAnswer(facts, base));
  const variants = variantLocales(base).map((locale): Page => {
    const localized = locale === base?.localization?.default ? undefined : byLocale.get(locale);
    // Until its document is known, a locale answers as the default does.
    const body =
      base === undefined || localized === undefined
        ? answer
        : JSON.stringify(composeTokenAnswer(facts, overlayLocale(base, localized)));
    return { kind: 'variant', path, parameter: 'locale', value: locale, body };
  });
  return [{ kind: 'answer', path, body: answer }, ...variants];
}

/** Every declared locale that may be a path segment, the default one too where the list forgets it. */
function variantLocales(document: MetadataDocument | undefined): string[] {
  const localization = document?.localization;
  if (localization === undefined) return [];
  const { locales } = servableLocales({
    ...localization,
    locales:
      localization.default === undefined ? localization.locales : [localization.default, ...localization.locales],
  });
  return locales;
}

function errorOf(token: Token): ErrorBody | undefined {
  if (token.state === 'queued') return IN_PROGRESS;
  return token.state === 'error' ? { error: 'Token error', message: token.failure?.message ?? '' } : undefined;
}
