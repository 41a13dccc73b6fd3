// Describes a value of a token in a status: the source and height of the value, or the reason why it is missing.

import { type FailureCode, fail } from '#model/failure.ts';
import { isUnproven, type Reading, type TokenGetter } from '#model/token.ts';
import type { Described, Zod } from './route.ts';
import type { TokenFacts } from './tokens.ts';

const { code, message } = fail('evaluation-pending');
const PENDING = { code, message };

export const failureSchema = (z: Zod) => z.strictObject({ code: z.string(), message: z.string() });

export const valueSchema = (z: Zod) =>
  z.strictObject({
    read_from: z
      .enum(['node', 'token-list', 'clarity-vm', 'events'])
      .optional()
      .describe(
        "node: the getter, called at the tip; token-list: an API's list of tokens; clarity-vm: a replay of the " +
          'deployed source and all calls up to the tip; events: mints minus burns up to the tip',
      ),
    height: z
      .int()
      .optional()
      .describe(
        'Height of the tip when the node responded; for a value from the Clarity VM, height of the deploy or call ' +
          'that last changed it',
      ),
    calls: z
      .int()
      .optional()
      .describe('Number of calls that may have changed the value; the Clarity VM replayed and proved each'),
    whole_contract: z
      .boolean()
      .optional()
      .describe('false if the VM ran only part of the contract because the state for the rest is missing'),
    none: z.literal(true).optional().describe('Set if the contract returned none'),
    failure: failureSchema(z).optional(),
    will_be_read_again: z.literal(true).optional().describe('Set if a call to the node is queued'),
  });

export type ValueStatus = Described<typeof valueSchema>;

export const FIELDS = {
  'get-name': 'name',
  'get-symbol': 'symbol',
  'get-decimals': 'decimals',
  'get-total-supply': 'total_supply',
  'get-token-uri': 'token_uri',
} as const satisfies Readonly<Record<TokenGetter, string>>;

/** Returns the status of a value. A value without a reading has the reason of its token, or waits. */
export function valueStatus(facts: TokenFacts, getter: TokenGetter): ValueStatus {
  const status = readingStatus(facts, getter);
  const { failure } = facts.token;
  if (failure === undefined || status.failure !== undefined || status.read_from !== undefined) return status;
  return { ...status, failure: { code: failure.code, message: failure.message } };
}

function readingStatus({ token, pending }: TokenFacts, getter: TokenGetter): ValueStatus {
  const reading = token.readings.find((candidate) => candidate.getter === getter);
  const isPending = pending.some((work) => work.kind === 'read-values' && work.getters.includes(getter));
  const isWaiting = pending.some(({ kind }) => kind === 'evaluate-token') && (reading?.source ?? 'vm') === 'vm';
  return {
    ...(isWaiting ? { failure: PENDING } : {}),
    ...(reading === undefined ? {} : describeReading(reading)),
    ...(isPending ? { will_be_read_again: true } : {}),
  };
}

export function describeReading({ source, height, calls, partial, value, failure }: Reading): ValueStatus {
  const reason = failure === undefined ? {} : { failure: { code: failure.code, message: failure.message } };
  if (failure !== undefined && !isUnproven(failure)) return reason;
  return {
    read_from: source === 'vm' ? 'clarity-vm' : source,
    height,
    calls,
    whole_contract: source === 'vm' ? partial !== true : undefined,
    // With a failure it is unknown whether the contract returns `none`, so the field is omitted.
    none: value === undefined && failure === undefined ? true : undefined,
    ...reason,
  };
}

export function supplyStatus(facts: TokenFacts): ValueStatus {
  const status = readingStatus(facts, 'get-total-supply');
  if (facts.token.supplyAssets === undefined || status.read_from !== undefined)
    return valueStatus(facts, 'get-total-supply');
  // A pending evaluation will find out whether later blocks are missing, which makes this supply outdated.
  if (facts.supply !== undefined) return { ...status, read_from: 'events' };
  const code: FailureCode = 'supply-out-of-range';
  return {
    ...status,
    failure: {
      code,
      message: 'In the indexed events, burns exceed mints, or the supply exceeds the maximum of Clarity.',
    },
  };
}
