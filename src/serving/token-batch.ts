// Answers a request for several tokens at once. It reads one file for each token, and the list of collections at most
// once: for tokens that are not fungible.
import type { Candidate } from './candidate.ts';
import { hasForm } from './pattern.ts';
import { planResponse, withVersion } from './plan-response.ts';
import type { BatchRule, SiteRules } from './rules.ts';

type Kind = keyof BatchRule['kinds'];

/** The fields of stored answers that a row takes over, whatever they are. */
type TokenResponse = Readonly<Record<string, unknown>> & { readonly metadata?: Readonly<Record<string, unknown>> };

/** Undefined for what is not there. */
type ReadText = (file: string) => Promise<string | undefined>;

/** Undefined for another path. The file of the candidate is the list of collections. */
export function planBatch(
  pathname: string,
  query: URLSearchParams,
  { batch, unversioned, headers }: SiteRules,
): Candidate[] | undefined {
  if (withVersion(pathname.slice(1).replace(/\/$/, ''), unversioned) !== batch.path) return undefined;
  const identifiers = query.getAll('contract').filter((text) => text !== '');
  const isValid = identifiers.every((text) => hasForm(text, batch.identifier));
  if (!isValid || identifiers.length === 0 || identifiers.length > batch.most) return [batch.badRequest];
  return [{ status: 200, file: batch.collectionsFile, headers: headers.answer, identifiers }];
}

export interface Batch {
  readonly identifiers: readonly string[];
  readonly query: URLSearchParams;
  readonly listFile: string;
}

/** Returns the rows of tokens that have an answer, in the order of the request; undefined if the site has no list. */
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

/** The number of a fungible token, and the default number of other tokens. */
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
      const answer = status === 200 ? await readText(file) : undefined;
      if (answer === undefined) continue;
      // The answer of a token without this locale leaves out what its document says.
      const isShown = (query.get('locale') ?? '') === '' || !path.endsWith(file);
      return rowOf([principal, number, kind], { tx_id, ...(JSON.parse(answer) as TokenResponse) }, isShown);
    }
    return undefined;
  };
  const fungible = number === FIRST ? await readRow('ft') : undefined;
  if (fungible !== undefined) return fungible;
  const collection = findCollection(principal, (await readList()) ?? '');
  return collection && (await readRow(...collection));
}

/** Parses only the row of the collection: the list of all of them has 700 KB on mainnet. */
function findCollection(principal: string, collections: string): readonly [kind: Kind, txId: string] | undefined {
  const at = collections.indexOf(`,"${principal}",`);
  if (at === -1) return undefined;
  const row = collections.slice(collections.lastIndexOf('[', at), collections.indexOf(']', at) + 1);
  const [kind, , txId] = JSON.parse(row) as [Kind, string, string];
  return [kind, txId];
}

function rowOf([principal, number, kind]: [string, string, Kind], answer: TokenResponse, isShown: boolean): object {
  const { metadata, token_uri, decimals, total_supply, tx_id } = answer;
  const shown = isShown ? metadata : undefined;
  return {
    contract_id: principal,
    token_number: Number.isSafeInteger(Number(number)) ? Number(number) : number,
    token_type: kind,
    name: kind === 'ft' ? answer.name : metadata?.name,
    symbol: answer.symbol,
    decimals,
    total_supply,
    token_uri,
    description: shown?.description,
    image_uri: shown?.cached_image,
    image_thumbnail_uri: shown?.cached_thumbnail_image,
    image_canonical_uri: shown?.image,
    tx_id,
    sender_address: principal.split('.')[0],
  };
}
