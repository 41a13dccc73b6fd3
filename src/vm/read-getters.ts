// Calls the SIP-010 getters of a deployed token and reads their answers into on-chain values.
import type { FailureCode } from '#model/failure.ts';
import { type GetterFailure, type OnChainValues, TOKEN_GETTERS, type TokenGetter } from '#model/token.ts';
import type { SdkExpression, SdkValue, Session } from './session.ts';

type Reading = { readonly values: OnChainValues } | { readonly code: FailureCode; readonly message: string };

/** Messages of the VM can quote whole types. */
const MAX_MESSAGE_LENGTH = 300;

export function readGetters(
  session: Session,
  contractId: string,
): { values: OnChainValues; failures: GetterFailure[] } {
  const publicNames = publicFunctionNames(session.expressionsOf(contractId));
  // A public getter can change state, so what only reads goes first.
  const getters = TOKEN_GETTERS.toSorted(
    (left, right) => Number(publicNames.has(left)) - Number(publicNames.has(right)),
  );
  let values: OnChainValues = {};
  const failures: GetterFailure[] = [];
  for (const getter of getters) {
    const called = session.call(contractId, getter, publicNames.has(getter) ? 'public' : 'read_only');
    const reading = 'refusal' in called ? refused(getter, called.refusal) : readAnswer(getter, called.value);
    if ('values' in reading) values = { ...values, ...reading.values };
    else failures.push({ getter, ...reading });
  }
  return { values, failures };
}

/** Unwraps `(ok …)` and `(some …)`; `none` is absent, and anything but the getter's type loses this one value. */
function readAnswer(getter: TokenGetter, answer: SdkValue): Reading {
  if (answer.type === 'err')
    return { code: 'getter-error', message: `${getter} answers (err ${describe(answer.value)}).` };
  let value = answer.type === 'ok' ? answer.value : answer;
  if (value.type === 'some') value = value.value;
  if (value.type === 'none') return { values: {} };
  switch (getter) {
    case 'get-name':
      return isText(value) ? { values: { name: value.value } } : wrongType(getter, value);
    case 'get-symbol':
      return isText(value) ? { values: { symbol: value.value } } : wrongType(getter, value);
    case 'get-token-uri':
      return isText(value) ? { values: { tokenUri: value.value } } : wrongType(getter, value);
    case 'get-decimals': {
      const decimals = value.type === 'uint' ? Number(value.value) : Number.NaN;
      return Number.isSafeInteger(decimals) ? { values: { decimals } } : wrongType(getter, value);
    }
    case 'get-total-supply':
      return value.type === 'uint' ? { values: { totalSupply: String(value.value) } } : wrongType(getter, value);
  }
}

function isText(value: SdkValue): value is Extract<SdkValue, { type: 'ascii' | 'utf8' }> {
  return value.type === 'ascii' || value.type === 'utf8';
}

function wrongType(getter: TokenGetter, value: SdkValue): Reading {
  return { code: 'getter-wrong-type', message: `${getter} answers a value of type ${value.type}.` };
}

function refused(getter: TokenGetter, refusal: string): Reading {
  return { code: 'clarity-error', message: `${getter} fails: ${refusal.slice(0, MAX_MESSAGE_LENGTH)}` };
}

function describe(value: SdkValue): string {
  if (value.type === 'uint') return `u${value.value}`;
  if (value.type === 'int') return String(value.value);
  if (isText(value)) return JSON.stringify(value.value.slice(0, 60));
  return `a value of type ${value.type}`;
}

function publicFunctionNames(expressions: readonly SdkExpression[]): Set<string> {
  const names = new Set<string>();
  for (const { expr } of expressions as unknown as {
    expr: { List?: { expr: { Atom?: unknown; List?: { expr: { Atom?: unknown } }[] } }[] };
  }[]) {
    const [head, signature] = expr.List ?? [];
    if (head?.expr.Atom === 'define-public') names.add(String(signature?.expr.List?.[0]?.expr.Atom));
  }
  return names;
}
