// Responds to a request for several tokens. Reads the file of each token. For tokens that are not fungible, also reads
// the list of collections once.
import type { Candidate } from './candidate.ts';
import { fitRow } from './fit-row.ts';
import { hasForm } from './pattern.ts';
import { planResponse, withVersion } from './plan-response.ts';
import type { BatchRule, SiteRules } from './rules.ts';

type Kind = keyof BatchRule['kinds'];

/** The stored response for one token. Most fields are copied unchanged into a row of the batch. */
type TokenResponse = Readonly<Record<string, unknown>> & { readonly metadata?: Readonly<Record<string, unknown>> };

/** Reads a file; undefined if it is missing. */
type ReadText = (file: string) => Promise<string | undefined>;

/** Returns the candidates for a request for several tokens. Undefined if the path is another one. */
export function planBatch(
  pathname: string,
  query: URLSearchParams,
  { batch, unversioned, headers }: SiteRules,
): Candidate[] | undefined {
  if (withVersion(pathname.slice(1).replace(/\/$/, ''), unversioned) !== batch.path) return undefined;
  const identifiers = query.getAll('contract').filter((text) => text !== '');
  const isValid = identifiers.every((text) => hasForm(text, batch.identifier));
  if (!isValid || identifiers.length === 0 || identifiers.length > batch.maxTokens) return [batch.badRequest];
  return [{ status: 200, file: batch.collectionsFile, headers: headers.response, identifiers }];
}

export interface Batch {
  readonly identifiers: readonly string[];
  readonly query: URLSearchParams;
  readonly listFile: string;
}

/**
 * Returns rows for the tokens that are available, in the order of the request. Undefined if the list of collections is
 * missing.
 */
export async function readBatch(
  { identifiers, query, listFile }: Batch,
  rules: SiteRules,
  readText: ReadText,
): Promise<object[] | undefined> {
  let list: Promise<string | undefined> | undefined;
  const readList = () => {
    list ??= readText(listFile);
    return list;
  };
  const tokens = identifiers.map((text) => findToken(text, query, rules, { readText, readList }));
  const rows = await Promise.all(tokens);
  return (await list) === undefined && list !== undefined ? undefined : rows.filter((row) => row !== undefined);
}

/** The number of a fungible token. Also the default number of any other token. */
const FIRST = '1';

interface Readers {
  readonly readText: ReadText;
  readonly readList: () => Promise<string | undefined>;
}

async function findToken(
  text: string,
  query: URLSearchParams,
  rules: SiteRules,
  { readText, readList }: Readers,
): Promise<object | undefined> {
  const [principal = '', number = FIRST] = text.split(':');
  const readRow = async (kind: Kind, tx_id?: string) => {
    const path = `/${rules.batch.kinds[kind].replace('{principal}', principal).replace('{token_id}', number)}`;
    for (const { status, file } of planResponse(path, query, rules)) {
      const response = status === 200 ? await readText(file) : undefined;
      if (response === undefined) continue;
      // If the token lacks the requested locale, its plain file was read. Only the name of the document in this
      // file is shown.
      const isShown = (query.get('locale') ?? '') === '' || !path.endsWith(file);
      return rowOf([principal, number, kind], { tx_id, ...(JSON.parse(response) as TokenResponse) }, isShown);
    }
    return undefined;
  };
  const fungible = number === FIRST ? await readRow('ft') : undefined;
  if (fungible !== undefined) return fungible;
  const collection = findCollection(principal, (await readList()) ?? '');
  return collection && (await readRow(...collection));
}

/** Finds the row of a collection. Parses only this row, since the list of collections has 700 KB on mainnet. */
function findCollection(principal: string, collections: string): readonly [kind: Kind, txId: string] | undefined {
  const at = collections.indexOf(`,"${principal}",`);
  if (at === -1) return undefined;
  const row = collections.slice(collections.lastIndexOf('[', at), collections.indexOf(']', at) + 1);
  const [kind, , txId] = JSON.parse(row) as [Kind, string, string];
  return [kind, txId];
}

function rowOf([principal, number, kind]: [string, string, Kind], response: TokenResponse, isShown: boolean): object {
  const { metadata, token_uri, decimals, total_supply, tx_id } = response;
  const shown = isShown ? metadata : undefined;
  return fitRow({
    contract_id: principal,
    token_number: Number.isSafeInteger(Number(number)) ? Number(number) : number,
    token_type: kind,
    name: kind === 'ft' ? response.name : metadata?.name,
    symbol: response.symbol,
    decimals,
    total_supply,
    token_uri,
    description: shown?.description,
    image_uri: shown?.cached_image,
    image_thumbnail_uri: shown?.cached_thumbnail_image,
    image_canonical_uri: shown?.image,
    tx_id,
    sender_address: principal.split('.')[0],
  });
}
