// Compares served values with the getters' results at the tip. A different value is wrong, unless its status reports a
// reason.
import { FUNGIBLE_TOKEN_NUMBER } from '#model/token.ts';
import type { Value } from './truths.ts';

/**
 * `right`: the served value is correct. `unproven`: correct, but the status reports a reason. `outdated`: incorrect,
 * and the status reports a reason. `wrong`: incorrect without a reason.
 */
type Verdict = 'right' | 'unproven' | 'outdated' | 'wrong';

export interface Judged extends Value {
  readonly verdict: Verdict;
  readonly served: string | undefined;
  /** The code of the reason in the value's status; undefined if the status reports no reason. */
  readonly reason: string | undefined;
}

interface Reason {
  readonly code: string;
  readonly message: string;
}

interface ValueStatus {
  readonly failure?: Reason;
  readonly will_be_read_again?: boolean;
}

interface Status {
  readonly state: string;
  readonly failure?: Reason;
  readonly values: Readonly<Record<string, ValueStatus | undefined>>;
  readonly exceptions?: readonly { readonly token_id: string; readonly failure: Reason }[];
}

const FIELDS: Readonly<Record<string, string>> = {
  'get-name': 'name',
  'get-symbol': 'symbol',
  'get-decimals': 'decimals',
  'get-total-supply': 'total_supply',
  'get-token-uri': 'token_uri',
};
/** Codes of failures in the getter's result or its document. They do not say that a value is unproven. */
const CLAIMS: ReadonlySet<string> = new Set([
  ...['getter-error', 'getter-wrong-type', 'no-value', 'no-uri', 'empty-uri', 'not-a-uri', 'unsupported-scheme'],
  ...['data-uri-invalid', 'offline'],
]);
/** The code for a getter that fails to run. The value is right if the getter also fails on the chain. */
const REFUSED = 'clarity-error';

export function judge(values: readonly Value[], files: ReadonlyMap<string, string>): Judged[] {
  return values.map((value) => {
    const { served, reason } = servedOf(value, files);
    return { ...value, served, reason, verdict: verdictOf(value, served, reason) };
  });
}

function verdictOf({ truth, number }: Value, served: string | undefined, reason: string | undefined): Verdict {
  const text = truth.kind === 'text' ? truth.text.replaceAll('{id}', number ?? FUNGIBLE_TOKEN_NUMBER) : undefined;
  const isRight = served === text;
  if (!isRight) return reason === undefined ? 'wrong' : 'outdated';
  return reason === undefined || (truth.kind === 'refused' && reason === REFUSED) ? 'right' : 'unproven';
}

function servedOf(value: Value, files: ReadonlyMap<string, string>): Pick<Judged, 'served' | 'reason'> {
  const { contractId, getter, number } = value;
  const field = FIELDS[getter] ?? '';
  const path = number === undefined ? `metadata/v1/ft/${contractId}` : `metadata/v1/nft/${contractId}/${number}`;
  const response = parse<Record<string, unknown>>(files.get(path) ?? files.get(path.replace('/nft/', '/sft/')));
  const status = parse<Status>(files.get(`metadata/v1/status/${contractId}`));
  const text = response?.[field];
  return {
    served: text === undefined ? undefined : String(text),
    reason: status === undefined ? undefined : reasonOf(status, field, number),
  };
}

function reasonOf(status: Status, field: string, number: string | undefined): string | undefined {
  const value = status.values[field];
  const exceptions = (status.exceptions ?? []).filter((exception) => exception.token_id === number);
  const reasons = [value?.failure, ...exceptions.map(({ failure }) => failure), status.failure];
  const code = reasons.find((reason) => reason !== undefined && !CLAIMS.has(reason.code))?.code;
  if (code !== undefined) return code;
  return value?.will_be_read_again === true || status.state === 'queued' ? 'queued' : undefined;
}

function parse<Body>(text: string | undefined): Body | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as Body);
}

export function formatJudged({ name, truth, served, reason, verdict }: Judged): string {
  const is = truth.kind === 'text' ? JSON.stringify(truth.text) : truth.kind;
  return `${verdict}: ${name} returns ${is}, served ${JSON.stringify(served) ?? 'nothing'}, reason ${reason ?? '-'}`;
}
