// Answers a request for several tokens at once, from the answers of each of them.
import type { Candidate } from './candidate.ts';
import { hasForm, planAnswer, withVersion } from './plan-answer.ts';
import type { BatchRule, SiteRules } from './rules.ts';

type Kind = keyof BatchRule['kinds'];

/** The fields of stored answers that a row takes over, whatever they are. */
type TokenAnswer = Readonly<Record<string, unknown>> & { readonly metadata?: Readonly<Record<string, unknown>> };

/** Undefined for what is not there. */
type ReadJson = (file: string) => Promise<unknown>;

/** Undefined for another path. The answer is in no file; the one that says what a bad request is, every build has. */
export function planBatch(
  pathname: string,
  query: URLSearchParams,
  { batch, unversioned, headers }: SiteRules,
): Candidate[] | undefined {
  if (withVersion(pathname.slice(1).replace(/\/$/, ''), unversioned) !== batch.path) return undefined;
  const identifiers = query.getAll('contract').filter((text) => text !== '');
  const isValid = identifiers.every((text) => hasForm(text, batch.identifier));
  if (!isValid || identifiers.length === 0 || identifiers.length > batch.most) return [batch.badRequest];
  return [{ status: 200, file: batch.badRequest.file, headers: headers.answer, identifiers }];
}

/** The rows of the tokens that are there, in the order in which they are asked for. */
export async function readBatch(
  identifiers: readonly string[],
  query: URLSearchParams,
  rules: SiteRules,
  readJson: ReadJson,
): Promise<object[]> {
  const rows = await Promise.all(identifiers.map((text) => findToken(text, query, rules, readJson)));
  return rows.filter((row) => row !== undefined);
}

/** The number of a fungible token, and what is meant where none is named. */
const FIRST = '1';

async function findToken(
  text: string,
  query: URLSearchParams,
  rules: SiteRules,
  readJson: ReadJson,
): Promise<object | undefined> {
  const { kinds, statusFile } = rules.batch;
  const [principal = '', number = FIRST] = text.split(':');
  for (const kind of Object.keys(kinds) as Kind[]) {
    if (kind === 'ft' && number !== FIRST) continue;
    const path = `/${kinds[kind].replace('{principal}', principal).replace('{token_id}', number)}`;
    for (const { status, file } of planAnswer(path, query, rules)) {
      const answer = status === 200 ? ((await readJson(file)) as TokenAnswer | undefined) : undefined;
      if (answer === undefined) continue;
      // The answer of a token without this locale leaves out what its document says.
      const isShown = (query.get('locale') ?? '') === '' || !path.endsWith(file);
      const deploy = kind === 'ft' ? answer : await readJson(statusFile.replace('{principal}', principal));
      const { tx_id } = (deploy ?? {}) as TokenAnswer;
      return rowOf([principal, number, kind], { ...answer, tx_id }, isShown);
    }
  }
  return undefined;
}

function rowOf([principal, number, kind]: [string, string, Kind], answer: TokenAnswer, isShown: boolean): object {
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
