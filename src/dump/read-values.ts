// Makes the rows of values: what getters returned, from where and at which height, or why there is nothing.

import type { Reading } from '#model/token.ts';
import { statusOfToken } from '#routes/token-status.ts';
import type { TokenFacts } from '#routes/tokens.ts';
import { describeReading, FIELDS, type ValueStatus } from '#routes/value-status.ts';
import type { Token } from '#store/tokens/tokens.ts';
import type { Row } from './tables.ts';

type ValueRow = Row<'values'>;
type Field = (typeof FIELDS)[keyof typeof FIELDS];

/** All five of a fungible token. */
export function valuesOfToken(facts: TokenFacts): ValueRow[] {
  const { contract, token, supply } = facts;
  const { name, symbol, decimals, totalSupply, tokenUri } = token.values;
  const values: Readonly<Record<Field, string | undefined>> = {
    name,
    symbol,
    decimals: decimals?.toString(),
    // A value from a node or a token list is newer than the sum of an archive's events.
    total_supply: totalSupply ?? supply?.toString(),
    token_uri: tokenUri,
  };
  const status = statusOfToken(facts).values;
  return Object.values(FIELDS).map((field) => {
    const own = status[field];
    const isUnread = values[field] === undefined && own.none !== true && own.failure === undefined;
    // What could not be read at all has the token's reason.
    const failure = own.failure ?? (isUnread ? token.failure : undefined);
    return toRow(contract.contractId, undefined, field, values[field], { ...own, failure });
  });
}

/** Those that all tokens of a collection share. */
export function sharedValues(contractId: string, collection: Token): ValueRow[] {
  return collection.readings.map((reading) => readingRow(contractId, undefined, reading));
}

/** Those of a token of a collection that are its own. */
export function valuesOfNumber(contractId: string, token: Token, collection: Token): ValueRow[] {
  const shared = new Set(collection.readings);
  const own = token.readings.filter((reading) => !shared.has(reading));
  return own.map((reading) => readingRow(contractId, token.tokenNumber, reading));
}

function readingRow(contractId: string, tokenNumber: string | undefined, reading: Reading): ValueRow {
  return toRow(contractId, tokenNumber, FIELDS[reading.getter], reading.value, describeReading(reading));
}

function toRow(
  contractId: string,
  tokenNumber: string | undefined,
  field: Field,
  value: string | undefined,
  { read_from, height, calls, whole_contract, none, failure, will_be_read_again }: ValueStatus,
): ValueRow {
  const isMissing = value === undefined && none !== true && failure === undefined;
  return {
    principal: contractId,
    token_id: tokenNumber,
    field,
    value,
    read_from,
    height,
    calls,
    whole_contract,
    is_none: value === undefined && none === true,
    failure_code: failure?.code,
    failure_message: failure?.message,
    pending: isMissing || will_be_read_again === true,
  };
}
