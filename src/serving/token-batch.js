// Answers a request for several tokens at once, from the answers of each of them.
// @ts-check
import { hasForm, planAnswer, withVersion } from './plan-answer.js';

/** @import { BatchRule, SiteRules } from './rules.ts' */
/** @import { Candidate } from './plan-answer.js' */

/** @typedef {keyof BatchRule['kinds']} Kind */

/**
 * Undefined for another path. The answer is in no file; the one that says what a bad request is, every build has.
 * @param {string} pathname As a URL has it.
 * @param {URLSearchParams} query
 * @param {SiteRules} rules
 * @returns {Candidate[] | undefined}
 */
export function planBatch(pathname, query, { batch, unversioned, headers }) {
  if (withVersion(pathname.slice(1), unversioned) !== batch.path) return undefined;
  const identifiers = query.getAll('contract');
  if (identifiers.length === 0 || identifiers.length > batch.most) return [batch.badRequest];
  return [{ status: 200, file: batch.badRequest.file, headers: headers.answer, identifiers }];
}

/**
 * The rows of the tokens that are there, in the order in which they are asked for.
 * @param {readonly string[]} identifiers
 * @param {URLSearchParams} query
 * @param {SiteRules} rules
 * @param {(file: string) => Promise<any>} readJson Undefined for what is not there.
 * @returns {Promise<object[]>}
 */
export async function readBatch(identifiers, query, rules, readJson) {
  const rows = await Promise.all(identifiers.map((text) => findToken(text, query, rules, readJson)));
  return rows.filter((row) => row !== undefined);
}

/** The number of a fungible token, and what is meant where none is named. */
const FIRST = '1';

/**
 * @param {string} text
 * @param {URLSearchParams} query
 * @param {SiteRules} rules
 * @param {(file: string) => Promise<any>} readJson
 * @returns {Promise<object | undefined>}
 */
async function findToken(text, query, rules, readJson) {
  const { identifier, kinds, statusFile } = rules.batch;
  if (!hasForm(text, identifier)) return undefined;
  const [principal = '', number = FIRST] = text.split(':');
  for (const kind of /** @type {Kind[]} */ (Object.keys(kinds))) {
    if (kind === 'ft' && number !== FIRST) continue;
    const path = kinds[kind].replace('{principal}', principal).replace('{token_id}', number);
    for (const { status, file } of planAnswer(path, query, rules)) {
      const answer = status === 200 ? await readJson(file) : undefined;
      if (answer === undefined) continue;
      // Of a token that has not this locale, what its document says is not told.
      const isShown = (query.get('locale') ?? '') === '' || !path.endsWith(file);
      const deploy = kind === 'ft' ? answer : await readJson(statusFile.replace('{principal}', principal));
      const { tx_id } = deploy ?? {};
      return rowOf({ principal, number, kind, isShown, answer: { ...answer, tx_id } });
    }
  }
  return undefined;
}

/** @param {{ principal: string, number: string, kind: Kind, isShown: boolean, answer: any }} token */
function rowOf({ principal, number, kind, isShown, answer }) {
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
