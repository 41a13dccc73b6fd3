// Converts the result of a token getter, from the VM or a node, to a value, an absent value or a failure.
import { type ClarityValue, textOf } from '#clarity/decode-value.ts';
import { type FailureCode, failureSentence } from '#model/failure.ts';
import type { GetterResult, TokenGetter } from '#model/token.ts';
import { excerpt, quote } from '#text/quote.ts';

/** The maximum length of a VM message, which may quote long types. */
const MAX_MESSAGE_LENGTH = 300;

/**
 * Unwraps `(ok …)` and `(some …)`. `none` gives an answer without a value; an error or a wrong type gives a failure.
 */
export function readGetterResult(getter: TokenGetter, answer: ClarityValue): GetterResult {
  if (answer.type === 'err')
    return failedResult(getter, 'getter-error', `${getter} returned (err ${describe(answer.value)}).`);
  let value = answer.type === 'ok' ? answer.value : answer;
  if (value.type === 'some') value = value.value;
  if (value.type === 'none') return { getter };
  const text = shownValue(getter, value);
  return text === undefined
    ? failedResult(
        getter,
        'getter-wrong-type',
        `${getter} returned ${value.type === 'uint' ? describe(value) : `a value of type ${value.type}`}.`,
      )
    : { getter, value: text };
}

/** Returns the failure of a getter that the VM, bundled or in a node, could not run to its end. */
export function refusedResult(getter: TokenGetter, refusal: string): GetterResult {
  return failedResult(getter, 'clarity-error', `${getter} fails: ${excerpt(refusal, MAX_MESSAGE_LENGTH)}`);
}

export function failedResult(getter: TokenGetter, code: FailureCode, message = failureSentence(code)): GetterResult {
  return { getter, failure: { code, message } };
}

function shownValue(getter: TokenGetter, value: ClarityValue): string | undefined {
  switch (getter) {
    case 'get-name':
    case 'get-symbol':
    case 'get-token-uri':
      return textOf(value);
    case 'get-decimals':
      return value.type === 'uint' && value.value <= Number.MAX_SAFE_INTEGER ? String(value.value) : undefined;
    case 'get-total-supply':
      return value.type === 'uint' ? String(value.value) : undefined;
  }
}

function describe(value: ClarityValue): string {
  if (value.type === 'uint') return `u${value.value}`;
  if (value.type === 'int') return String(value.value);
  const text = textOf(value);
  return text === undefined ? `a value of type ${value.type}` : quote(text);
}
